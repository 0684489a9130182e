"""Votes over classes of answers; unreadable answers abstain."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from reasonaudit.errors import ReasonAuditError
from reasonaudit.seeds import derive_seed

Ties = Literal["split", "first", "none", "random"]


@dataclass(frozen=True)
class Vote:
    """The outcome of a vote.

    Args:
        winner: the class that was chosen; None if nobody voted, or on a tie under ``split``/``none``.
        first: place in stored order of the winner's first vote; None if there is no winner.
        counts: votes of each class, in order of first appearance.
        tied: the classes with most votes, in order of first appearance; one unless there is a tie.
        abstained: how many answers were unreadable.
    """

    winner: Hashable | None
    first: int | None
    counts: dict[Hashable, int]
    tied: tuple[Hashable, ...]
    abstained: int


def vote(keys: Sequence[Hashable | None], *, ties: Ties = "first", seed: int | None = None) -> Vote:
    """Majority vote over answer classes.

    Args:
        keys: the class of each answer in stored order; None abstains.
        ties: ``first``: the tied class whose first vote stands first in stored order; ``none`` and
            ``split``: no winner; ``random``: a seeded uniform draw among the tied classes, whose
            order does not depend on the order of the votes.
        seed: needed for ``random``.
    """
    counts: dict[Hashable, int] = {}
    for key in keys:
        if key is not None:
            counts[key] = counts.get(key, 0) + 1
    abstained = len(keys) - sum(counts.values())
    if not counts:
        return Vote(None, None, {}, (), abstained)
    most = max(counts.values())
    tied = tuple(key for key, count in counts.items() if count == most)
    winner = tied[0]
    if len(tied) > 1:
        winner = _break_tie(tied, ties, seed)
    return Vote(winner, None if winner is None else list(keys).index(winner), counts, tied, abstained)


def _break_tie(tied: tuple, ties: Ties, seed: int | None):
    if ties == "first":
        return tied[0]
    if ties in ("none", "split"):
        return None
    if ties != "random":
        raise ReasonAuditError(f"{ties!r} is no rule for ties", hint="split, first, none or random")
    if seed is None:
        raise ReasonAuditError("a random rule for ties needs a seed")
    ordered = sorted(tied, key=str)
    generator = np.random.Generator(np.random.PCG64(derive_seed("ties", seed)))
    return ordered[int(generator.integers(len(ordered)))]


def vote_share(
    keys: Sequence[Hashable | None], correct: Sequence[bool], *, ties: Ties = "split", seed: int | None = None
) -> float:
    """How much of a right answer the vote is worth: 0 or 1, or s/t where t classes tie and s are right.

    A class is right if its first answer in stored order is (all answers of a class are equivalent).
    Unreadable answers abstain; if nobody votes, the outcome is wrong.
    """
    outcome = vote(keys, ties=ties, seed=seed)
    right: dict[Hashable, bool] = {}
    for key, is_correct in zip(keys, correct, strict=True):
        if key is not None:
            right.setdefault(key, bool(is_correct))
    if ties == "split" and outcome.tied:
        return sum(right[key] for key in outcome.tied) / len(outcome.tied)
    return float(outcome.winner is not None and right[outcome.winner])
