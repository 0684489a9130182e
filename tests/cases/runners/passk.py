"""Pass@k and how samples are counted."""

import pytest

from cases.case import Case
from reasonaudit.analysis.pass_at_k import mean_pass_at_k, pass_at_k, pass_at_k_of


def run(case: Case) -> None:
    given = case.inputs
    wanted = case.outcome["value"] if isinstance(case.outcome, dict) else case.outcome
    if "results" in given:
        # A sample that failed has no result; the planned number stays the denominator.
        results = [None if result == "error" else bool(result) for result in given["results"]]
        assert len(results) == given["planned"] == case.outcome["n"]
        assert results.count(None) == case.outcome["errors"]
        value = pass_at_k_of(results, given["k"])
    elif "correct" in given:
        value = pass_at_k_of([bool(right) for right in given["correct"]], given["k"])
    elif "problems" in given:
        n, solved = given["samples_per_problem"], given["solved"]
        counts = [(n, n)] * solved + [(n, 0)] * (given["problems"] - solved)
        value = mean_pass_at_k(counts, given["k"])
        assert mean_pass_at_k(counts, 1) == pytest.approx(solved / given["problems"])
    else:
        value = pass_at_k(given["n"], given["c"], given["k"])
    assert value == (None if wanted is None else pytest.approx(wanted, rel=1e-12))
