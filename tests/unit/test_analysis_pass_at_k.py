"""Pass@k against enumeration, published values and the usual floating-point product."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasonaudit.analysis.pass_at_k import mean_pass_at_k, pass_at_k, pass_at_k_of


def test_pass_at_k_is_the_share_of_subsets():
    for n, k in itertools.product(range(1, 8), range(1, 8)):
        for c in range(n + 1):
            if k > n:
                assert pass_at_k(n, c, k) is None
                continue
            subsets = list(itertools.combinations([1] * c + [0] * (n - c), k))
            assert pass_at_k(n, c, k) == sum(map(any, subsets)) / len(subsets)


def test_pass_at_k_published():
    # vectors.json, pass_at_1: Pass@1 is the share of right samples, whatever their spread over questions
    assert mean_pass_at_k([(64, 7)] * 30 + [(64, 14)] * 2, 1) == pytest.approx(0.1162109375)
    assert mean_pass_at_k([(64, 2)] * 29 + [(64, 21)], 1) == pytest.approx(0.0411458333, abs=5e-11)
    assert pass_at_k_of([False, True, True, False], 1) == 0.5
    assert pass_at_k_of([False, True, True, False], 2) == pytest.approx(0.8333333333333334)


def test_pass_at_k_beyond_the_samples_does_not_exist():
    assert pass_at_k(2, 0, 5) is None
    assert pass_at_k(99, 0, 100) is None
    assert pass_at_k(5, 0, 5) == 0.0
    assert pass_at_k(5, 1, 5) == 1.0
    assert mean_pass_at_k([(8, 1), (4, 1)], 8) is None
    assert mean_pass_at_k([], 1) is None
    with pytest.raises(ValueError, match="needs"):
        pass_at_k(4, 5, 1)


def test_failed_samples_stay_in_the_denominator():
    assert pass_at_k_of([True, False, False, None], 1) == 0.25


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 3000), st.data())
def test_pass_at_k_is_stable_and_monotone(n, data):
    c = data.draw(st.integers(0, n))
    k = data.draw(st.integers(1, n))
    value = pass_at_k(n, c, k)
    product = 1.0
    for i in range(n - c + 1, n + 1):  # the usual floating-point product
        product *= max(0.0, 1 - k / i)
    assert value == pytest.approx(1 - product, rel=1e-9, abs=1e-9)
    assert 0 <= value <= 1
    if k > 1:
        assert value >= pass_at_k(n, c, k - 1)
