"""Reward variance of groups: closed forms against enumeration of all groups."""

from itertools import combinations
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multilingual import judged_samples

from reasonaudit.analysis.reward_variance import (
    expected_advantages,
    expected_std,
    signal_lost,
    variance_rows,
    zero_variance,
)

POOL = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=7)


def groups(samples, size):
    return [[samples[i] for i in chosen] for chosen in combinations(range(len(samples)), size)]


@given(POOL, st.integers(2, 4))
def test_closed_forms_against_all_groups(samples, size):
    """Samples are (trusted, accepted)."""
    if size > len(samples):
        return
    every = groups(samples, size)
    accepted = sum(a for _, a in samples)
    rewards = [[int(a) for _, a in group] for group in every]
    all_in = mean(all(r) for r in rewards)
    all_out = mean(not any(r) for r in rewards)
    assert zero_variance(len(samples), accepted, size) == pytest.approx((all_in, all_out))
    assert expected_std(len(samples), accepted, size) == pytest.approx(mean(stdev(r) for r in rewards))
    joint = tuple(
        sum((t, a) == kind for t, a in samples)
        for kind in ((True, True), (True, False), (False, True), (False, False))
    )
    lost = mean(len({a for _, a in g}) == 1 and len({t for t, _ in g}) == 2 for g in every)
    assert signal_lost(len(samples), joint, size) == pytest.approx(lost)


@given(POOL, st.integers(2, 4))
def test_advantages_against_all_groups(samples, size):
    if size > len(samples):
        return
    accepted = [int(a) for _, a in samples]
    sums = {0: [], 1: []}
    for chosen in combinations(range(len(samples)), size):
        rewards = [accepted[i] for i in chosen]
        spread = stdev(rewards)
        for i in chosen:
            sums[accepted[i]].append((accepted[i] - mean(rewards)) / spread if spread else 0.0)
    up, down = expected_advantages(len(samples), sum(accepted), size)
    if sums[1]:
        assert up == pytest.approx(mean(sums[1]))
    if sums[0]:
        assert down == pytest.approx(mean(sums[0]))


def test_a_verifier_that_rejects_a_language_silences_it():
    cells = {
        "en": [[(True, True), (True, True), (False, False), (True, True)]] * 3,
        "ja": [[(True, False), (True, False), (False, False), (True, False)]] * 3,
    }
    rows = {(row["grouping"], row["language"]): row for row in variance_rows(judged_samples(cells))}
    assert rows["single_language", "en"]["zero_variance_share"] == 0
    assert rows["single_language", "ja"]["zero_variance_share"] == 1
    assert rows["single_language", "ja"]["all_rejected_share"] == 1
    assert rows["single_language", "ja"]["signal_lost_share"] == 1
    assert rows["single_language", "ja"]["mean_reward_std"] == 0
    assert rows["single_language", "ja"]["advantage_of_rejected_correct"] == 0
    # Mixed with English, right Japanese answers are pushed down: the reward differs by language alone.
    mixed = rows["mixed_languages", "all"]
    assert mixed["zero_variance_share"] < 0.2
    assert mixed["advantage_of_rejected_correct"] < 0
    assert mixed["group_size"] == 4 and mixed["groups"] == 3
    assert rows["mixed_problems", "all"]["groups"] == 1


def test_small_groups_and_time_outs_are_left_out_and_counted():
    cells = {"en": [[(True, True)] * 4, [(True, True), (False, False)] * 2]}
    rows = variance_rows(judged_samples(cells, timed_out=[("en", 0, 2)]))
    english = next(row for row in rows if row["grouping"] == "single_language")
    assert (english["groups"], english["too_small"], english["group_size"]) == (1, 1, 4)
    assert english["mean_reward"] == 0.5


def test_one_sample_a_prompt_gives_no_variance():
    row = variance_rows(judged_samples({"en": [[(True, True)]], "ja": [[(True, False)]]}))[0]
    assert row["group_size"] == 1 and "mean_reward_std" not in row
