"""Tests, corrections, intervals."""

import math

import pytest

from cases.case import Case
from reasonaudit.analysis.multiplicity import holm
from reasonaudit.analysis.paired_tests import mcnemar_exact, wilson_interval
from reasonaudit.analysis.resampling import bootstrap_means, permutation_p, variance


def run(case: Case) -> None:
    given, wanted = case.inputs, case.outcome
    if "b" in given:
        assert mcnemar_exact(given["b"], given["c"]) == wanted["p"]
    elif "p" in given:
        _correction(given, wanted)
    elif "hits" in given:
        assert permutation_p(given["hits"], given["reps"]) == wanted["p"]
    elif "variance" in wanted:
        assert variance(given["data"]) == wanted["variance"]
    else:
        _interval(given["data"], wanted)


def _correction(given: dict, wanted: dict | list) -> None:
    adjusted = holm(given["p"])
    expected = wanted["adjusted"] if isinstance(wanted, dict) else wanted
    assert len(adjusted) == len(expected)
    for value, right in zip(adjusted, expected, strict=True):
        assert value == (None if right is None else pytest.approx(right, rel=1e-12))
    if isinstance(wanted, dict):
        rejected = [None if value is None else value <= given["alpha"] for value in adjusted]
        assert rejected == wanted["reject"]


def _interval(data: list[float], wanted: dict) -> None:
    (estimate,) = bootstrap_means(data, resamples=1000, seed=1)
    assert [estimate.low, estimate.high] == wanted["percentile_ci"]
    # No BCa interval is offered anywhere; beside a degenerate bootstrap stands an interval with a width.
    assert wanted["bca_ci"] is None
    low, high = wilson_interval(sum(map(int, data)), len(data))
    assert low == 0 < high < 0.5
    assert not math.isnan(high)
