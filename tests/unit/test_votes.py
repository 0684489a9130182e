"""Votes: laws that hold for any votes, and the rules for ties."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.answers.voting import vote, vote_share
from reasonaudit.errors import ReasonAuditError

ballots = st.lists(st.sampled_from(["a", "b", "c", None]), max_size=9)


@given(ballots)
def test_counts(keys):
    outcome = vote(keys)
    assert sum(outcome.counts.values()) + outcome.abstained == len(keys)
    assert all(keys.count(key) == count for key, count in outcome.counts.items())
    assert None not in outcome.counts
    if outcome.counts:
        most = max(outcome.counts.values())
        assert set(outcome.tied) == {key for key, count in outcome.counts.items() if count == most}
        assert keys[outcome.first] == outcome.winner == outcome.tied[0]


@given(ballots, st.randoms(use_true_random=False))
def test_order_matters_only_for_first(keys, random):
    shuffled = list(keys)
    random.shuffle(shuffled)
    right = {"a": True, "b": False, "c": True, None: False}
    correct, moved = [right[key] for key in keys], [right[key] for key in shuffled]
    for ties in ("split", "none"):
        assert vote_share(keys, correct, ties=ties) == vote_share(shuffled, moved, ties=ties)
    assert vote(keys, ties="random", seed=5).winner == vote(shuffled, ties="random", seed=5).winner
    assert set(vote(keys).tied) == set(vote(shuffled).tied)
    if len(vote(keys).tied) == 1:
        assert vote(keys).winner == vote(shuffled).winner


@given(ballots, st.integers(0, 3))
def test_abstentions_change_nothing(keys, more):
    with_more = [*keys, *[None] * more]
    assert vote(keys).winner == vote(with_more).winner
    assert vote(with_more).abstained == vote(keys).abstained + more


@pytest.mark.parametrize("keys", [list("aabb"), list("abc"), list("aab"), ["a", None, "b"], [None]])
@pytest.mark.parametrize("right", ["a", "b", "ab", ""])
def test_split_is_the_mean_over_all_orders(keys, right):
    """By definition: the share of the orders of the votes in which the first tied class is right."""
    outcomes = []
    for order in permutations(keys):
        winner = vote(order, ties="first").winner
        outcomes.append(Fraction(winner is not None and winner in right))
    correct = [key is not None and key in right for key in keys]
    assert vote_share(keys, correct) == float(sum(outcomes) / len(outcomes))


def test_ties():
    keys = ["2", "9", "9", "2"]
    correct = [False, True, True, False]
    assert vote_share(keys, correct, ties="split") == 0.5
    assert vote_share(keys, correct, ties="first") == 0.0
    assert vote_share(keys, correct, ties="none") == 0.0
    assert vote(keys, ties="none").winner is None
    assert vote(keys, ties="split").tied == ("2", "9")
    winners = {vote(keys, ties="random", seed=seed).winner for seed in range(20)}
    assert winners == {"2", "9"}
    assert len({vote(keys, ties="random", seed=3).winner for _ in range(5)}) == 1


def test_nobody_votes():
    for keys in ([], [None, None]):
        outcome = vote(keys)
        assert (outcome.winner, outcome.first, outcome.abstained) == (None, None, len(keys))
        assert vote_share(keys, [False] * len(keys)) == 0.0


def test_wrong_use_is_refused():
    with pytest.raises(ReasonAuditError, match="seed"):
        vote(["a", "b"], ties="random")
    with pytest.raises(ReasonAuditError, match="no rule"):
        vote(["a", "b"], ties="last")
    with pytest.raises(ValueError, match=r"shorter|longer"):
        vote_share(["a"], [True, False])
