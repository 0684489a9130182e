"""Tokens counted from ids, and what an earlier call of the question already held."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fake_llama import run_fake
from reasonaudit.conversation import Ask
from reasonaudit.engine.accounting import cached_prompt_tokens
from reasonaudit.engine.scheduler import Session
from reasonaudit.generation import call_rows
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.parquet import to_table

ids = st.lists(st.integers(0, 2), max_size=6)


def test_prefixes_shared_with_an_earlier_call():
    prompts = [[1, 2, 3], [1, 2, 3], [1, 2, 3, 7, 8, 9], [1, 5], [4]]
    completions = [[7, 8], [6], [], [], []]
    # The third holds the first prompt and its whole reply; the last shares nothing.
    assert cached_prompt_tokens(prompts, completions) == [0, 3, 5, 1, 0]


@given(st.lists(st.tuples(ids, ids), max_size=5))
def test_cached_tokens_are_the_longest_common_beginning(calls):
    prompts, completions = [c[0] for c in calls], [c[1] for c in calls]

    def common(a, b):
        return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))

    expected = [
        max((common(prompt, prompts[j] + completions[j]) for j in range(i)), default=0)
        for i, prompt in enumerate(prompts)
    ]
    assert cached_prompt_tokens(prompts, completions) == expected


def rows_of(n_parallel):
    def method():
        said = ({"role": "user", "content": "x" * 100},)
        yield [Ask(said, 0.7, 30, i, "sample", sample_index=i) for i in range(4)]
        first = yield Ask(said, 0.0, 12, 4, "agent", conversation="c")
        said = (*said, {"role": "assistant", "content": first.text}, {"role": "user", "content": "sure?"})
        yield Ask(said, 0.0, 12, 5, "agent", round=1, conversation="c")

    (calls,) = run_fake([Session(("q",), method(), 77)], n_parallel=n_parallel).values()
    key = {"model": "m", "dataset": "d", "method": "x", "run": 0, "question_id": "q"}
    return calls, list(call_rows(calls, key))


def test_rows_of_calls_fit_their_table_and_count_ids():
    calls, rows = rows_of(3)
    table = to_table(rows, CALLS)
    assert table.num_rows == 6
    for call, row in zip(calls, rows, strict=True):
        assert row["prompt_tokens"] == len(call.prompt)
        assert row["completion_tokens"] == len(row["token_ids"]) == len(call.generated)
        assert row["tokens_source"] == "measured"
        assert row["stop_reason"] in ("stop", "length")
    assert [row["seed"] for row in rows] == [77, 78, 79, 80, 81, 82]
    length = rows[0]["prompt_tokens"]
    assert [row["cached_prompt_tokens"] for row in rows[:5]] == [0, *[length] * 4]
    assert rows[5]["cached_prompt_tokens"] >= length + rows[4]["completion_tokens"]


def test_what_is_counted_does_not_depend_on_the_schedule():
    assert rows_of(1)[1] == rows_of(2)[1] == rows_of(6)[1]


def test_a_stopped_reply_counts_its_end_token_but_does_not_show_it():
    for row in rows_of(2)[1]:
        shown = len(row["text"])  # one byte a token here
        assert row["completion_tokens"] == shown + (row["stop_reason"] == "stop")


def test_prompts_are_arrays_of_ids():
    assert all(call.prompt.dtype == np.int32 for call in rows_of(2)[0])
