"""Greedy is argmax; sampling follows the softmax; draws depend on seed and place alone."""

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import chisquare, kstest

from reasonaudit.engine.sampling import draw, uniforms
from reasonaudit.errors import ModelError
from reasonaudit.seeds import RANDOM_SENTINEL, add_offset, derive_seed


def logits_of(size=40, seed=3, scale=2.0):
    return np.random.Generator(np.random.PCG64(seed)).normal(0, scale, size).astype(np.float32)


def draws(logits, temperature, top_p=1.0, count=20_000, seed=0):
    numbers = (uniforms(seed + i, 1)[0] for i in range(count))
    return np.bincount([draw(logits, temperature, top_p, u) for u in numbers], minlength=len(logits))


def test_greedy_takes_the_largest_and_of_equals_the_lowest_id():
    logits = logits_of()
    assert draw(logits, 0, 1.0, 0.9) == logits.argmax()
    logits[[31, 7, 20]] = logits.max() + 1
    assert {draw(logits, 0, 1.0, u) for u in (0.0, 0.5, 0.999)} == {7}


@pytest.mark.parametrize("temperature", [0.3, 0.7, 1.0, 1.6])
def test_frequencies_of_many_seeds_follow_the_softmax(temperature):
    logits = logits_of(scale=1.0)
    expected = softmax(logits.astype(np.float64) / temperature) * 20_000
    seen = draws(logits, temperature)
    rare = expected < 5  # counted together, as the test's approximation asks
    seen = np.append(seen[~rare], seen[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    kept = expected > 0
    assert chisquare(seen[kept], expected[kept]).pvalue > 0.001


def test_a_wrong_temperature_would_be_noticed():
    logits = logits_of(8, scale=1.0)
    wrong = softmax(logits.astype(np.float64) / 0.8) * 20_000
    assert chisquare(draws(logits, 0.7), wrong).pvalue < 1e-6


def test_every_draw_is_where_its_number_falls_in_the_cumulative_softmax():
    logits = logits_of(100)
    cumulative = np.cumsum(softmax(logits.astype(np.float64) / 0.7))
    for u in np.linspace(0, 0.9999, 997):
        assert draw(logits, 0.7, 1.0, u) == np.searchsorted(cumulative, u, side="right")


def test_nucleus_keeps_the_smallest_set_that_reaches_the_share():
    logits = np.log(np.array([0.1, 0.4, 0.05, 0.3, 0.15])).astype(np.float32)
    assert set(np.flatnonzero(draws(logits, 1.0, 0.65, 2000))) == {1, 3}
    assert set(np.flatnonzero(draws(logits, 1.0, 0.75, 2000))) == {1, 3, 4}
    seen = draws(logits, 1.0, 0.65)
    assert chisquare(seen[[1, 3]], np.array([4, 3]) / 7 * 20_000).pvalue > 0.001


def test_nucleus_takes_equal_tokens_by_their_ids():
    logits = np.zeros(10, np.float32)
    assert set(np.flatnonzero(draws(logits, 1.0, 0.3, 500))) == {0, 1, 2}


def test_tokens_left_out_are_too_unlikely_to_matter():
    logits = np.zeros(262_144, np.float32)
    logits[5] = 30.0
    # All others together have probability 2.4e-8; their share must not be drawn instead of token 5.
    assert {draw(logits, 1.0, 1.0, u) for u in (0.0, 0.3, 0.999999)} == {5}


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("temperature", [0, 0.7])
def test_logits_that_are_no_numbers_are_refused(bad, temperature):
    logits = logits_of()
    logits[3] = bad
    with pytest.raises(ModelError, match="largest logit"):
        draw(logits, temperature, 1.0, 0.5)


def test_logits_of_forbidden_tokens_may_be_minus_infinity():
    logits = logits_of()
    logits[::2] = -np.inf
    assert set(np.flatnonzero(draws(logits, 1.0, count=500)) % 2) == {1}


def test_streams_are_uniform_and_their_beginnings_agree():
    numbers = uniforms(derive_seed("x"), 5000)
    assert np.array_equal(numbers[:17], uniforms(derive_seed("x"), 17))
    assert 0 <= numbers.min() < numbers.max() < 1
    assert kstest(numbers, "uniform").pvalue > 0.001
    first = [uniforms(add_offset(derive_seed("x"), i), 1)[0] for i in range(5000)]
    assert kstest(first, "uniform").pvalue > 0.001


def test_streams_are_those_of_philox_for_ever():
    # Written down, so that a library whose stream changed would be noticed.
    written = ["0x1.56c1ce017d7a4p-2", "0x1.2df11cf446011p-1", "0x1.622f1df7ad696p-1"]
    assert [float(number).hex() for number in uniforms(1234, 3)] == written


def test_seeds_never_mean_random_and_stay_distinct():
    near = RANDOM_SENTINEL - 3
    seeds = [add_offset(near, i) for i in range(10)]
    assert RANDOM_SENTINEL not in seeds
    assert len(set(seeds)) == 10
