"""Matching, Holm families, group effects and variance components, piece by piece."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasonaudit.analysis.comparisons import correct_families, largest_family, verdict
from reasonaudit.analysis.group_effects import effects_by_group, groups_of
from reasonaudit.analysis.matching import match_cost, mixture, rematched_baseline
from reasonaudit.analysis.run_variance import variance_components

# ------------------------------------------------------------------------------------------- matching


@pytest.mark.parametrize(
    ("cost", "pool_cost", "below"),
    [  # the project's reference vectors, below_n1: paper 1's greedy chain against its pool of 16
        (292, 4749, True),
        (566, 8636, False),
        (295, 4799, True),
        (550, 8803, True),
        (291, 4560, False),
        (543, 8578, False),
    ],
)
def test_published_cheap_end(cost, pool_cost, below):
    match = match_cost(cost, pool_cost / 16, 16)
    assert (match.flag == "below_one") is below
    assert match.matched_n == (1 if below else pytest.approx(16 * cost / pool_cost))
    assert match.weights.sum() == 1


@pytest.mark.parametrize(
    ("c16", "c1"), [(4749, 297), (8636, 540), (4799, 300), (8803, 550), (4560, 285), (8578, 536)]
)  # reference vectors, curve_cost_linear: the mean cost of N chains is N times the mean chain
def test_published_costs_are_linear(c16, c1):
    assert c16 / 16 == pytest.approx(c1, abs=0.5)


def test_published_interpolation():
    # Paper 1, 1.5B on GSM8K: self-refine costs 1784 tokens, a chain 4749 / 16. On the study's grid that
    # lies between six and eight chains, with every N allowed between six and seven.
    chain = 4749 / 16
    fine, coarse = match_cost(1784, chain, 16), match_cost(1784, chain, 16, [1, 2, 3, 4, 6, 8, 12, 16])
    assert fine.matched_n == coarse.matched_n == pytest.approx(6.0105, abs=1e-3)
    assert np.flatnonzero(fine.weights).tolist() == [5, 6]
    assert np.flatnonzero(coarse.weights).tolist() == [5, 7]
    assert fine.weights[6] == pytest.approx(1784 / chain - 6)


@settings(max_examples=100, deadline=None)
@given(
    cost=st.floats(0.5, 2000),
    chain=st.floats(0.5, 200),
    size=st.integers(1, 40),
    grid=st.one_of(st.none(), st.sets(st.integers(1, 40), min_size=1)),
)
def test_the_rival_costs_what_the_method_costs(cost, chain, size, grid):
    grid = sorted({1, *(n for n in grid if n <= size), size}) if grid else None
    match = match_cost(cost, chain, size, grid)
    if match.weights is None:
        assert cost / chain > size
        assert match.flag == "above_pool"
        return
    assert match.weights.sum() == pytest.approx(1)
    assert (match.weights >= 0).all()
    spent = (match.weights * np.arange(1, size + 1)).sum() * chain
    assert spent == pytest.approx(chain if match.flag == "below_one" else cost)
    if grid:
        assert set(np.flatnonzero(match.weights) + 1) <= set(grid)


def test_ends_of_the_pool():
    assert match_cost(160, 10, 16).weights[15] == 1
    assert match_cost(160.1, 10, 16).flag == "above_pool"
    assert match_cost(160.1, 10, 16).weights is None
    assert match_cost(10, 10, 16).flag is None
    assert match_cost(5, 0, 16).flag == match_cost(float("nan"), 1, 16).flag == "no_cost"


def test_rematching_is_the_same_mixture_resample_by_resample():
    rng = np.random.default_rng(2)
    accuracy = np.sort(rng.random((200, 8)), axis=1)
    cost, chain = rng.uniform(3, 90, 200), rng.uniform(8, 12, 200)
    baseline, clamped = rematched_baseline(cost, chain, accuracy)
    for r in range(200):
        wanted = min(max(cost[r] / chain[r], 1), 8)
        assert baseline[r] == pytest.approx(np.interp(wanted, range(1, 9), accuracy[r]))
        assert clamped[r] == (cost[r] / chain[r] < 1 or cost[r] / chain[r] > 8)
    assert 0 < clamped.mean() < 1
    one, _ = rematched_baseline(np.array([5.0]), np.array([1.0]), np.array([[0.25]]))
    assert one.tolist() == [0.25]


# ------------------------------------------------------------------------------------------ Holm families


def row_of(
    method, p, *, model="m", dataset="d", basis="generated", matching="fixed", p_t=None, difference=-0.1
):
    return {
        "model": model,
        "dataset": dataset,
        "method": method,
        "cost_basis": basis,
        "matching": matching,
        "difference": difference,
        "p": p,
        "p_t": p if p_t is None else p_t,
        "standard_error": 0.02,
        "flag": None,
    }


def test_added_methods_do_not_change_the_papers_seven():
    raw = [0.005143, 0.016167, 0.022, 0.11025, 0.13, 0.4345, 0.989]
    families = {"paper": [f"m{i}" for i in range(7)]}
    rows = [row_of(f"m{i}", p) for i, p in enumerate(raw)] + [row_of("extra", 0.03), row_of("other", 0.001)]
    correct_families(rows, families, alpha=0.05)
    assert [r["p_holm_setting"] for r in rows[:7]] == pytest.approx(
        [0.036, 0.097, 0.110, 0.441, 0.441, 0.869, 0.989], abs=0.0005
    )
    assert [r["family"] for r in rows] == ["paper"] * 7 + ["added"] * 2
    assert [r["p_holm_setting"] for r in rows[7:]] == pytest.approx([0.03, 0.002])
    assert [r["verdict"] for r in rows[:3]] == ["worse", "indistinguishable", "indistinguishable"]
    # 3.53 standard errors for the first step of seven tests at 80% power
    assert rows[0]["detectable_holm"] == pytest.approx(3.53 * 0.02, abs=0.0001)


def test_families_are_per_setting_and_cost_basis_and_once_across_settings():
    rows = [
        row_of("a", 0.02),
        row_of("b", 0.03),
        row_of("a", 0.02, model="n"),
        row_of("a", 0.02, basis="total"),
        row_of("a", 0.001, matching="rematched"),
    ]
    correct_families(rows, {"paper": ["a", "b"]}, alpha=0.05)
    assert [r.get("p_holm_setting") for r in rows] == [pytest.approx(p) for p in (0.04, 0.04, 0.02, 0.02)] + [
        None
    ]
    assert [r.get("p_holm_all") for r in rows[:4]] == pytest.approx([0.06, 0.06, 0.06, 0.02])
    assert rows[4]["verdict"] == "worse"
    assert largest_family(rows) == 3


def test_the_two_p_values_disagreeing_is_flagged():
    rows = [row_of("a", 0.03, p_t=0.08), row_of("b", 0.5)]
    rows[0]["flag"] = "below_one"
    correct_families(rows, {}, alpha=0.08)
    assert rows[0]["flag"] == "below_one;p_disagreement"
    assert rows[1]["flag"] is None


def test_what_was_not_compared_is_in_no_family():
    rows = [row_of("a", 0.02), {**row_of("b", None), "difference": None}]
    correct_families(rows, {"paper": ["a", "b"]}, alpha=0.05)
    assert rows[0]["p_holm_setting"] == pytest.approx(0.02)
    assert rows[1]["verdict"] == "not_compared"
    assert verdict(0.1, 0.04, 0.05) == "better"
    assert verdict(0.1, 0.05, 0.05) == "indistinguishable"


# ------------------------------------------------------------------------------------------ group effects


def test_group_effect_keeps_dependence():
    rng = np.random.default_rng(0)
    shared = rng.normal(-0.05, 0.02, 4000)  # two comparisons that move together
    lone = rng.normal(-0.05, 0.02, 4000)
    together = effects_by_group(
        {("m", "d", "a"): (-0.05, shared), ("n", "d", "a"): (-0.05, shared)}, {"g": ["a"]}, confidence=0.95
    )[0]
    apart = effects_by_group(
        {("m", "d", "a"): (-0.05, shared), ("n", "d", "a"): (-0.05, lone)}, {"g": ["a"]}, confidence=0.95
    )[0]
    assert together["high"] - together["low"] == pytest.approx(2 * 1.96 * 0.02, rel=0.05)
    assert apart["high"] - apart["low"] == pytest.approx(2 * 1.96 * 0.02 / math.sqrt(2), rel=0.05)
    assert together["p_sign"] == apart["p_sign"] == 0.5
    assert "independent" in together["note"]


def test_published_sign_tests():
    # Paper 1: 18 of 18 self-inspection comparisons negative; every one of six settings all negative.
    differences = {
        (model, dataset, method): (-0.05, np.full(10, -0.05))
        for model in ("1.5B", "3B", "7B")
        for dataset in ("GSM8K", "MATH-500")
        for method in ("self_refine", "reflexion_forced", "best_of_n")
    }
    rows = effects_by_group(
        differences, {"self_inspection": ["self_refine", "reflexion_forced", "best_of_n"]}, confidence=0.95
    )
    assert [r["dataset"] for r in rows] == ["GSM8K", "MATH-500", "(all)"]
    assert rows[2]["comparisons"] == rows[2]["negative"] == 18
    assert rows[2]["p_sign"] == pytest.approx(7.63e-06, abs=5e-9)
    assert (rows[2]["settings"], rows[2]["settings_all_negative"]) == (6, 6)
    assert rows[2]["p_sign_settings"] == pytest.approx(0.0156, abs=5e-5)


def test_groups_come_from_declarations():
    methods = {
        "self_consistency": {"kind": "pool"},
        "b": {"kind": "choosing", "self_inspection": True},
        "a": {"kind": "rewriting", "self_inspection": True},
    }
    assert groups_of(methods) == {"choosing": ["b"], "rewriting": ["a"], "self_inspection": ["a", "b"]}


# ------------------------------------------------------------------------------------------- run variance


def test_variance_components_recover_what_made_the_data():
    rng = np.random.default_rng(1)
    question, noise = rng.normal(0, 0.3, (1, 4000)), rng.normal(0, 0.5, (4, 4000))
    row = variance_components(question + noise)
    assert row["variance_questions"] == pytest.approx(0.09, rel=0.08)
    assert row["variance_runs"] == pytest.approx(0.25, rel=0.04)
    assert row["run_share"] == pytest.approx(0.0625 / 0.1525, rel=0.06)
    assert row["standard_error"] == pytest.approx(math.sqrt(0.1525 / 4000), rel=0.04)
    assert row["standard_error_fixed_questions"] == pytest.approx(math.sqrt(0.0625 / 4000), rel=0.03)


def test_variance_components_at_the_edges():
    one = variance_components(np.array([[1.0, 0.0, 0.0]]))
    assert one["variance"] == pytest.approx(1 / 3)
    assert "variance_runs" not in one
    constant = variance_components(np.zeros((2, 3)))
    assert constant["run_share"] is None
    assert constant["variance_questions"] == 0


def test_mixture_is_the_weighted_mean():
    accuracy = np.random.default_rng(0).random((3, 5, 8))
    weights = np.zeros(8)
    weights[[2, 5]] = 0.25, 0.75
    assert mixture(accuracy, weights) == pytest.approx(accuracy @ weights, rel=1e-14)
