"""The bootstrap over questions, shared by all three studies.

Everything this project reports is a function of sums over questions (or over clusters of them), so one
primitive serves all: ``resampled_sums`` gives the column sums of a table in every resample. Means,
differences, ratios and re-matched comparisons are then plain array arithmetic on these sums, and
statistics taken from the same call share their resamples (a joint bootstrap).

Percentile intervals and the two-sided p follow Efron, "Bootstrap methods: another look at the jackknife",
and Davison and Hinkley, "Bootstrap methods and their application" (the +1 in numerator and denominator).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reasonaudit.errors import ConfigError

# A resampled difference this small is a tie broken by rounding, so it counts on both sides of zero.
ZERO = 1e-12
_CELLS_PER_CHUNK = 1 << 18


@dataclass(frozen=True)
class Estimate:
    """One number with its uncertainty. NaN where a part is undefined (no questions).

    Attributes:
        value: the statistic on the data.
        low, high: percentile interval.
        p: two-sided p against zero.
        standard_error: standard deviation over the resamples.
    """

    value: float
    low: float
    high: float
    p: float
    standard_error: float


def generator(seed: int) -> np.random.Generator:
    """The project's random generator: PCG64, the same stream on every machine."""
    return np.random.Generator(np.random.PCG64(seed))


def resampled_counts(
    units: int, *, resamples: int, seed: int, strata: np.ndarray | None = None
) -> Iterator[np.ndarray]:
    """How often each unit occurs in each resample, in chunks of bounded memory.

    Args:
        units: number of questions (or clusters).
        strata: label of each unit; every stratum is resampled within itself and keeps its size.

    Yields:
        Arrays (at most a chunk of resamples, units) of counts; each row sums to ``units``. The numbers do
        not depend on the chunk size.
    """
    rng = generator(seed)
    chunk = max(1, _CELLS_PER_CHUNK // max(units, 1))
    members = _members(units, strata)
    for start in range(0, resamples, chunk):
        rows = min(chunk, resamples - start)
        counts = np.zeros((rows, units))
        if len(members) == 1:
            drawn = [(members[0], rng.integers(0, units, size=(rows, units)))] if units else []
        else:
            drawn = _draw_by_stratum(rng, members, rows)
        for columns, picks in drawn:
            counts[:, columns] = _tally(picks, len(columns))
        yield counts


def resampled_sums(
    totals: np.ndarray, *, resamples: int, seed: int, strata: np.ndarray | None = None
) -> np.ndarray:
    """Column sums of ``totals`` in every resample of its rows.

    Args:
        totals: (units, columns); one row a question, or the sums over one cluster of records.
        strata: see ``resampled_counts``.

    Returns:
        Array (resamples, columns).
    """
    totals = np.asarray(totals, dtype=float)
    if totals.ndim == 1:
        totals = totals[:, None]
    high, low, unit = _whole_parts(totals)
    sums = np.empty((resamples, totals.shape[1]))
    row = 0
    for counts in resampled_counts(len(totals), resamples=resamples, seed=seed, strata=strata):
        sums[row : row + len(counts)] = (counts @ high + counts @ low) * unit
        row += len(counts)
    return sums


def cluster_totals(values: np.ndarray, clusters: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of the rows of ``values`` within each cluster, clusters in sorted order.

    Args:
        values: (records, columns).
        clusters: (records,) label of each record's cluster, such as the problem's id.

    Returns:
        (labels, totals): the sorted labels and the array (clusters, columns).
    """
    values = np.asarray(values, dtype=float)
    if values.ndim == 1:
        values = values[:, None]
    labels, place = np.unique(np.asarray(clusters), return_inverse=True)
    totals = np.zeros((len(labels), values.shape[1]))
    np.add.at(totals, place, values)
    return labels, totals


def percentile_interval(draws: np.ndarray, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper percentile over axis 0, undefined draws (NaN) left out; NaN if none is defined."""
    tail = (1 - confidence) / 2
    draws = np.asarray(draws, dtype=float)
    defined = ~np.isnan(draws)
    if defined.all() and len(draws):
        low, high = np.quantile(draws, [tail, 1 - tail], axis=0)
        return low, high
    flat = draws.reshape(len(draws), -1)
    limits = np.full((2, flat.shape[1]), np.nan)
    for column in range(flat.shape[1]):
        kept = flat[~np.isnan(flat[:, column]), column]
        if len(kept):
            limits[:, column] = np.quantile(kept, [tail, 1 - tail])
    return limits[0].reshape(draws.shape[1:]), limits[1].reshape(draws.shape[1:])


def two_sided_p(draws: np.ndarray) -> np.ndarray:
    """min(1, 2 min(1 + #{d* <= 0}, 1 + #{d* >= 0}) / (B + 1)) over axis 0; never zero.

    Undefined draws (NaN) count for neither side and are left out of B. NaN if no draw is defined.
    """
    draws = np.asarray(draws, dtype=float)
    below = (draws <= ZERO).sum(axis=0)
    above = (draws >= -ZERO).sum(axis=0)
    defined = (~np.isnan(draws)).sum(axis=0)
    p = np.minimum(1.0, 2 * np.minimum(1 + below, 1 + above) / (defined + 1))
    return np.where(defined == 0, np.nan, p)


def permutation_p(hits: int, permutations: int) -> float:
    """(hits + 1) / (permutations + 1): a sampled permutation test can never say zero."""
    return (hits + 1) / (permutations + 1)


def summarise(values: np.ndarray, draws: np.ndarray, confidence: float = 0.95) -> list[Estimate]:
    """Estimates from the statistics on the data (columns,) and their resamples (resamples, columns)."""
    low, high = percentile_interval(draws, confidence)
    p = two_sided_p(draws)
    defined = ~np.isnan(draws)
    error = [
        float(np.sqrt(variance(draws[defined[:, i], i]))) if defined[:, i].any() else float("nan")
        for i in range(draws.shape[1])
    ]
    return [
        Estimate(float(v), float(lo), float(hi), float(q), e)
        for v, lo, hi, q, e in zip(values, low, high, p, error, strict=True)
    ]


def bootstrap_means(
    values: np.ndarray,
    *,
    resamples: int,
    seed: int,
    confidence: float = 0.95,
    strata: np.ndarray | None = None,
) -> list[Estimate]:
    """Mean of every column of ``values`` (questions, columns), by a joint bootstrap over its rows."""
    values = np.asarray(values, dtype=float)
    if values.ndim == 1:
        values = values[:, None]
    if not len(values):
        return [Estimate(*[float("nan")] * 5) for _ in range(values.shape[1])]
    draws = resampled_sums(values, resamples=resamples, seed=seed, strata=strata) / len(values)
    return summarise(values.mean(axis=0), draws, confidence)


def bootstrap_ratios(
    numerators: np.ndarray,
    denominators: np.ndarray,
    clusters: np.ndarray,
    *,
    resamples: int,
    seed: int,
    confidence: float = 0.95,
    strata: np.ndarray | None = None,
) -> tuple[list[Estimate], np.ndarray]:
    """Rates (sum of numerators over sum of denominators) by a joint bootstrap over clusters.

    Args:
        numerators, denominators: (records, columns); 0/1 for rates, a zero pair for "does not count here".
        clusters: (records,) label, such as the problem's id: all records of a problem move together.
        strata: label of each *cluster*, in sorted order of the clusters' labels.

    Returns:
        The estimates, one a column, and the draws (resamples, columns) for differences between columns.
        A resample whose denominator is zero is undefined (NaN) and left out.
    """
    numerators, denominators = (np.asarray(a, dtype=float) for a in (numerators, denominators))
    if numerators.ndim == 1:
        numerators, denominators = numerators[:, None], denominators[:, None]
    columns = numerators.shape[1]
    _, totals = cluster_totals(np.hstack([numerators, denominators]), clusters)
    sums = resampled_sums(totals, resamples=resamples, seed=seed, strata=strata)
    draws = divide(sums[:, :columns], sums[:, columns:])
    values = divide(numerators.sum(axis=0), denominators.sum(axis=0))
    return summarise(values, draws, confidence), draws


def divide(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Elementwise quotient, NaN where the denominator is zero."""
    numerator, denominator = np.broadcast_arrays(np.asarray(numerator, float), np.asarray(denominator, float))
    quotient = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient


def variance(data: np.ndarray, ddof: int = 1) -> float:
    """Two-pass variance about the first value, so constant data give exactly zero; NaN if too few."""
    data = np.asarray(data, dtype=float)
    if len(data) <= ddof:
        return float("nan")
    return float(np.var(data - data[0], ddof=ddof))


def require_resamples(resamples: int, *, tests: int, alpha: float = 0.05) -> None:
    """Refuse too few resamples: the smallest p must stay well below alpha / tests.

    Raises:
        ConfigError: fewer than 10 x tests / alpha resamples.
    """
    # The subtraction keeps 10 * 5 / 0.05 from asking for 1001 through rounding.
    needed = int(np.ceil(10 * tests / alpha - 1e-9))
    if resamples < needed:
        raise ConfigError(
            f"{resamples} resamples cannot carry {tests} tests at level {alpha:g}",
            where="statistics.resamples",
            hint=f"at least 10 x tests / level = {needed}",
        )


def _members(units: int, strata: np.ndarray | None) -> list[np.ndarray]:
    if strata is None:
        return [np.arange(units)]
    strata = np.asarray(strata)
    if len(strata) != units:
        raise ValueError(f"{len(strata)} strata labels for {units} units")
    return [np.flatnonzero(strata == label) for label in np.unique(strata)]


def _draw_by_stratum(rng: np.random.Generator, members: list[np.ndarray], rows: int):
    # Resample by resample, so that the stream does not depend on the chunk size.
    picks = [np.empty((rows, len(m)), dtype=np.int64) for m in members]
    for row in range(rows):
        for place, columns in enumerate(members):
            picks[place][row] = rng.integers(0, len(columns), size=len(columns))
    return list(zip(members, picks, strict=True))


def _whole_parts(totals: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """``totals`` as (high + low) * unit, with whole numbers whose resampled sums are exact.

    A matrix product adds in an order that depends on the processor and the number of threads, and so do its
    last bits. Whole numbers below 2**53 add up exactly in any order: each part has few enough bits for that,
    and the units are powers of two, so one rounding remains, the same everywhere. Nothing is lost but what
    lies 53 bits or more below the largest number of a column.
    """
    bits = 52 - max(len(totals), 1).bit_length()
    largest = np.abs(totals).max(axis=0, initial=0)
    exponent = 2 * bits - np.frexp(largest)[1]
    whole = np.rint(np.ldexp(totals, exponent))  # magnitudes up to 2**(2 bits)
    high = np.ldexp(np.floor(np.ldexp(whole, -bits)), bits)
    return high, whole - high, np.ldexp(1.0, -exponent)


def _tally(picks: np.ndarray, units: int) -> np.ndarray:
    """Counts of 0 .. units - 1 in every row."""
    rows = len(picks)
    flat = picks + (np.arange(rows) * units)[:, None]
    return np.bincount(flat.ravel(), minlength=rows * units).reshape(rows, units)
