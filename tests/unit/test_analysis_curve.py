"""The sampling baseline against enumeration of all draws, published fractions and its own laws."""

import itertools
import math
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasonaudit.analysis import curve
from reasonaudit.analysis.curve import (
    ABSTAIN,
    Pool,
    decide,
    drawn_curve,
    exact_curve,
    exact_fractions,
    pool_of,
)

# Up to seven chains over up to four answers; values between 0 and 1 are classes the verifier splits.
POOLS = st.lists(st.integers(-1, 3), min_size=1, max_size=7).flatmap(
    lambda votes: st.lists(st.sampled_from([0.0, 1.0, 0.5]), min_size=4, max_size=4).map(
        lambda values: relabelled(votes, values)
    )
)


def relabelled(votes, values):
    """Classes numbered in order of appearance, as pools store them."""
    order = list(dict.fromkeys(v for v in votes if v != ABSTAIN))
    return Pool(
        tuple(order.index(v) if v != ABSTAIN else ABSTAIN for v in votes),
        tuple(values[v] for v in order),
    )


def pool_from(sizes, correct, abstaining):
    votes = [j for j, size in enumerate(sizes) for _ in range(size)] + [ABSTAIN] * abstaining
    return Pool(tuple(votes), tuple(float(j == correct) for j in range(len(sizes))))


def enumerated(pool, n, ties):
    """Accuracy, tie share and silent share over every subset of n chains, straight from the definition."""
    subsets = list(itertools.combinations(range(len(pool.votes)), n))
    accuracy = tied = silent = 0.0
    for subset in subsets:
        votes = [pool.votes[i] for i in subset if pool.votes[i] != ABSTAIN]
        if not votes:
            silent += 1
            continue
        most = max(votes.count(v) for v in votes)
        top = [v for v in dict.fromkeys(votes) if votes.count(v) == most]  # in stored order
        tied += len(top) > 1
        if ties == "split":
            accuracy += sum(pool.values[v] for v in top) / len(top)
        elif ties == "first" or len(top) == 1:
            accuracy += pool.values[top[0]]
    return accuracy / len(subsets), tied / len(subsets), silent / len(subsets)


@pytest.mark.parametrize(
    ("sizes", "correct", "abstain", "n", "accuracy", "tie"),
    [  # the project's reference vectors, curve_exact
        ([3, 2, 1], 0, 1, 3, "39/70", "17/35"),
        ([6, 5, 2, 1], 0, 2, 8, "119/198", "296/1287"),
        ([1, 1, 1], 2, 5, 3, "23/84", "2/7"),
    ],
)
def test_published_fractions(sizes, correct, abstain, n, accuracy, tie):
    pool = pool_from(sizes, correct, abstain)
    assert exact_fractions(pool, n)[:2] == (Fraction(accuracy), Fraction(tie))
    points = exact_curve(pool)
    assert points.accuracy[n - 1] == pytest.approx(float(Fraction(accuracy)), abs=1e-15)
    assert points.ties[n - 1] == pytest.approx(float(Fraction(tie)), abs=1e-15)


def test_published_silent_share():
    assert exact_fractions(pool_from([1, 1, 1], 2, 5), 3)[2] == Fraction(5, 28)


