"""Tests for paired outcomes, and the interval of a single rate.

Exact tests are doubled smaller tails cut at 1. References: McNemar, "Note on the sampling error of the
difference between correlated proportions"; Wilson, "Probable inference, the law of succession, and
statistical inference".
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from reasonaudit.analysis.resampling import variance


def mcnemar_exact(b: int, c: int) -> float:
    """Two-sided exact McNemar p from the two discordant counts; 1 if there are none."""
    _refuse_negative(b, c)
    if b + c == 0:
        return 1.0
    return float(min(1.0, 2 * stats.binom.cdf(min(b, c), b + c, 0.5)))


def mcnemar_mid_p(b: int, c: int) -> float:
    """Two-sided mid-p McNemar: half the probability of the observed counts (Lancaster's mid-p)."""
    _refuse_negative(b, c)
    if b + c == 0:
        return 1.0
    few, n = min(b, c), b + c
    return float(min(1.0, 2 * stats.binom.cdf(few, n, 0.5) - stats.binom.pmf(few, n, 0.5)))


def sign_test(fewer: int, more: int) -> float:
    """Two-sided exact sign test from the counts of the two signs (zeros left out by the caller)."""
    return mcnemar_exact(fewer, more)


def sign_test_one_sided(successes: int, of: int) -> float:
    """P(X >= successes) for X binomial(of, 1/2)."""
    _refuse_negative(successes, of - successes)
    return float(stats.binom.sf(successes - 1, of, 0.5))


def wilson_interval(successes: int, of: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson score interval of a rate; (NaN, NaN) of nothing."""
    if of == 0:
        return math.nan, math.nan
    interval = stats.binomtest(int(successes), int(of)).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)


def paired_t_p(differences: Sequence[float]) -> float:
    """Two-sided p of the t test that the mean difference is zero.

    All differences zero: 1. Fewer than two, or all equal to one other value: NaN, since the test needs a
    variance and a zero variance would claim certainty.
    """
    differences = np.asarray(differences, dtype=float)
    if len(differences) < 2:
        return math.nan
    if variance(differences) == 0:
        return 1.0 if differences[0] == 0 else math.nan
    return float(stats.ttest_1samp(differences, 0.0).pvalue)


def wilcoxon_exact(differences: Sequence[float]) -> float:
    """Two-sided exact Wilcoxon signed-rank p; NaN without a non-zero difference."""
    differences = np.asarray(differences, dtype=float)
    if not np.any(differences != 0):
        return math.nan
    return float(stats.wilcoxon(differences, method="exact").pvalue)


def _refuse_negative(*counts: int) -> None:
    if min(counts) < 0:
        raise ValueError(f"counts are never negative: {counts}")
