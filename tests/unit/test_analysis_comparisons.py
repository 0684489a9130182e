"""Matching, paired inference and the comparison tables."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasonaudit.analysis.compare_methods import compare_methods
from reasonaudit.analysis.comparisons import correct_families, largest_family, verdict
from reasonaudit.analysis.curve import exact_curve, pool_of
from reasonaudit.analysis.estimate_curves import estimate_curves
from reasonaudit.analysis.group_effects import effects_by_group, groups_of
from reasonaudit.analysis.matching import match_cost, rematched_baseline
from reasonaudit.analysis.run_variance import variance_components
from reasonaudit.analysis.setting import class_codes, load_settings, mean_tokens
from reasonaudit.errors import ConfigError, TableError
from reasonaudit.tables.comparisons import COMPARISONS
from reasonaudit.tables.curves import CURVES
from reasonaudit.tables.dropped_questions import DROPPED_QUESTIONS
from reasonaudit.tables.group_effects import GROUP_EFFECTS
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.run_variance import RUN_VARIANCE
from reasonaudit.tables.temperature_control import TEMPERATURE_CONTROL
from unit.synthetic import make_study

# Columns that do not depend on how many other comparisons the family holds.
TESTLESS = ["model", "dataset", "method", "accuracy", "difference", "low", "high", "p", "standard_error"]

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


# ----------------------------------------------------------------------------------------- whole tables


@pytest.fixture(scope="module")
def study():
    return make_study(
        models={"small": -0.3, "large": 1.0}, datasets=("sums", "terms"), n_questions=20, pool_size=12, runs=2
    )


@pytest.fixture(scope="module")
def tables(study, tmp_path_factory):
    return run(study, tmp_path_factory.mktemp("study"))


def run(study, folder, dropped=None, **statistics):
    paths = study.write(folder, only=("questions", "answers"))
    out = {
        name: folder / f"{name}.parquet"
        for name in ("comparisons", "group_effects", "run_variance", "temperature_control", "curves")
    }
    shared = {
        "questions": paths["questions"],
        "answers": paths["answers"],
        "dropped": dropped,
        "pool": study.pool,
        "statistics": study.statistics | statistics,
        "study_seed": 1,
    }
    compare_methods(
        **shared, methods=study.methods, **{name: path for name, path in out.items() if name != "curves"}
    )
    estimate_curves(**shared, curves=out["curves"])
    schemas = {
        "comparisons": COMPARISONS,
        "group_effects": GROUP_EFFECTS,
        "run_variance": RUN_VARIANCE,
        "temperature_control": TEMPERATURE_CONTROL,
        "curves": CURVES,
    }
    return {name: read_frame(path, schemas[name]) for name, path in out.items()} | {"paths": out}


def by_hand(study, model, dataset, method, basis="generated"):
    """(d_i over questions, accuracy, cost) straight from the rows, slowly."""
    column = {"generated": "generated_tokens", "total": "total_tokens"}[basis]
    frame = pd.DataFrame(study.answers)
    frame = frame[(frame["model"] == model) & (frame["dataset"] == dataset)]
    pool, own = frame[frame["method"] == "self_consistency"], frame[frame["method"] == method]
    wanted = own[column].mean() / pool[column].mean()
    low = max(1, math.floor(wanted))
    share = max(0.0, wanted - low)
    differences = []
    for question, rows in own.groupby("question_id", sort=False):
        rival = 0.0
        of_question = pool[pool["question_id"] == question]
        for _, chains in of_question.groupby("run"):
            points = exact_curve(pool_of(chains["canonical"], chains["correct"])).accuracy
            mixture = (1 - share) * points[low - 1] + (share * points[low] if share else 0)
            rival += mixture / of_question["run"].nunique()
        differences.append(rows["correct"].mean() - rival)
    return np.array(differences), own["correct"].mean(), own[column].mean()


@pytest.mark.parametrize(
    ("model", "dataset", "method", "basis"),
    [
        ("small", "sums", "self_refine", "generated"),
        ("large", "terms", "debate", "generated"),
        ("large", "sums", "chain_of_thought", "generated"),
        ("small", "terms", "reflexion", "total"),
    ],
)
def test_a_row_is_what_the_protocol_says(study, tables, model, dataset, method, basis):
    differences, accuracy, cost = by_hand(study, model, dataset, method, basis)
    frame = tables["comparisons"].set_index(["model", "dataset", "method", "cost_basis", "matching"])
    row = frame.loc[(model, dataset, method, basis, "fixed")]
    assert row["accuracy"] == pytest.approx(accuracy)
    assert row["tokens"] == pytest.approx(cost)
    assert row["difference"] == pytest.approx(differences.mean(), abs=1e-12)
    assert row["baseline_accuracy"] == pytest.approx(accuracy - differences.mean(), abs=1e-12)
    error = differences.std(ddof=1) / math.sqrt(len(differences))
    assert row["standard_error"] == pytest.approx(error)
    assert row["detectable_50"] == pytest.approx(1.96 * error)
    assert row["detectable_80"] == pytest.approx(2.80 * error)
    # An interval close to the normal one, within the skewness of 20 questions.
    assert row["low"] == pytest.approx(differences.mean() - 1.96 * error, abs=0.6 * error)
    assert row["high"] == pytest.approx(differences.mean() + 1.96 * error, abs=0.6 * error)
    assert row["n_questions"] == 20
    assert row["runs"] == 2


def test_every_cell_is_there(study, tables):
    frame = tables["comparisons"]
    assert len(frame) == 2 * 2 * 7 * 2 * 2  # models, data sets, methods, bases, matchings
    assert "self_consistency" not in set(frame["method"])
    assert set(frame["family"]) == {"paper"}
    assert (frame.loc[frame["cost_basis"] == "total", "input_output_ratio"] > 0).all()


def test_methods_dearer_than_the_pool_are_not_compared(tables):
    frame = tables["comparisons"]
    dear = frame[frame["flag"].fillna("").str.contains("above_pool")]
    # Nine calls with long prompts against twelve short chains: dearer on total tokens only.
    assert {"debate"} <= set(dear.loc[dear["cost_basis"] == "total", "method"])
    assert dear[["difference", "p", "baseline_accuracy", "matched_n"]].isna().all(axis=None)
    assert (dear["verdict"] == "not_compared").all()
    assert dear["accuracy"].notna().all()


def test_rematched_rows_have_an_own_interval_and_no_corrected_p(tables):
    frame = tables["comparisons"]
    rematched = frame[(frame["matching"] == "rematched") & frame["difference"].notna()]
    assert rematched["p"].notna().all()
    assert rematched[["p_holm_setting", "p_holm_all", "p_t"]].isna().all(axis=None)
    assert rematched["clamped_share"].between(0, 1).all()
    keys = ["model", "dataset", "method", "cost_basis"]
    both = rematched.merge(frame[frame["matching"] == "fixed"], on=keys)
    assert (both["difference_x"] == both["difference_y"]).all()
    assert (both["low_x"] != both["low_y"]).any()


def test_temperature_control_is_the_difference_from_one_chain(study, tables):
    frame = pd.DataFrame(study.answers)
    mean = frame.groupby(["model", "dataset", "method"])["correct"].mean()
    for row in tables["temperature_control"].to_dict("records"):
        key = row["model"], row["dataset"]
        expected = mean[(*key, "chain_of_thought")] - mean[(*key, "self_consistency")]
        assert row["difference"] == pytest.approx(expected)
        assert row["sampled_accuracy"] == pytest.approx(mean[(*key, "self_consistency")])


def test_curves_hold_every_n_and_the_drawn_points(study, tables):
    frame = tables["curves"]
    exact = frame[frame["estimator"] == "exact"]
    assert exact.groupby(["model", "dataset"])["n"].apply(list).tolist() == [list(range(1, 13))] * 4
    drawn = frame[frame["estimator"] == "drawn"]
    assert sorted(set(drawn["n"])) == study.pool["curve"]
    both = exact.merge(drawn, on=["model", "dataset", "n"])
    # 2 runs x 20 questions x 200 draws; a draw has a standard deviation of at most 1/2.
    assert both["accuracy_x"].to_numpy() == pytest.approx(
        both["accuracy_y"].to_numpy(), abs=4 * 0.5 / math.sqrt(2 * 20 * 200)
    )
    assert both["tokens_x"].to_numpy() == pytest.approx(both["tokens_y"].to_numpy(), rel=0.02)
    one = exact[exact["n"] == 1]
    mean = pd.DataFrame(study.answers).query("method == 'self_consistency'")
    assert one["accuracy"].to_numpy() == pytest.approx(
        mean.groupby(["model", "dataset"])["correct"].mean().to_numpy()
    )
    assert one["abstain_share"].to_numpy() == pytest.approx(
        1 - mean.groupby(["model", "dataset"])["readable"].mean().to_numpy()
    )
    assert (one["tie_share"] == 0).all()
    summed = mean.groupby(["model", "dataset"])[["generated_tokens", "total_tokens"]].sum()
    ratio = summed["total_tokens"] / summed["generated_tokens"] - 1
    assert one["input_output_ratio"].to_numpy() == pytest.approx(ratio.to_numpy())
    assert ((exact["low"] <= exact["accuracy"]) & (exact["accuracy"] <= exact["high"])).all()


def test_group_rows(tables):
    frame = tables["group_effects"].set_index(["dataset", "group"])
    assert set(frame.index.get_level_values("group")) == {
        "choosing",
        "debating",
        "rewriting",
        "self_inspection",
        "single_pass",
    }
    fixed = tables["comparisons"].query("cost_basis == 'generated' and matching == 'fixed'")
    rewriting = fixed[
        (fixed["dataset"] == "sums")
        & fixed["method"].isin(["self_refine", "reflexion", "reflexion_forced"])
        & fixed["difference"].notna()
    ]
    row = frame.loc[("sums", "rewriting")]
    assert row["comparisons"] == len(rewriting)
    assert row["effect"] == pytest.approx(rewriting["difference"].mean())
    assert row["low"] < row["effect"] < row["high"]


def test_run_components_are_there_with_two_runs(tables):
    frame = tables["run_variance"]
    assert (frame["runs"] == 2).all()
    assert frame["run_share"].between(0, 1).all()
    parts = frame[frame["variance_questions"] > 0]
    assert len(parts) > 10
    assert (parts["variance_questions"] + parts["variance_runs"] / 2).tolist() == pytest.approx(
        parts["variance"].tolist()
    )


def test_the_same_bytes_twice_and_from_shuffled_files(study, tables, tmp_path):
    study_again = make_study(
        models={"small": -0.3, "large": 1.0}, datasets=("sums", "terms"), n_questions=20, pool_size=12, runs=2
    )
    study_again.answers.reverse()
    study_again.questions.reverse()
    again = run(study_again, tmp_path)
    for name, path in tables["paths"].items():
        assert path.read_bytes() == again["paths"][name].read_bytes(), name


def test_dropped_questions_leave_every_method(study, tables, tmp_path):
    gone = study.questions[3]["question_id"]
    dropped = tmp_path / "dropped.parquet"
    write_table(
        dropped,
        [{"model": "small", "dataset": "sums", "question_id": gone, "methods": "best_of_n", "calls": 1}],
        DROPPED_QUESTIONS,
    )
    rows = run(study, tmp_path, dropped=dropped)["comparisons"]
    n = rows.groupby(["model", "dataset"])["n_questions"].unique()
    assert n["small", "sums"].tolist() == [19]
    assert n["large", "sums"].tolist() == [20]
    fixed = rows.query("model == 'small' and dataset == 'sums' and matching == 'fixed'")
    frame = pd.DataFrame(study.answers).query(
        f"model == 'small' and dataset == 'sums' and question_id != '{gone}'"
    )
    mean = frame.groupby("method")["correct"].mean()
    for row in fixed.to_dict("records"):
        assert row["accuracy"] == pytest.approx(mean[row["method"]])
    # Other settings do not notice.
    before, after = (
        frame[frame["model"] == "large"].reset_index(drop=True) for frame in (tables["comparisons"], rows)
    )
    pd.testing.assert_frame_equal(after[TESTLESS], before[TESTLESS])


def test_unknown_tokens_mean_no_comparison_and_no_cost(tmp_path):
    study = make_study(n_questions=6, pool_size=4, methods=("self_consistency", "chain_of_thought"))
    for row in study.answers:
        row["generated_tokens"] = row["total_tokens"] = None
    found = run(study, tmp_path)
    assert len(found["comparisons"]) == 0
    assert found["curves"]["tokens"].isna().all()
    assert found["curves"]["accuracy"].notna().all()
    assert len(found["temperature_control"]) == 1  # needs no cost


def test_missing_and_double_answers_are_refused(tmp_path):
    study = make_study(n_questions=4, pool_size=4, methods=("self_consistency", "debate"))
    kept = study.answers.copy()
    study.answers = [r for r in kept if not (r["method"] == "debate" and r["question_id"] == "q007")]
    with pytest.raises(TableError, match="answers to 3 of 4 questions") as error:
        run(study, tmp_path)
    assert "tiny, sums, debate" in error.value.where
    study.answers = [r for r in kept if r["sample_index"] != 3 or r["question_id"] != "q007"]
    with pytest.raises(TableError, match="no whole pool"):
        run(study, tmp_path)


def test_the_fixed_comparison_on_generated_tokens_is_always_made(study, tmp_path):
    rows = run(study, tmp_path, cost_basis=["total"], matching=["grid"])["comparisons"]
    assert set(zip(rows["cost_basis"], rows["matching"], strict=True)) == {
        (basis, matching) for basis in ("generated", "total") for matching in ("fixed", "grid")
    }


def test_interpolating_on_the_printed_grid(study, tables, tmp_path):
    rows = run(study, tmp_path, matching=["fixed", "grid"])["comparisons"]
    both = rows.pivot(
        index=["model", "dataset", "method", "cost_basis"], columns="matching", values="baseline_accuracy"
    ).dropna()
    curve = tables["curves"].query("estimator == 'exact'").set_index(["model", "dataset", "n"])["accuracy"]
    wanted = rows.set_index(["model", "dataset", "method", "cost_basis", "matching"])["matched_n"]
    for key in both.index:
        points = [curve[key[0], key[1], n] for n in study.pool["curve"]]
        expected = np.interp(wanted[(*key, "grid")], study.pool["curve"], points)
        assert both.loc[key, "grid"] == pytest.approx(expected, abs=1e-12)
    assert (both["grid"] - both["fixed"]).abs().max() > 1e-6


def test_too_few_resamples(study, tmp_path):
    with pytest.raises(ConfigError, match="500 resamples cannot carry"):
        run(study, tmp_path, resamples=500)


@pytest.mark.parametrize("ties", ["split", "first", "none"])
@pytest.mark.parametrize("unreadable", ["abstain", "wrong"])
def test_options_change_what_they_say(study, tables, tmp_path, ties, unreadable):
    found = run(study, tmp_path, ties=ties, unreadable=unreadable)["curves"]
    exact = found[found["estimator"] == "exact"].set_index(["model", "dataset", "n"])
    usual = tables["curves"].query("estimator == 'exact'").set_index(["model", "dataset", "n"])
    first, two = exact.xs(1, level="n")["accuracy"], exact.xs(2, level="n")["accuracy"]
    assert first.to_numpy() == pytest.approx(usual.xs(1, level="n")["accuracy"].to_numpy())
    if ties == "none":
        # Of two chains that disagree none wins: only an agreement, or one chain alone, can be right.
        assert (two < usual.xs(2, level="n")["accuracy"]).all()
    if unreadable == "wrong":
        assert (exact["abstain_share"] == 0).all()
    if ties == "split" and unreadable == "abstain":
        assert exact["accuracy"].tolist() == usual["accuracy"].tolist()


def test_classes_by_order_of_appearance():
    codes = class_codes(["b", None, "a", "b", "a"], [True, True, True, True, False])
    assert codes.tolist() == [0, -1, 1, 0, -1]


def test_settings_without_a_pool_are_left_out(tmp_path):
    study = make_study(n_questions=4, methods=("chain_of_thought",))
    paths = study.write(tmp_path, only=("questions", "answers"))
    loaded = load_settings(
        questions=paths["questions"], answers=paths["answers"], dropped=None, baseline="self_consistency"
    )
    assert loaded == []


def test_subsets_keep_everything_aligned(study, tmp_path):
    paths = study.write(tmp_path, only=("questions", "answers"))
    setting = load_settings(
        questions=paths["questions"], answers=paths["answers"], dropped=None, baseline="self_consistency"
    )[0]
    keep = np.arange(20) % 3 == 0
    part = setting.subset(keep)
    assert part.questions == tuple(itertools.compress(setting.questions, keep))
    assert part.pool.votes.shape == (2, 7, 12)
    assert (part.methods["debate"].correct == setting.methods["debate"].correct[:, keep]).all()
    assert mean_tokens(part.pool, "total").tolist() == mean_tokens(setting.pool, "total")[keep].tolist()