@pytest.mark.parametrize("ties", ["split", "first", "none"])
@settings(max_examples=80, deadline=None)
@given(pool=POOLS)
def test_equals_enumeration(ties, pool):
    points = exact_curve(pool, ties)
    for n in range(1, len(pool.votes) + 1):
        expected = enumerated(pool, n, ties)
        found = (points.accuracy[n - 1], points.ties[n - 1], points.silent[n - 1])
        assert found == pytest.approx(expected, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(pool=POOLS, data=st.data())
def test_split_ties_do_not_depend_on_the_order(pool, data):
    shuffled = Pool(tuple(data.draw(st.permutations(pool.votes))), pool.values)
    assert exact_curve(shuffled).accuracy.tolist() == exact_curve(pool).accuracy.tolist()


@settings(max_examples=60, deadline=None)
@given(sizes=st.lists(st.integers(1, 9), min_size=1, max_size=8), abstaining=st.integers(0, 9))
def test_every_draw_is_won_by_someone_or_silent(sizes, abstaining):
    total = np.zeros(sum(sizes) + abstaining)
    for winner in range(len(sizes)):
        total += exact_curve(pool_from(sizes, winner, abstaining)).accuracy
    silent = exact_curve(pool_from(sizes, 0, abstaining)).silent
    assert total + silent == pytest.approx(np.ones(len(total)), abs=1e-12)


def test_ends_of_the_curve():
    pool = pool_from([5, 5, 3], 0, 3)
    points = exact_curve(pool)
    assert points.accuracy[0] == pytest.approx(5 / 16)  # one chain: the share of right chains
    assert points.accuracy[-1] == 0.5  # the whole pool: a tie of two
    assert points.ties[-1] == 1
    assert points.silent[0] == pytest.approx(3 / 16)
    assert exact_curve(pool, "none").accuracy[-1] == 0
    assert exact_curve(pool, "first").accuracy[-1] == 1
    assert exact_curve(Pool((ABSTAIN,) * 4, ())).silent.tolist() == [1, 1, 1, 1]
    assert exact_curve(Pool((ABSTAIN,) * 4, ())).accuracy.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("ties", ["split", "first", "none"])
def test_large_pools_count_with_whole_numbers_of_any_size(ties, monkeypatch):
    rng = np.random.default_rng(3)
    votes = rng.choice([-1, 0, 1, 2, 3], size=66, p=[0.1, 0.3, 0.3, 0.2, 0.1])
    pool = relabelled([int(v) for v in votes], [1.0, 0.0, 0.0, 1.0])
    small = exact_curve(pool, ties)
    curve._decided.cache_clear()
    curve._tie_probability.cache_clear()
    monkeypatch.setattr(curve, "_LARGEST_INT64_POOL", 0)
    large = exact_curve(pool, ties)
    assert small.accuracy.tolist() == large.accuracy.tolist()
    assert small.ties.tolist() == large.ties.tolist()


def test_a_pool_of_200_sums_to_one():
    points = [exact_curve(pool_from([90, 60, 40], j, 10)) for j in range(3)]
    total = sum(point.accuracy for point in points) + points[0].silent
    assert total == pytest.approx(np.ones(200), abs=1e-12)


def test_more_chains_help_a_plurality_and_hurt_a_minority():
    better = exact_curve(pool_from([10, 3, 2, 1], 0, 0)).accuracy
    worse = exact_curve(pool_from([10, 3, 2, 1], 1, 0)).accuracy
    assert better[-1] == 1
    assert better[7] > better[2] > better[0]
    assert worse[7] < worse[2] <= worse[0]


@pytest.mark.parametrize("ties", ["split", "first", "none"])
def test_drawn_curve_converges_to_the_exact_one(ties):
    votes = [0, 1, 0, 2, ABSTAIN, 1, 0, 2, 3, ABSTAIN, 1, 0]
    pool = Pool(tuple(votes), (1.0, 0.0, 0.0, 1.0))
    tokens = np.arange(12) * 10.0 + 5
    draws = 20_000
    grid = [1, 2, 3, 6, 11, 12]
    accuracy, spent = drawn_curve(pool, tokens, grid, draws=draws, rng=np.random.default_rng(1), ties=ties)
    exact = exact_curve(pool, ties).accuracy[np.array(grid) - 1]
    assert accuracy == pytest.approx(exact, abs=4 * 0.5 / math.sqrt(draws))
    assert spent == pytest.approx(np.array(grid) * tokens.mean(), rel=0.01)
    assert spent[-1] == pytest.approx(tokens.sum())  # the whole pool has one cost
    assert accuracy[-1] == exact[-1]


def test_outcome_and_cost_come_from_the_same_draw():
    # The right chain is the expensive one: accuracy and cost of single chains must move together.
    pool = Pool((0, 1), (1.0, 0.0))
    for seed in range(5):
        accuracy, spent = drawn_curve(
            pool, np.array([100.0, 0.0]), [1], draws=50, rng=np.random.default_rng(seed)
        )
        assert spent[0] == pytest.approx(100 * accuracy[0])


def test_drawn_curve_of_silent_pool():
    accuracy, spent = drawn_curve(
        Pool((ABSTAIN,) * 3, ()), np.ones(3), [1, 3], draws=10, rng=np.random.default_rng(0)
    )
    assert accuracy.tolist() == [0, 0]
    assert spent.tolist() == [1, 3]


def test_pools_from_answers():
    pool = pool_of(["4", None, "5", "4"], [True, False, False, True])
    assert pool == Pool((0, ABSTAIN, 1, 0), (1.0, 0.0))
    # A verifier that looks beyond the answer may split a class: its value is the accepted share.
    assert pool_of(["4", "4"], [True, False]).values == (0.5,)
    # Unreadable chains as one wrong answer that can win the vote.
    wrong = pool_of([None, "4", None], [False, True, False], unreadable="wrong")
    assert wrong == Pool((0, 1, 0), (0.0, 1.0))
    assert exact_curve(wrong).accuracy[-1] == 0


def test_first_point_is_the_share_of_accepted_chains():
    pool = pool_of(["4", "4", "4", "5", None], [True, False, True, False, False])
    assert exact_curve(pool).accuracy[0] == pytest.approx(2 / 5)


def test_one_decision():
    assert decide(Pool((1, 0, 0, 1), (0.0, 1.0))) == 1  # a tie takes the first in stored order
    assert decide(Pool((0, 1, 1, 0, 1), (0.0, 1.0))) == 1
    assert decide(Pool((ABSTAIN, ABSTAIN), ())) is None
    rng = np.random.default_rng(0)
    assert {decide(Pool((1, 0, 0, 1), (0.0, 1.0)), rng) for _ in range(50)} == {0, 1}


def test_unknown_tie_rule():
    with pytest.raises(ValueError, match="not luck"):
        exact_curve(pool_from([1], 0, 0), "luck")


def test_a_pool_of_64_and_500_questions_is_quick():
    rng = np.random.default_rng(1)
    pools = []
    for _ in range(500):
        shares = rng.dirichlet(np.full(30, 0.3))
        answers = [str(a) if rng.random() > 0.05 else None for a in rng.choice(30, size=64, p=shares)]
        pools.append(pool_of(answers, [a == "0" for a in answers]))
    start = time.perf_counter()
    for pool in pools:
        exact_curve(pool)
    assert time.perf_counter() - start < 10
