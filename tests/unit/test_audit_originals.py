"""Drawing originals round-robin and choosing the panel."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.audit.originals import choose_panel, draw_originals, eligible

ANSWER = {"correct": True, "stopped_by_length": False, "generated_tokens": 601}


def keys(sizes):
    return [
        ("m", "d", "self_consistency", 0, f"q{q}", i) for q, size in enumerate(sizes) for i in range(size)
    ]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, True),
        ({"generated_tokens": 600}, False),
        ({"generated_tokens": None}, False),
        ({"correct": False}, False),
        ({"stopped_by_length": True}, False),
    ],
)
def test_eligible(change, expected):
    assert eligible(ANSWER | change, 600) is expected


def test_unknown_lengths_count_where_no_length_is_asked_for():
    assert eligible(ANSWER | {"generated_tokens": None}, 0)


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=8),
    st.integers(1, 6),
    st.integers(0, 40),
    st.integers(0, 99),
)
def test_round_robin(sizes, per_question, per_cell, seed):
    drawn = draw_originals(keys(sizes), seed=seed, per_question=per_question, per_cell=per_cell)
    assert len(drawn) == len(set(drawn)) == min(per_cell, sum(min(s, per_question) for s in sizes))
    counts = Counter(key[4] for key in drawn)
    # No question gives another solution while one that could has given fewer.
    for q, size in enumerate(sizes):
        taken = counts[f"q{q}"]
        if taken < min(size, per_question):
            assert max(counts.values(), default=0) <= taken + 1
    more = draw_originals(keys(sizes), seed=seed, per_question=per_question, per_cell=per_cell + 3)
    assert more[: len(drawn)] == drawn


def test_the_order_of_the_input_does_not_matter_but_the_seed_does():
    drawn = draw_originals(keys([5] * 6), seed=1, per_question=2, per_cell=12)
    assert draw_originals(reversed(keys([5] * 6)), seed=1, per_question=2, per_cell=12) == drawn
    assert draw_originals(keys([5] * 6), seed=2, per_question=2, per_cell=12) != drawn


def test_panels_are_balanced():
    supported = {"a": keys([3, 3]), "b": keys([2, 2]), "c": []}
    assert {cell: len(kept) for cell, kept in choose_panel(supported, None).items()} == {
        "a": 4,
        "b": 4,
        "c": 0,
    }
    assert choose_panel(supported, None)["a"] == supported["a"][:4]
    assert {cell: len(kept) for cell, kept in choose_panel(supported, 5).items()} == {"a": 5, "b": 4, "c": 0}
