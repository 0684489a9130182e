"""Verifier language bias: published values, literal definitions, and behaviour under no bias."""

import json
from decimal import ROUND_HALF_UP, Decimal
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from multilingual import counts_of, judged_samples, spread_counts

from reasonaudit.analysis.displayed_rates import displayed_difference, displayed_spread, half_up
from reasonaudit.analysis.language_bias import (
    biases,
    bootstrap_rates,
    contrasts,
    dominant_mode,
    permuted_rates,
    rates_of,
    spread,
)
from reasonaudit.analysis.resampling import resampled_counts
from reasonaudit.analysis.reward_errors import displayed_view, profile
from reasonaudit.analysis.verdict_counts import count_verdicts

# Table 2 of "Multilingual Verifier Bias in RLVR" (80 problems, k = 8): accuracies, FNR and its VLB as
# printed for English, Japanese, Chinese, and the counts behind them.
PUBLISHED = {
    "Qwen3-4B": ((597, 453, 524), (206, 65, 58), (0.933, 0.708, 0.819), (0.345, 0.143, 0.111), 0.234, "en"),
    "Qwen3-8B": ((607, 480, 520), (74, 308, 38), (0.948, 0.750, 0.813), (0.122, 0.642, 0.073), 0.569, "ja"),
    "Llama": ((523, 300, 345), (179, 27, 29), (0.817, 0.469, 0.539), (0.342, 0.090, 0.084), 0.258, "en"),
}
LANGUAGES = ("en", "ja", "zh")


def published_counts(model):
    correct, missed = PUBLISHED[model][:2]
    return counts_of(
        {code: spread_counts(8, 80, c, m) for code, c, m in zip(LANGUAGES, correct, missed, strict=True)}
    )


@pytest.mark.parametrize("model", PUBLISHED)
def test_published_profiles(model):
    _, _, accuracies, fnrs, vlb, flagged = PUBLISHED[model]
    counts = published_counts(model)
    rows = profile(counts, bootstrap_rates(counts, resamples=50, seed=1))
    keys = {"problem_set": "s", "model": model, "method": "m", "verifier": "exact"}
    shown = {row["language"]: row for row in displayed_view([{**keys, **row} for row in rows])}
    assert tuple(shown[code]["trusted_accuracy"] for code in LANGUAGES) == accuracies
    assert tuple(shown[code]["fnr"] for code in LANGUAGES) == fnrs
    assert shown["VLB"]["fnr"] == vlb
    assert [row["language"] for row in rows if row.get("flagged")] == [flagged]
    assert {row["fpr"] for row in rows if row["metric"] == "profile"} == {0.0}
    assert {row["dominant_mode"] for row in rows} == {"false_negative"}


def test_the_reference_files_hold_the_same_numbers(shared):
    stored = json.loads((shared / "reference" / "vectors.json").read_text())["fnr_counts_640"]
    for name, values in zip(("qwen3_4b", "qwen3_8b", "llama31_8b"), PUBLISHED.values(), strict=True):
        assert tuple(stored[name]["correct"]) == values[0]
        assert tuple(stored[name]["fn"]) == values[1]
        assert (tuple(stored[name]["fnr"]), stored[name]["vlb_fnr"]) == (values[3], values[4])


def test_rates_are_the_definitions():
    # 10 samples, 6 right of which 2 are rejected, 4 wrong of which 1 is accepted.
    rates = rates_of(np.array([10, 6, 2, 1]))
    assert rates["trusted_accuracy"] == pytest.approx(0.6)
    assert rates["fnr"] == pytest.approx(2 / 6)
    assert rates["fpr"] == pytest.approx(1 / 4)
    assert rates["err"] == pytest.approx(3 / 10)
    assert rates["j"] == pytest.approx(4 / 6 - 1 / 4)
    assert rates["pressure"] == pytest.approx(-3 / 10)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30))
def test_counts_agree_with_a_count_by_hand(samples):
    counts = count_verdicts(judged_samples({"en": [samples]}))
    assert counts.totals[0].tolist() == [
        len(samples),
        sum(t for t, _ in samples),
        sum(t and not a for t, a in samples),
        sum(a and not t for t, a in samples),
    ]
    rates = rates_of(counts.totals)
    if np.isfinite(rates["fnr"][0]):
        # Err = FNR x accuracy + FPR x (1 - accuracy), whatever the sample.
        accuracy = rates["trusted_accuracy"][0]
        fpr = 0 if np.isnan(rates["fpr"][0]) else rates["fpr"][0]
        assert rates["err"][0] == pytest.approx(rates["fnr"][0] * accuracy + fpr * (1 - accuracy))


def test_a_time_out_is_counted_and_is_no_rejection():
    cells = {"en": [[(True, True), (True, False)]], "ja": [[(True, True), (True, True)]]}
    counts = count_verdicts(judged_samples(cells, timed_out=[("en", 0, 1)]))
    assert counts.timed_out.tolist() == [1, 0]
    assert rates_of(counts.totals)["fnr"].tolist() == [0.0, 0.0]


