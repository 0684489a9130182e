"""Resampling, multiplicity and paired tests against published numbers and literal definitions.

Numbers marked "paper 1" are from Mirzaei, "Sample More, Reflect Less"; "paper 2" and "paper 3" are the
studies of CoT-Pass@k and of verifier language bias, as tabulated in the project's reference files
(statistics.json, vectors.json).
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from reasonaudit.analysis.multiplicity import holm, holm_by_family
from reasonaudit.analysis.paired_tests import (
    mcnemar_exact,
    mcnemar_mid_p,
    paired_t_p,
    sign_test,
    sign_test_one_sided,
    wilcoxon_exact,
    wilson_interval,
)
from reasonaudit.analysis.resampling import (
    bootstrap_means,
    bootstrap_ratios,
    cluster_totals,
    percentile_interval,
    permutation_p,
    require_resamples,
    resampled_counts,
    resampled_sums,
    two_sided_p,
    variance,
)
from reasonaudit.errors import ConfigError


def printed(value: float, digits: int) -> float:
    """Half a unit of the last printed digit."""
    return 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1) / 2


# ------------------------------------------------------------------------------------------ paired tests


@pytest.mark.parametrize(
    ("b", "c", "p", "digits"),
    [  # statistics.json, mcnemar_exact_two_sided
        (9, 10, 1.0, 4),
        (62, 6, 8.18e-13, 3),
        (542, 3, 4.69e-157, 3),
        (92, 139, 0.0024, 2),
        (4, 7, 0.549, 3),
        (46, 5, 2.33e-09, 3),
        (459, 2, 3.58e-134, 3),
        (107, 250, 2.56e-14, 3),
        (43, 56, 0.228, 3),
        (70, 45, 0.0248, 3),
        (178, 37, 2.58e-23, 3),
        (169, 106, 0.000174, 3),
        # vectors.json, mcnemar_R1_by_benchmark
        (28, 7, 0.000508, 3),
        (46, 7, 4.0e-08, 2),
        (36, 7, 8.96e-06, 3),
        (24, 2, 1.05e-05, 3),
        (44, 14, 0.0001, 1),
        # vectors.json, paired_counts_150 (judge_only, count_only)
        (2, 14, 0.00418, 3),
        (2, 19, 0.000221, 3),
        (3, 11, 0.0574, 3),
        (1, 27, 2.16e-07, 3),
        (1, 4, 0.375, 3),
        (2, 4, 0.688, 3),
    ],
)
def test_mcnemar_published(b, c, p, digits):
    assert mcnemar_exact(b, c) == pytest.approx(p, rel=0, abs=printed(p, digits) * 1.0001)


def test_mcnemar_is_the_literal_binomial_sum():
    for n in range(1, 12):
        for b in range(n + 1):
            tail = sum(math.comb(n, i) for i in range(min(b, n - b) + 1)) / 2**n
            point = math.comb(n, b) / 2**n
            assert mcnemar_exact(b, n - b) == pytest.approx(min(1, 2 * tail), rel=1e-12)
            assert mcnemar_mid_p(b, n - b) == pytest.approx(min(1, 2 * tail - point), rel=1e-12)


def test_mcnemar_equal_counts_are_one_not_more():
    assert mcnemar_exact(4, 4) == 1.0  # doubling the tail gives 1.27
    assert mcnemar_mid_p(4, 4) == pytest.approx(1.0)
    assert mcnemar_exact(0, 0) == mcnemar_mid_p(0, 0) == 1.0
    with pytest.raises(ValueError, match="negative"):
        mcnemar_exact(-1, 3)


@pytest.mark.parametrize(
    ("fewer", "more", "p", "digits"),
    [  # statistics.json and vectors.json: sign tests of papers 1 and 3
        (3, 24, 4.9e-05, 2),
        (6, 14, 0.12, 2),
        (6, 14, 0.115, 3),
        (6, 12, 0.238, 3),
        (0, 18, 7.63e-06, 3),
        (0, 16, 3.05e-05, 3),
    ],
)
def test_sign_test_published(fewer, more, p, digits):
    assert sign_test(fewer, more) == pytest.approx(p, rel=0, abs=printed(p, digits) * 1.0001)


def test_sign_test_published_bounds():
    assert sign_test(3, 71) < 1e-12
    assert sign_test(14, 123) < 1e-20
    assert sign_test(6, 30) < 0.001
    assert sign_test_one_sided(6, 6) == 1 / 64  # "0.0156"


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [(375, 404, 0.899, 0.950), (1, 1, 0.207, 1.0)],  # vectors.json, wilson
)
def test_wilson_published(k, n, low, high):
    assert wilson_interval(k, n) == pytest.approx((low, high), abs=0.0005)


def test_wilson_edges():
    low, high = wilson_interval(0, 20)
    assert low == 0.0
    assert 0.1 < high < 0.2  # a constant sample still has a width, unlike its bootstrap
    assert all(math.isnan(limit) for limit in wilson_interval(0, 0))


@pytest.mark.parametrize(
    ("d", "p"),
    [  # vectors.json, wilcoxon_exact
        ([5.1, -10, -0.2, 20.5, 0.3, 0.9, -4.3, -1, 7.7, 3.5], 0.492),
        ([5.5, 1.3, 16.3, 17.1, -0.1, 0.8, 0.5, 0.5, 13.4, 4.3], 0.004),
        ([-27.6, -29.4, -30, -44.1, -0.9, -0.3, -3.3, -5.9, -6.2, -5.6], 0.002),
    ],
)
def test_wilcoxon_published(d, p):
    assert wilcoxon_exact(d) == pytest.approx(p, abs=0.0005)


def test_paired_t_is_scipys_and_refuses_certainty():
    d = [0.5, -1, 0, 0.25, 1, 0]
    assert paired_t_p(d) == stats.ttest_rel(d, [0] * 6).pvalue
    assert paired_t_p([0.0] * 5) == 1.0
    assert math.isnan(paired_t_p([-1.0] * 5))
    assert math.isnan(paired_t_p([1.0]))


# ----------------------------------------------------------------------------------------- multiplicity


def test_holm_published():
    # vectors.json, holm_raw_to_adjusted: paper 1's table for 1.5B on GSM8K
    raw = [0.005143, 0.016167, 0.022, 0.11025, 0.13, 0.4345, 0.989]
    adjusted = [0.036, 0.097, 0.110, 0.441, 0.441, 0.869, 0.989]
    assert holm(raw) == pytest.approx(adjusted, abs=0.0005)
    assert holm(raw[::-1]) == pytest.approx(adjusted[::-1], abs=0.0005)


def test_holm_leaves_missing_tests_out():
    assert holm([0.01, None, 0.04]) == [pytest.approx(0.02), None, pytest.approx(0.04)]
    assert holm([0.01, float("nan"), 0.04])[1] is None
    assert holm([]) == []
    assert holm([None, None]) == [None, None]
    assert holm([1e-5] * 3) == pytest.approx([3e-5] * 3)
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_holm_is_statsmodels():
    rng = np.random.default_rng(0)
    for size in (1, 2, 7, 36):
        p = np.round(rng.random(size) ** 3, 2)  # with ties
        assert holm(p) == pytest.approx(multipletests(p, method="holm")[1], rel=1e-12, abs=0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_keeps_the_order_and_rejects_step_by_step(p):
    adjusted = holm(p)
    order = sorted(range(len(p)), key=lambda i: p[i])
    assert all(adjusted[i] <= adjusted[j] for i, j in itertools.pairwise(order))
    alpha, rejected = 0.05, 0
    for rank, i in enumerate(order):  # Holm's procedure in words: stop at the first that is not rejected
        if p[i] * (len(p) - rank) > alpha:
            break
        rejected += 1
    assert sum(value <= alpha for value in adjusted) == rejected


def test_holm_by_family_is_separate():
    assert holm_by_family([0.01, 0.01, 0.04, 0.04], ["a", "b", "a", "b"]) == pytest.approx(
        [0.02, 0.02, 0.04, 0.04]
    )


# ------------------------------------------------------------------------------------------- resampling


@pytest.mark.parametrize(
    ("minus", "plus", "diff", "low", "high"),
    [  # vectors.json, bootstrap_from_counts_720 (paper 2), percentage points
        (62, 6, -7.8, -10.0, -5.7),
        (542, 3, -74.9, -78.1, -71.7),
        (92, 139, 6.5, 2.5, 10.7),
        (107, 250, 19.9, 14.9, 24.7),
        (178, 37, -19.6, -23.3, -15.8),
        (169, 106, -8.8, -13.2, -4.3),
    ],
)
def test_bootstrap_published_counts(minus, plus, diff, low, high):
    values = np.r_[-np.ones(minus), np.ones(plus), np.zeros(720 - minus - plus)]
    (estimate,) = bootstrap_means(values, resamples=10_000, seed=1)
    assert 100 * estimate.value == pytest.approx(diff, abs=0.051)
    # A limit moves by 1/720 = 0.14 points at a time, and its Monte Carlo error is one such step.
    assert 100 * estimate.low == pytest.approx(low, abs=0.05 + 100 / 720 + 0.05)
    assert 100 * estimate.high == pytest.approx(high, abs=0.05 + 100 / 720 + 0.05)


@pytest.mark.parametrize(
    ("judge_only", "count_only", "low", "high", "p"),
    [  # vectors.json, paired_counts_150 (paper 1)
        (2, 14, -13.3, -3.3, 0.001),
        (2, 19, -17.3, -6.0, 0.0),
        (3, 11, -10.7, -0.7, 0.038),
        (1, 27, -24.0, -11.3, 0.0),
        (1, 4, -5.3, 0.7, 0.241),
        (2, 4, -4.7, 2.0, 0.538),
    ],
)
def test_bootstrap_published_pick_against_count(judge_only, count_only, low, high, p):
    values = np.r_[np.ones(judge_only), -np.ones(count_only), np.zeros(150 - judge_only - count_only)]
    (estimate,) = bootstrap_means(values, resamples=10_000, seed=1)
    step = 100 / 150
    assert 100 * estimate.low == pytest.approx(low, abs=0.05 + step)
    assert 100 * estimate.high == pytest.approx(high, abs=0.05 + step)
    # Monte Carlo error of a p from 10,000 resamples: 4 standard deviations on either side.
    assert estimate.p == pytest.approx(p, abs=0.0015 + 4 * 2 * math.sqrt(max(p, 1e-4) / 2 / 10_000))


def test_bootstrap_stratified_published():
    # vectors.json, gap_bootstrap_stratified (paper 2): 19 of 122 questions, resampled within benchmarks
    zeros = [(4, 30), (2, 30), (2, 30), (11, 32)]
    values = np.concatenate([np.r_[np.ones(k), np.zeros(n - k)] for k, n in zeros])
    strata = np.repeat([0, 1, 2, 3], [n for _, n in zeros])
    (estimate,) = bootstrap_means(values, resamples=10_000, seed=1, strata=strata)
    assert 100 * estimate.value == pytest.approx(15.6, abs=0.05)
    step = 100 / 122
    assert 100 * estimate.low == pytest.approx(9.8, abs=0.05 + step)
    assert 100 * estimate.high == pytest.approx(22.1, abs=0.05 + step)


def test_counts_are_resamples_of_the_units():
    counts = np.concatenate(list(resampled_counts(7, resamples=4000, seed=3)))
    assert counts.shape == (4000, 7)
    assert (counts.sum(axis=1) == 7).all()
    assert (counts == np.round(counts)).all()
    # Multinomial moments: mean 1, variance 1 - 1/7.
    assert counts.mean(axis=0) == pytest.approx(1, abs=4 * math.sqrt(6 / 7 / 4000))
    assert counts.var() == pytest.approx(6 / 7, abs=0.05)


@pytest.mark.parametrize("strata", [None, np.array([0, 0, 1, 1, 1])])
def test_counts_do_not_depend_on_the_chunk(strata, monkeypatch):
    whole = np.concatenate(list(resampled_counts(5, resamples=97, seed=11, strata=strata)))
    monkeypatch.setattr("reasonaudit.analysis.resampling._CELLS_PER_CHUNK", 35)
    parts = list(resampled_counts(5, resamples=97, seed=11, strata=strata))
    assert len(parts) == 14
    assert (np.concatenate(parts) == whole).all()


def test_strata_keep_their_sizes():
    strata = np.array(["b", "a", "b", "a", "a"])
    counts = np.concatenate(list(resampled_counts(5, resamples=50, seed=1, strata=strata)))
    assert (counts[:, strata == "a"].sum(axis=1) == 3).all()
    assert (counts[:, strata == "b"].sum(axis=1) == 2).all()


def test_resampled_sums_are_the_sums_of_the_drawn_rows():
    totals = np.arange(12.0).reshape(4, 3)
    counts = np.concatenate(list(resampled_counts(4, resamples=20, seed=5)))
    by_hand = [[sum(counts[r, i] * totals[i, j] for i in range(4)) for j in range(3)] for r in range(20)]
    assert resampled_sums(totals, resamples=20, seed=5) == pytest.approx(np.array(by_hand))


@pytest.mark.parametrize("scale", [1.0, 3e-7, 5e8])
def test_resampled_sums_are_rounded_once(scale):
    """The correctly rounded sum of the drawn rows: no trace of the order in which a processor adds."""
    totals = np.random.default_rng(0).random((150, 3)) * scale
    counts = np.concatenate(list(resampled_counts(150, resamples=40, seed=5)))
    sums = resampled_sums(totals, resamples=40, seed=5)
    for r, j in itertools.product(range(40), range(3)):
        drawn = np.repeat(totals[:, j], counts[r].astype(int))
        assert sums[r, j] == math.fsum(drawn)


def test_resampled_sums_of_very_unequal_and_of_zero_rows():
    totals = np.array([[1e12, 0.0], [1e-9, 0.0], [-3.5, 0.0]])
    counts = np.concatenate(list(resampled_counts(3, resamples=30, seed=1)))
    sums = resampled_sums(totals, resamples=30, seed=1)
    assert sums[:, 0] == pytest.approx(counts @ totals[:, 0], rel=1e-15)
    assert (sums[:, 1] == 0).all()


def test_bootstrap_matches_scipy():
    data = np.random.default_rng(0).normal(0.1, 1, 60)
    (ours,) = bootstrap_means(data, resamples=20_000, seed=2)
    theirs = stats.bootstrap((data,), np.mean, n_resamples=20_000, method="percentile", rng=2)
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.015)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.015)
    assert ours.standard_error == pytest.approx(theirs.standard_error, rel=0.03)


def test_p_is_the_protocols_formula():
    draws = np.array([-1.0, 0.0, 0.5, 2.0, 3.0])
    assert two_sided_p(draws[:, None]) == pytest.approx([min(1, 2 * min(1 + 2, 1 + 4) / 6)])
    assert two_sided_p(np.full((9, 1), 0.3)) == pytest.approx([2 / 10])  # never zero
    assert two_sided_p(np.zeros((9, 1))) == pytest.approx([1.0])


def test_p_takes_rounding_noise_for_a_tie():
    assert two_sided_p(np.array([[1e-17], [-1e-17], [1e-17]])) == pytest.approx([1.0])
    assert two_sided_p(np.array([[1e-9], [1e-9], [1e-9]])) == pytest.approx([0.5])


def test_constant_data_have_limits_not_nan():
    (estimate,) = bootstrap_means(np.zeros(20), resamples=1000, seed=1)
    assert (estimate.low, estimate.high, estimate.p, estimate.standard_error) == (0, 0, 1, 0)
    assert variance([60.0076] * 10) == 0.0  # mean of squares minus squared mean is -1.4e-12
    assert variance([1.0, 2.0, 4.0]) == pytest.approx(7 / 3)
    assert math.isnan(variance([1.0]))


def test_no_questions_is_undefined():
    (estimate,) = bootstrap_means(np.zeros((0, 1)), resamples=10, seed=1)
    assert math.isnan(estimate.value)
    assert math.isnan(estimate.p)


def test_clusters_move_together():
    labels, totals = cluster_totals(np.array([1.0, 2, 3, 4]), np.array(["b", "a", "b", "a"]))
    assert labels.tolist() == ["a", "b"]
    assert totals.tolist() == [[6], [4]]
    # Two clusters of opposite, constant outcome: a cluster bootstrap can only give 0, 1/2 or 1.
    values = np.r_[np.ones(50), np.zeros(50)]
    _, draws = bootstrap_ratios(values, np.ones(100), np.repeat(["x", "y"], 50), resamples=200, seed=1)
    assert sorted(set(draws[:, 0])) == [0.0, 0.5, 1.0]


def test_ratio_draws_are_joint_and_skip_empty_denominators():
    numerators = np.array([[1, 1], [0, 0], [1, 0]])
    denominators = np.array([[1, 1], [1, 1], [1, 0]])
    (first, second), draws = bootstrap_ratios(
        numerators, denominators, np.array([0, 1, 2]), resamples=400, seed=4
    )
    assert first.value == pytest.approx(2 / 3)
    assert second.value == 0.5
    undefined = np.isnan(draws[:, 1])
    assert undefined.mean() == pytest.approx(1 / 27, abs=4 * math.sqrt(1 / 27 / 400))
    assert not math.isnan(second.low)
    # Joint: where record 2 was not drawn, both columns are the same rate.
    counts = np.concatenate(list(resampled_counts(3, resamples=400, seed=4)))
    same = counts[:, 2] == 0
    assert (draws[same, 0] == draws[same, 1]).all()


def test_interval_of_undefined_draws():
    low, high = percentile_interval(np.full((5, 2), np.nan))
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_too_few_resamples_are_refused():
    require_resamples(10_000, tests=36)
    require_resamples(1000, tests=5)
    with pytest.raises(ConfigError, match="1000 resamples cannot carry 7 tests") as error:
        require_resamples(1000, tests=7)
    assert "1400" in error.value.hint


def test_sampled_permutation_is_never_zero():
    assert permutation_p(0, 999) == 0.001
