"""The sampling baseline: how often the majority of N chains is right, for every N up to the pool's size.

A draw takes N of a question's K chains without replacement (Wang et al., "Self-consistency improves chain of
thought reasoning"). Votes go to classes of equal answers; unreadable chains abstain; a draw in which every
chain abstains is wrong.

Ties. ``split``: with t classes at the top, each wins with probability 1/t. ``first``: the class whose first
drawn chain stands first in the stored order wins. ``none``: a tie gives no answer and is wrong.

The exact curve counts subsets with whole numbers: a generating function in z (chains drawn) and y (further
classes at the top), one factor a class. For a top count m, a class of n >= m chains contributes
sum_{x<m} C(n,x) z^x + y C(n,m) z^m, and all smaller classes with the abstaining chains (1+z)^rest, since they
cannot reach the top. No sampling error, any K.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np

ABSTAIN = -1
# C(66, 33) is the last central binomial below 2**63; larger pools count with Python's integers.
_LARGEST_INT64_POOL = 66


@dataclass(frozen=True)
class Pool:
    """The votes of one question's chains, in stored order.

    Attributes:
        votes: (K,) class of each chain, 0 .. classes - 1, or ABSTAIN.
        values: (classes,) probability that an answer of the class is right: 0 or 1 where the verifier
            treats equal answers alike, else the share of the class's chains that it accepts.
    """

    votes: tuple[int, ...]
    values: tuple[float, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(self.votes.count(j) for j in range(len(self.values)))


def pool_of(canonical: Sequence[str | None], correct: Sequence[bool], *, unreadable: str = "abstain") -> Pool:
    """A pool from the canonical answers (None: unreadable) and verdicts of its chains.

    Args:
        unreadable: ``abstain``, or ``wrong``: unreadable chains vote together for one wrong answer.
    """
    places: dict[str | None, int] = {}
    votes, right = [], []
    for answer, good in zip(canonical, correct, strict=True):
        readable = isinstance(answer, str)  # frames hold missing text as None or NaN
        if not readable and unreadable == "abstain":
            votes.append(ABSTAIN)
            continue
        place = places.setdefault(answer if readable else None, len(places))
        if place == len(right):
            right.append([])
        right[place].append(bool(good) and readable)
        votes.append(place)
    return Pool(tuple(votes), tuple(sum(r) / len(r) for r in right))


@dataclass(frozen=True)
class ExactCurve:
    """For N = 1 .. K (index N - 1): probabilities over all draws of N chains.

    Attributes:
        accuracy: the majority answer is right.
        ties: at least two classes share the top.
        silent: every drawn chain abstains.
    """

    accuracy: np.ndarray
    ties: np.ndarray
    silent: np.ndarray


def exact_curve(pool: Pool, ties: str = "split") -> ExactCurve:
    """The exact curve of one question."""
    size = len(pool.votes)
    sizes = pool.sizes
    silent = size - sum(sizes)
    accuracy = np.zeros(size)
    for j, value in enumerate(pool.values):
        if value > 0:
            accuracy += value * _win_probability(pool, j, ties)
    return ExactCurve(
        accuracy=accuracy,
        ties=np.array(_tie_probability(tuple(sorted(sizes)), silent)),
        silent=np.array([comb(silent, n) / comb(size, n) for n in range(1, size + 1)]),
    )


def exact_fractions(pool: Pool, n: int) -> tuple[Fraction, Fraction, Fraction]:
    """(accuracy, ties, silent) at one N as fractions, ties split; values must be 0 or 1."""
    sizes = pool.sizes
    size, silent = len(pool.votes), len(pool.votes) - sum(sizes)
    draws = comb(size, n)
    accuracy = Fraction(0)
    for j, value in enumerate(pool.values):
        if value not in (0, 1):
            raise ValueError(f"an answer class is right or wrong, not {value}")
        if value:
            wins = _wins(sizes[j], tuple(sorted(sizes[:j] + sizes[j + 1 :])), silent)
            accuracy += sum((Fraction(int(w[n]), u + 1) for u, w in enumerate(wins)), Fraction(0))
    tied = int(_tied(tuple(sorted(sizes)), silent)[n])
    return accuracy / draws, Fraction(tied, draws), Fraction(comb(silent, n), draws)


def drawn_curve(
    pool: Pool,
    tokens: np.ndarray,
    grid: Sequence[int],
    *,
    draws: int,
    rng: np.random.Generator,
    ties: str = "split",
) -> tuple[np.ndarray, np.ndarray]:
    """Accuracy and tokens at each N of ``grid``, means over the same random draws.

    The N chains of a draw are the first N of a random order, so a larger N extends a smaller one.

    Args:
        tokens: (K,) generated tokens of each chain.

    Returns:
        (accuracy, tokens), each (len(grid),).
    """
    size, classes = len(pool.votes), len(pool.values)
    order = rng.random((draws, size)).argsort(axis=1)
    at = np.asarray(grid) - 1
    spent = np.asarray(tokens, dtype=float)[order].cumsum(axis=1)[:, at].mean(axis=0)
    if classes == 0:
        return np.zeros(len(grid)), spent
    votes = np.asarray(pool.votes)
    member = votes[:, None] == np.arange(classes)
    counts = member[order].cumsum(axis=1, dtype=np.int32)[:, at]
    top = counts.max(axis=2, keepdims=True)
    winners = (counts == top) & (top > 0)
    if ties == "first":
        place = np.where(member[order], order[:, :, None], size)
        place = np.minimum.accumulate(place, axis=1)[:, at]
        place = np.where(winners, place, size)
        winners &= place == place.min(axis=2, keepdims=True)
    elif ties == "none":
        winners &= winners.sum(axis=2, keepdims=True) == 1
    share = winners.sum(axis=2)
    right = (winners * np.asarray(pool.values)).sum(axis=2)
    return (right / np.maximum(share, 1)).mean(axis=0), spent


def decide(pool: Pool, rng: np.random.Generator | None = None) -> int | None:
    """The winning class where one decision is needed; None if every chain abstains.

    Ties take the class that stands first in the stored order, or a random one if ``rng`` is given.
    """
    sizes = pool.sizes
    if not sizes:
        return None
    top = [j for j, size in enumerate(sizes) if size == max(sizes)]
    if rng is not None and len(top) > 1:
        return int(rng.choice(top))
    return min(top, key=pool.votes.index)


# ---------------------------------------------------------------------------------------- counting subsets


def _win_probability(pool: Pool, j: int, ties: str) -> np.ndarray:
    if ties == "first":
        return _first_win_probability(pool, j)
    sizes = pool.sizes
    others = tuple(sorted(sizes[:j] + sizes[j + 1 :]))
    return np.array(_decided(sizes[j], others, len(pool.votes) - sum(sizes), ties))


@lru_cache(maxsize=100_000)
def _decided(size: int, others: tuple[int, ...], silent: int, ties: str) -> tuple[float, ...]:
    """P(the class of ``size`` chains wins) for N = 1 .. K."""
    wins = _wins(size, others, silent)
    total = size + sum(others) + silent
    if ties == "none":
        wins = wins[:1]
    elif ties != "split":
        raise ValueError(f"ties are split, first or none, not {ties}")
    return tuple(
        sum(int(w[n]) / (u + 1) for u, w in enumerate(wins)) / comb(total, n) for n in range(1, total + 1)
    )


@lru_cache(maxsize=100_000)
def _tie_probability(sizes: tuple[int, ...], silent: int) -> tuple[float, ...]:
    total = sum(sizes) + silent
    tied = _tied(sizes, silent)
    return tuple(int(tied[n]) / comb(total, n) for n in range(1, total + 1))


def _wins(size: int, others: tuple[int, ...], silent: int) -> np.ndarray:
    """Subsets of n chains in which the class is at the top and u others share it: array [u, n]."""
    total = size + sum(others) + silent
    wins = np.zeros((len(others) + 1, total + 1), dtype=_integer(total))
    for m in range(1, size + 1):
        ways = _at_most(m, others, silent, total)
        wins[: len(ways), m:] += comb(size, m) * ways[:, : total + 1 - m]
    return wins


def _tied(sizes: tuple[int, ...], silent: int) -> np.ndarray:
    """Subsets of n chains with at least two classes at the top: array [n]."""
    total = sum(sizes) + silent
    tied = np.zeros(total + 1, dtype=_integer(total))
    for m in range(1, (sorted(sizes)[-2] if len(sizes) > 1 else 0) + 1):
        tied += _at_most(m, sizes, silent, total)[2:].sum(axis=0)
    return tied


def _at_most(m: int, sizes: tuple[int, ...], silent: int, total: int) -> np.ndarray:
    """Subsets in which no class has more than m chains: array [classes with exactly m, chains drawn]."""
    large = [n for n in sizes if n >= m]
    rest = silent + sum(n for n in sizes if n < m)
    kind = _integer(total)
    ways = np.zeros((1, total + 1), dtype=kind)
    ways[0, : rest + 1] = [comb(rest, x) for x in range(rest + 1)]
    for n in large:
        # No more than total // m classes can have m chains each.
        grown = np.zeros((min(len(ways) + 1, total // m + 1), total + 1), dtype=kind)
        for x in range(m):
            grown[: len(ways), x:] += comb(n, x) * ways[:, : total + 1 - x]
        reach = min(len(ways), len(grown) - 1)
        grown[1 : reach + 1, m:] += comb(n, m) * ways[:reach, : total + 1 - m]
        ways = grown
    return ways


def _first_win_probability(pool: Pool, j: int) -> np.ndarray:
    """P(class j wins) where a tie goes to the class whose first drawn chain is stored first.

    Sum over the top count m and over which chain of class j is its first drawn one: a class that ties may
    then have chains only behind that place.
    """
    sizes, total = pool.sizes, len(pool.votes)
    votes = np.asarray(pool.votes)
    own = np.flatnonzero(votes == j)
    behind = [[int((np.flatnonzero(votes == k) > p).sum()) for p in own] for k in range(len(sizes))]
    kind = _integer(total)
    wins = np.zeros(total + 1, dtype=kind)
    for m in range(1, sizes[j] + 1):
        starts = sizes[j] - m + 1  # the first drawn chain must leave m - 1 behind it
        rest = total - sum(n for k, n in enumerate(sizes) if n >= m or k == j)
        ways = np.zeros((starts, total + 1), dtype=kind)
        ways[:, : rest + 1] = [comb(rest, x) for x in range(rest + 1)]
        for k, n in enumerate(sizes):
            if k == j or n < m:
                continue
            grown = np.zeros_like(ways)
            for x in range(m):
                grown[:, x:] += comb(n, x) * ways[:, : total + 1 - x]
            top = np.array([comb(behind[k][s], m) for s in range(starts)], dtype=kind)
            grown[:, m:] += top[:, None] * ways[:, : total + 1 - m]
            ways = grown
        chosen = np.array([comb(behind[j][s], m - 1) for s in range(starts)], dtype=kind)
        wins[m:] += (chosen[:, None] * ways[:, : total + 1 - m]).sum(axis=0)
    return np.array([int(wins[n]) / comb(total, n) for n in range(1, total + 1)])


def _integer(total: int):
    return np.int64 if total <= _LARGEST_INT64_POOL else object
