"""Where on the sampling baseline a method's cost lies.

The mean cost of N chains is N times the mean chain, so a cost c belongs to the fractional N* = c / c_1. With
N1 <= N* < N1 + 1 = N2 the rival is the mixture that runs N1 chains with probability 1 - w and N2 with
probability w = N* - N1: it can be run by chance, has exactly the method's mean cost, and so is fair.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

BELOW_ONE = "below_one"  # cheaper than one chain: compared with one chain
ABOVE_POOL = "above_pool"  # dearer than the whole pool: not compared, never extrapolated
NO_COST = "no_cost"  # token counts unknown or zero: not compared
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Match:
    """The rival of one method.

    Attributes:
        weights: (K,) probability of running N chains, index N - 1; None if there is no rival.
        matched_n: N*, 1 where the method is cheaper than one chain; NaN if there is no rival.
        flag: BELOW_ONE, ABOVE_POOL, NO_COST or None.
    """

    weights: np.ndarray | None
    matched_n: float
    flag: str | None


def match_cost(cost: float, chain: float, size: int, grid: Sequence[int] | None = None) -> Match:
    """Match a mean cost to a pool.

    Args:
        cost: mean cost of the method on a question.
        chain: mean cost of one chain.
        size: K, the number of chains in the pool.
        grid: values of N between which to interpolate (the published study used 1, 2, 3, 4, 6, 8, 12, 16);
            None takes every N.
    """
    if not (np.isfinite(cost) and np.isfinite(chain)) or chain <= 0:
        return Match(None, float("nan"), NO_COST)
    points = np.arange(1, size + 1) if grid is None else np.unique(np.asarray(grid, dtype=int))
    wanted = cost / chain
    if wanted > points[-1] + _ROUNDING:
        return Match(None, float("nan"), ABOVE_POOL)
    flag = BELOW_ONE if wanted < points[0] - _ROUNDING else None
    wanted = float(np.clip(wanted, points[0], points[-1]))
    upper = int(np.searchsorted(points, wanted))  # first point that is not below
    weights = np.zeros(size)
    if points[upper] == wanted:
        weights[points[upper] - 1] = 1.0
    else:
        low, high = points[upper - 1], points[upper]
        weights[high - 1] = (wanted - low) / (high - low)
        weights[low - 1] = 1 - weights[high - 1]
    return Match(weights, wanted, flag)


def mixture(accuracy: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Accuracy of the rival: the weighted mean over the last axis (N) of a curve, one number a curve.

    Two terms at most; a matrix product would round them differently on different processors.
    """
    return sum(weights[i] * accuracy[..., i] for i in np.flatnonzero(weights))


def rematched_baseline(
    cost: np.ndarray, chain: np.ndarray, accuracy: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The rival's accuracy in every resample, its N recomputed from the resampled costs.

    Args:
        cost, chain: (B,) mean cost of the method and of one chain in each resample.
        accuracy: (B, K) mean curve in each resample.

    Returns:
        (baseline, clamped): (B,) accuracy of the mixture, and whether N* had to be moved to 1 or K.
    """
    size = accuracy.shape[1]
    wanted = np.divide(cost, chain, out=np.full(len(cost), np.nan), where=chain > 0)
    clamped = (wanted < 1 - _ROUNDING) | (wanted > size + _ROUNDING)
    wanted = np.clip(wanted, 1, size)
    low = np.clip(np.nan_to_num(np.floor(wanted), nan=1).astype(int), 1, max(size - 1, 1))
    share = wanted - low
    rows = np.arange(len(cost))
    high = np.minimum(low + 1, size)
    return (1 - share) * accuracy[rows, low - 1] + share * accuracy[rows, high - 1], clamped