def test_undefined_rates_are_null_and_named():
    counts = counts_of({"en": [(4, 2, 1, 0)], "ja": [(4, 0, 0, 1)], "zh": [(4, 4, 1, 0)]})
    rows = profile(counts, bootstrap_rates(counts, resamples=20, seed=1))
    by_language = {row["language"]: row for row in rows if row["metric"] == "profile"}
    assert by_language["ja"]["fnr"] is None and by_language["ja"]["fnr_low"] is None
    assert by_language["ja"]["undefined"] == "fnr, j"
    assert by_language["zh"]["fpr"] is None
    vlb = next(row for row in rows if row["metric"] == "fnr")
    assert vlb["fnr"] == pytest.approx(1 / 2 - 1 / 4)  # of the two languages that define it
    assert vlb["undefined"] == "ja"


def test_nobody_is_highest_among_equals():
    counts = counts_of({"en": [(4, 2, 1, 0)] * 3, "ja": [(4, 2, 1, 0)] * 3})
    found = biases(counts, bootstrap_rates(counts, resamples=20, seed=1), None)["fnr"]
    assert (found.value, found.highest, found.lowest) == (0, None, None)


def test_one_language_has_no_bias():
    counts = counts_of({"en": [(4, 2, 1, 0)] * 3})
    found = biases(counts, bootstrap_rates(counts, resamples=20, seed=1), None)["fnr"]
    assert np.isnan(found.value) and np.isnan(found.p)
    assert contrasts(counts, bootstrap_rates(counts, resamples=20, seed=1), "fnr") == []


def test_bootstrap_moves_all_languages_together():
    counts = counts_of(
        {
            "en": [(4, 3, 1, 0), (4, 2, 2, 1), (4, 1, 0, 0)],
            "ja": [(4, 1, 1, 0), (4, 4, 0, 0), (4, 2, 1, 2)],
        }
    )
    draws = bootstrap_rates(counts, resamples=40, seed=7)
    weights = np.concatenate(list(resampled_counts(3, resamples=40, seed=7)))
    for draw, weight in enumerate(weights):
        for column in range(2):
            n = correct = missed = granted = 0
            for problem in range(3):
                cell = counts.cells[problem, column] * int(weight[problem])
                n, correct, missed, granted = (
                    n + cell[0],
                    correct + cell[1],
                    missed + cell[2],
                    granted + cell[3],
                )
            assert draws["fnr"][draw, column] == pytest.approx(missed / correct)
            assert draws["err"][draw, column] == pytest.approx((missed + granted) / n)


def test_unshared_problems_are_resampled_within_their_language():
    en = [(1, 1, 0, 0)] * 3 + [None] * 5
    ja = [None] * 3 + [(1, 1, 1, 0)] * 5
    counts = counts_of({"en": en, "ja": ja})
    draws = bootstrap_rates(counts, resamples=200, seed=3)
    # A joint bootstrap would leave a language without any problem in some resamples.
    assert not np.isnan(draws["trusted_accuracy"]).any()
    assert permuted_rates(counts, permutations=10, seed=1) is None
    assert np.isnan(biases(counts, draws, None)["fnr"].p)


def test_dropped_resamples_are_counted_and_marked():
    ja = [(2, 2, 1, 0)] + [(2, 0, 0, 0)] * 4
    counts = counts_of({"en": [(2, 2, 0, 0)] * 5, "ja": ja})
    draws = bootstrap_rates(counts, resamples=2000, seed=5)
    rows = profile(counts, draws)
    vlb = next(row for row in rows if row["metric"] == "fnr")
    assert vlb["dropped_resamples"] == int(np.isnan(draws["fnr"]).any(axis=1).sum())
    expected = (4 / 5) ** 5  # the one problem with right answers is not drawn
    assert vlb["dropped_resamples"] / 2000 == pytest.approx(
        expected, abs=4 * np.sqrt(expected * (1 - expected) / 2000)
    )
    assert vlb["many_dropped"] is True
    assert next(row for row in rows if row["metric"] == "err")["many_dropped"] is False


def test_permutations_against_all_of_them():
    counts = counts_of(
        {
            "en": [(2, 2, 2, 0), (2, 1, 1, 0), (2, 2, 1, 0)],
            "ja": [(2, 2, 0, 0), (2, 2, 1, 0), None],
            "zh": [(2, 1, 0, 0), (2, 2, 0, 0), (2, 2, 0, 0)],
        }
    )
    exact = []
    orders = [list(permutations(np.flatnonzero(row))) for row in counts.present]
    for order in product(*orders):
        moved = np.zeros_like(counts.cells)
        for problem, sources in enumerate(order):
            moved[problem, np.flatnonzero(counts.present[problem])] = counts.cells[problem, list(sources)]
        exact.append(float(spread(rates_of(moved.sum(axis=0))["fnr"])))
    exact = np.array(exact)
    assert len(exact) == 6 * 6 * 2
    draws = bootstrap_rates(counts, resamples=50, seed=1)
    found = biases(counts, draws, permuted_rates(counts, permutations=20_000, seed=2))["fnr"]
    truth = float((exact >= found.value - 1e-12).mean())
    assert found.p == pytest.approx(truth, abs=4 * np.sqrt(truth * (1 - truth) / 20_000))
    assert found.null_mean == pytest.approx(exact.mean(), abs=4 * exact.std() / np.sqrt(20_000))
    assert found.permutations == 20_000


