"""Votes: classes, ties, abstention."""

import pytest

from cases.case import Case
from reasonaudit.answers.canonical import canonicalize
from reasonaudit.answers.voting import vote, vote_share
from reasonaudit.verifiers.trusted import verify


def run(case: Case) -> None:
    votes = case.inputs["votes"]
    forms = [canonicalize(answer) for answer in votes]
    keys = [form and form.key for form in forms]
    correct = [verify(answer, case.gold).accepted for answer in votes]
    if "expected_accuracy" in case.outcome:
        # Policy: a tie is worth the share of the tied classes that are right; a seeded draw agrees.
        assert vote_share(keys, correct) == case.outcome["expected_accuracy"]
        repeat = case.inputs["repeat"]
        drawn = [vote_share(keys, correct, ties="random", seed=seed) for seed in range(repeat)]
        assert set(drawn) == {0.0, 1.0}
        assert sum(drawn) / repeat == pytest.approx(0.5, abs=4 * 0.5 / repeat**0.5)
        return
    outcome = vote(keys)
    winner = None if outcome.first is None else votes[outcome.first]
    assert vote_share(keys, correct) == case.outcome["correct"]
    assert winner == (case.outcome["winner"] and case.outcome["winner"].split()[0])
    if "counts" in case.outcome:
        assert list(outcome.counts.values()) == case.outcome["counts"]
