"""Rules that turn the calls of a method into its answers; the parser of picks."""

import pytest

from reasonaudit.answers.answer_rules import ANSWER_RULES, answer_rule
from reasonaudit.answers.picks import read_pick
from reasonaudit.answers.policies import Policy
from reasonaudit.errors import ConfigError, TableError
from reasonaudit.methods.catalog import METHODS


def call(index, text="ANSWER: 1", role="sample", round_=0, sample=0, tokens=10, stop="stop", prompt=100):
    return {
        "question_id": "q1",
        "call_index": index,
        "role": role,
        "round": round_,
        "sample_index": sample,
        "text": text,
        "prompt_tokens": prompt,
        "completion_tokens": tokens,
        "max_tokens": 50,
        "stop_reason": stop,
    }


def apply(rule, calls):
    return answer_rule(rule)(calls, "en", Policy())


def test_every_method_declares_a_rule_that_exists():
    assert {entry.answer_rule for entry in METHODS.values()} <= set(ANSWER_RULES)


def test_the_pool_pays_for_each_sample_alone():
    calls = [
        call(0, sample=0, tokens=7),
        call(1, sample=1, tokens=9, stop="length"),
        call(2, sample=2, tokens=0),
    ]
    answers = apply("each_sample", calls)
    assert [answer.sample_index for answer in answers] == [0, 1, 2]
    assert [answer.generated_tokens for answer in answers] == [7, 9, 0]
    assert [answer.total_tokens for answer in answers] == [107, 109, 100]
    assert [answer.stopped_by_length for answer in answers] == [False, True, False]
    assert [len(answer.calls) for answer in answers] == [1, 1, 1]


def refine():
    return [
        call(0, "ANSWER: 1"),
        call(1, "It is wrong. ANSWER: 99", role="critique", round_=1),
        call(2, "ANSWER: 2", role="revise", round_=1),
        call(3, "Better now.", role="critique", round_=2),
        call(4, "I cannot say.", role="revise", round_=2),
        call(5, "CORRECT. ANSWER: 77", role="judge", round_=2),
    ]


def test_last_call_and_last_attempt_skip_critiques_and_judgements():
    for rule in ("last_call", "last_attempt"):
        (answer,) = apply(rule, refine())
        assert answer.call["call_index"] == 4
        assert answer.generated_tokens == 60
        assert len(answer.calls) == 6


def test_last_answer_goes_back_to_what_can_be_read():
    (answer,) = apply("last_answer", refine())
    assert answer.call["call_index"] == 2
    unreadable = [call(0, "I cannot say."), call(1, "None that I see.", role="revise")]
    assert apply("last_answer", unreadable)[0].call["call_index"] == 1


def best_of_n(pick):
    samples = [call(i, f"ANSWER: {i}", sample=i) for i in range(3)]
    return [*samples, call(3, pick, role="pick", round_=1)]


@pytest.mark.parametrize(
    ("pick", "chosen", "note"),
    [
        ("BEST=2", 1, None),
        ("I compared them.\nBEST = 3", 2, None),
        ("none", 0, "pick_unreadable"),
        ("BEST=0", 0, "pick_out_of_range"),
        ("BEST=4", 0, "pick_out_of_range"),
        ("", 0, "pick_unreadable"),
    ],
)
def test_the_picked_candidate_answers_never_the_vote(pick, chosen, note):
    (answer,) = apply("picked_candidate", best_of_n(pick))
    assert answer.call["call_index"] == chosen
    assert answer.note == note
    assert answer.generated_tokens == 40


def test_candidates_are_found_by_the_place_where_they_were_shown():
    shuffled = [
        call(0, "ANSWER: b", sample=1),
        call(1, "ANSWER: a", sample=0),
        call(2, "BEST=1", role="pick"),
    ]
    assert apply("picked_candidate", shuffled)[0].call["text"] == "ANSWER: a"


def debate(*last_round):
    first = [call(i, "ANSWER: 9", role="agent", sample=i) for i in range(3)]
    last = [call(3 + i, text, role="agent", round_=1, sample=i) for i, text in enumerate(last_round)]
    return first + last


@pytest.mark.parametrize(
    ("replies", "chosen", "note"),
    [
        (("ANSWER: 1", "ANSWER: 0.5", r"ANSWER: $\frac12$"), 4, None),
        (("ANSWER: 1", "ANSWER: 2", "ANSWER: 3"), 3, "tie"),
        (("I cannot say.", "ANSWER: 2", "ANSWER: 3"), 4, "tie"),
        (("I cannot say.", "I cannot say.", "I cannot say."), 3, "no_majority"),
    ],
)
def test_debate_takes_the_majority_of_the_last_round(replies, chosen, note):
    (answer,) = apply("majority_of_last_round", debate(*replies))
    assert answer.call["call_index"] == chosen
    assert answer.note == note
    assert len(answer.calls) == 6


def test_context_errors_and_limits():
    (failed,) = apply("picked_candidate", [call(0), call(1, "", role="pick", tokens=0, stop="context")])
    assert failed.context_error
    (ended_by_context,) = apply("last_call", [call(0, tokens=30, stop="context")])
    assert not ended_by_context.context_error
    (no_reason,) = apply("last_call", [call(0, tokens=50, stop=None)])
    assert no_reason.stopped_by_length
    (below,) = apply("last_call", [call(0, tokens=49, stop=None)])
    assert not below.stopped_by_length


def test_missing_counts_stay_missing():
    (answer,) = apply("last_call", [call(0, tokens=None, prompt=None)])
    assert (answer.generated_tokens, answer.total_tokens) == (None, None)


def test_calls_without_an_answer_and_unknown_rules():
    with pytest.raises(TableError, match="no call"):
        apply("last_call", [call(0, role="critique")])
    with pytest.raises(ConfigError, match="no answer rule"):
        answer_rule("the_vote")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("BEST=3", 3),
        ("BEST = 3.", 3),
        ("**BEST=3**", 3),
        ("BEST=<3>", 3),
        ("BEST：３", 3),
        ("BEST=Solution 2", 2),
        ("First I thought BEST=1, but BEST=4", 4),
        ("BEST=<n> means BEST=2", 2),
        ("BEST=<number>", None),
        ("The best is 3", None),
        ("3", None),
        ("BEST=3.5", None),
        ("", None),
    ],
)
def test_picks(text, number):
    assert read_pick(text) == number