def test_p_is_hits_plus_one_over_permutations_plus_one():
    counts = counts_of({"en": [(4, 4, 4, 0)] * 30, "ja": [(4, 4, 0, 0)] * 30})
    found = biases(
        counts,
        bootstrap_rates(counts, resamples=20, seed=1),
        permuted_rates(counts, permutations=999, seed=1),
    )["fnr"]
    assert found.value == 1.0
    assert found.p == pytest.approx(1 / 1000)


def test_without_bias_the_interval_excludes_zero_and_the_permutation_p_does_not():
    """The reason why a null is reported beside the interval."""
    rng = np.random.default_rng(11)
    excluded, small = 0, 0
    for _ in range(30):
        rate = rng.beta(2, 2, size=25)
        cells = {}
        for code in LANGUAGES:
            missed = rng.binomial(4, rate)
            cells[code] = [(4, 4, int(m), 0) for m in missed]
        counts = counts_of(cells)
        found = biases(
            counts,
            bootstrap_rates(counts, resamples=200, seed=1),
            permuted_rates(counts, permutations=199, seed=1),
        )["fnr"]
        excluded += found.low > 0
        small += found.p <= 0.05
    assert excluded == 30
    assert small <= 5  # P(more than 5 of 30 at level 0.05) is below 0.004


def test_contrasts_against_a_literal_computation():
    rng = np.random.default_rng(4)
    cells = {
        code: [(4, 4, int(m), 0) for m in rng.binomial(4, share, 20)]
        for code, share in zip(LANGUAGES, (0.2, 0.5, 0.25), strict=True)
    }
    counts = counts_of(cells)
    draws = bootstrap_rates(counts, resamples=400, seed=9)
    found = {(c.language, c.other): c for c in contrasts(counts, draws, "fnr")}
    assert list(found) == [("en", "ja"), ("en", "zh"), ("ja", "zh")]
    rates = rates_of(counts.totals)["fnr"]
    pairs = [(0, 1), (0, 2), (1, 2)]
    error = [np.std([d[a] - d[b] for d in draws["fnr"]], ddof=1) for a, b in pairs]
    largest = [
        max(abs(d[a] - d[b] - (rates[a] - rates[b])) / e for (a, b), e in zip(pairs, error, strict=True))
        for d in draws["fnr"]
    ]
    critical = np.quantile(largest, 0.95)
    for (a, b), e in zip(pairs, error, strict=True):
        contrast = found[LANGUAGES[a], LANGUAGES[b]]
        gap = rates[a] - rates[b]
        assert contrast.difference == pytest.approx(gap)
        assert (contrast.low, contrast.high) == pytest.approx((gap - critical * e, gap + critical * e))
        hits = sum(value >= abs(gap) / e for value in largest)
        assert contrast.p == pytest.approx((hits + 1) / 401)


def test_contrasts_do_not_call_two_problems_proof():
    counts = counts_of({"en": [(4, 4, 4, 0)] * 2, "ja": [(4, 4, 0, 0)] * 2})
    contrast = contrasts(counts, bootstrap_rates(counts, resamples=999, seed=1), "fnr")[0]
    assert contrast.difference == 1.0
    assert contrast.p == 0.5  # two problems of one sign: 2 / 2**2


@given(st.integers(0, 500), st.integers(1, 500))
def test_half_up_against_decimal(numerator, denominator):
    exact = (Decimal(numerator * 1000) / Decimal(denominator)).quantize(Decimal(1), ROUND_HALF_UP)
    # 60 digits decide all quotients of numbers this small except exact halves, which Decimal holds exactly.
    assert half_up(numerator, denominator) == float(exact / 1000)


def test_half_up_goes_up_and_knows_nothing_of_zero():
    assert half_up(1, 16) == 0.063  # 0.0625; round() gives 0.062
    assert half_up(0, 0) is None
    assert displayed_spread([0.5, None]) is None
    assert displayed_spread([0.345, 0.143, None, 0.111]) == 0.234
    assert displayed_difference(0.754, 0.478) == 0.276


@pytest.mark.parametrize(
    ("missed", "granted", "mode"),
    [(3, 1, "false_negative"), (1, 3, "false_positive"), (2, 2, "both"), (0, 0, "none")],
)
def test_dominant_mode(missed, granted, mode):
    assert dominant_mode(missed, granted) == mode
