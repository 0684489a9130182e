"""Verifier language bias: how far the rates of a verifier differ between languages.

VLB(m) is the largest minus the smallest value of a rate m over the languages. Three views of it:

- a percentile interval from a bootstrap over problems that moves all languages together;
- since a maximum minus a minimum is never negative, that interval is no test of "no bias": the mean and p
  of VLB under permuted language labels say what chance alone gives;
- contrasts of all pairs with simultaneous intervals and p by the maximum statistic (Hothorn, Bretz and
  Westfall, "Simultaneous inference in general parametric models"), which say which languages differ.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from reasonaudit.analysis.resampling import (
    divide,
    generator,
    percentile_interval,
    permutation_p,
    resampled_sums,
)
from reasonaudit.analysis.verdict_counts import CORRECT, FALSE_NEGATIVE, FALSE_POSITIVE, Counts, N

RATES = ("trusted_accuracy", "fnr", "fpr", "err", "j", "pressure")
BIASES = ("trusted_accuracy", "fnr", "fpr", "err", "j")  # VLB of the pressure is that of err
MANY_DROPPED = 0.01
_TIE = 1e-12  # differences of equal quotients
_CELLS_PER_CHUNK = 1 << 21


@dataclass(frozen=True)
class Bias:
    """VLB of one rate over the languages in which the rate is defined; NaN if these are fewer than two."""

    value: float
    low: float
    high: float
    dropped: int  # resamples in which the rate was undefined in one of these languages
    null_mean: float
    p: float
    permutations: int  # with a defined value
    highest: str | None  # None among equals
    lowest: str | None


@dataclass(frozen=True)
class Contrast:
    """Rate of one language minus that of another, with a simultaneous interval."""

    language: str
    other: str
    difference: float
    standard_error: float
    low: float
    high: float
    p: float
    dropped: int


def rates_of(sums: np.ndarray) -> dict[str, np.ndarray]:
    """All rates from counts (..., 4) as arrays (...); NaN where nothing defines a rate.

    fnr = P(v = 0 | r = 1), fpr = P(v = 1 | r = 0), err = P(v != r), j = 1 - fnr - fpr, pressure = -err,
    where v is the verifier's reward and r the trusted one.
    """
    n, correct = sums[..., N], sums[..., CORRECT]
    missed, granted = sums[..., FALSE_NEGATIVE], sums[..., FALSE_POSITIVE]
    fnr, fpr, err = divide(missed, correct), divide(granted, n - correct), divide(missed + granted, n)
    return {
        "trusted_accuracy": divide(correct, n),
        "fnr": fnr,
        "fpr": fpr,
        "err": err,
        "j": 1 - fnr - fpr,
        "pressure": -err,
    }


def dominant_mode(false_negatives: int, false_positives: int) -> str:
    """Which error has the larger joint mass: ``false_negative``, ``false_positive``, ``both`` or ``none``."""
    if false_negatives == false_positives:
        return "both" if false_negatives else "none"
    return "false_negative" if false_negatives > false_positives else "false_positive"


def bootstrap_rates(counts: Counts, *, resamples: int, seed: int) -> dict[str, np.ndarray]:
    """Rates in every resample of the problems, as arrays (resamples, languages); one draw for all rates."""
    problems, languages = counts.present.shape
    sums = resampled_sums(
        counts.cells.reshape(problems, languages * 4), resamples=resamples, seed=seed, strata=counts.strata
    )
    return rates_of(sums.reshape(resamples, languages, 4))


def spread(values: np.ndarray) -> np.ndarray:
    """Largest minus smallest over the last axis; NaN if one is NaN."""
    return values.max(axis=-1) - values.min(axis=-1)


def permuted_rates(counts: Counts, *, permutations: int, seed: int) -> dict[str, np.ndarray] | None:
    """Rates after the language labels were permuted within every problem, as (permutations, languages).

    A problem's samples in one language stay together, so only the labels are assumed exchangeable, not the
    samples. None if no problem is shared by two languages: then there is nothing to permute.
    """
    problems, languages = counts.present.shape
    if not (counts.present.sum(axis=1) > 1).any():
        return None
    rng = generator(seed)
    # The i-th language that has the problem receives the i-th cell of a random order of such cells;
    # languages without the problem receive the empty cells, which sort last.
    has = counts.present
    rank = np.where(has, has.cumsum(axis=1) - 1, has.sum(axis=1, keepdims=True) + (~has).cumsum(axis=1) - 1)
    sums = np.empty((permutations, languages, 4))
    chunk = max(1, _CELLS_PER_CHUNK // (problems * languages * 4))
    for start in range(0, permutations, chunk):
        size = min(chunk, permutations - start)
        keys = np.where(has, rng.random((size, problems, languages)), 2.0)
        order = np.argsort(keys, axis=2, kind="stable")
        source = np.take_along_axis(order, np.broadcast_to(rank, order.shape), axis=2)
        moved = counts.cells[np.arange(problems)[None, :, None], source]
        sums[start : start + size] = moved.sum(axis=1)
    return rates_of(sums)


def biases(
    counts: Counts,
    draws: dict[str, np.ndarray],
    permuted: dict[str, np.ndarray] | None,
    confidence: float = 0.95,
) -> dict[str, Bias]:
    """VLB of every rate from the counts, their bootstrap draws and their permutations."""
    observed = rates_of(counts.totals)
    return {
        rate: _bias(
            observed[rate], draws[rate], None if permuted is None else permuted[rate], counts, confidence
        )
        for rate in BIASES
    }


def _bias(observed, draws, permuted, counts: Counts, confidence: float) -> Bias:
    used = np.flatnonzero(~np.isnan(observed))
    nan = float("nan")
    if len(used) < 2:
        return Bias(nan, nan, nan, 0, nan, nan, 0, None, None)
    value = float(spread(observed[used]))
    resampled = spread(draws[:, used])
    low, high = percentile_interval(resampled, confidence)
    null_mean, p, defined = nan, nan, 0
    if permuted is not None:
        null = spread(permuted[:, used])
        null = null[~np.isnan(null)]
        defined = len(null)
        if defined:
            null_mean = float(null.mean())
            p = permutation_p(int((null >= value - _TIE).sum()), defined)
    return Bias(
        value,
        float(low),
        float(high),
        int(np.isnan(resampled).sum()),
        null_mean,
        p,
        defined,
        counts.languages[used[np.argmax(observed[used])]] if value else None,
        counts.languages[used[np.argmin(observed[used])]] if value else None,
    )


def contrasts(
    counts: Counts, draws: dict[str, np.ndarray], rate: str, confidence: float = 0.95
) -> list[Contrast]:
    """All pairs of languages with a defined rate, tested together.

    Every difference is divided by its bootstrap standard error; the distribution of the largest absolute
    centred quotient over the pairs gives one critical value and the p of every pair. A p below
    2 / 2**problems, which not even a sign test over the problems could give, is raised to it.
    """
    observed = rates_of(counts.totals)[rate]
    used = np.flatnonzero(~np.isnan(observed))
    pairs = list(combinations(used, 2))
    if not pairs:
        return []
    kept = draws[rate][:, used]
    whole = ~np.isnan(kept).any(axis=1)
    dropped = int((~whole).sum())
    resampled = draws[rate][whole]
    left, right = np.array(pairs).T
    difference = observed[left] - observed[right]
    centred = resampled[:, left] - resampled[:, right] - difference
    error = centred.std(axis=0, ddof=1) if len(centred) > 1 else np.full(len(pairs), np.nan)
    varies = error > _TIE
    largest = np.zeros(len(centred))
    if varies.any():
        largest = np.abs(centred[:, varies] / error[varies]).max(axis=1)
    critical = float(np.quantile(largest, confidence)) if len(largest) else float("nan")
    floor = 2.0 ** (1 - len(counts.problems))
    found = []
    for place, (a, b) in enumerate(pairs):
        gap, se = float(difference[place]), float(error[place])
        if abs(gap) <= _TIE and not varies[place]:
            p = 1.0
        elif not varies[place]:
            p = max(permutation_p(0, len(largest)), floor)
        else:
            hits = int((largest >= abs(gap) / se - _TIE).sum())
            p = max(permutation_p(hits, len(largest)), min(1.0, floor))
        found.append(
            Contrast(
                counts.languages[a],
                counts.languages[b],
                gap,
                se,
                gap - critical * se,
                gap + critical * se,
                min(1.0, p),
                dropped,
            )
        )
    return found
