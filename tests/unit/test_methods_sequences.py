"""Every method, driven by scripted replies: what it says, to whom, in which order, how sampled."""

import importlib
import inspect
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reasonaudit.methods.best_of_n import shown_order
from reasonaudit.methods.declarations import declared, method_names
from reasonaudit.methods.prompts import PromptSet
from reasonaudit.methods.self_consistency_early_stop import probability_of_lead
from scripted_model import drive, flat, said

STUDY = {"temperature": 0.7, "max_tokens": 1024, "pool_size": 16, "top_p": 0.95}
TEXTS = {
    "system": "S",
    "answer_format": "F",
    "solve": "{question} solve {answer_format}",
    "plan_and_solve": "{question} plan {answer_format}",
    "critique": "critique",
    "revise": "revise by {feedback} {answer_format}",
    "judge_self": "judge",
    "reflect": "reflect",
    "retry": "{question} retry with [{reflections}] {answer_format}",
    "candidate": "#{number}: {solution}",
    "pick": "{question} pick of [{solutions}]",
    "pick_consistent": "{question} most agreed of [{solutions}]",
    "debate": "others [{solutions}] {answer_format}",
    "decompose": "{question} decompose",
    "subquestion": "{question} first {subquestion}",
    "next_subquestion": "next {subquestion}",
    "last_subquestion": "finally {question} {answer_format}",
    "hint": "{question} hint {hints} {answer_format}",
}
OPENING = ["s:S", "u:Q solve F"]


def start(name, prompts=None, **settings):
    module = importlib.import_module(f"reasonaudit.methods.{name}")
    return getattr(module, name)("Q", prompts or PromptSet(TEXTS), STUDY | module.DEFAULTS | settings)


def roles(asked):
    return [(ask.role, ask.round) for ask in flat(asked)]


def check_sampling(asked, *, temperature):
    asks = flat(asked)
    assert [ask.seed_offset for ask in asks] == list(range(len(asks)))
    assert {ask.temperature for ask in asks} == {temperature}
    assert {ask.max_tokens for ask in asks} == {1024}
    assert {ask.top_p for ask in asks} == {0.95 if temperature else 1.0}


# --- one call, or one turn of calls ---


def test_chain_of_thought_is_one_greedy_call():
    asked = drive(start("chain_of_thought"), ["ANSWER: 1"])
    assert [said(ask) for ask in flat(asked)] == [OPENING]
    assert roles(asked) == [("sample", 0)]
    check_sampling(asked, temperature=0.0)


def test_plan_and_solve_is_one_greedy_call():
    asked = drive(start("plan_and_solve"), ["plan ... ANSWER: 1"])
    assert [said(ask) for ask in flat(asked)] == [["s:S", "u:Q plan F"]]
    assert roles(asked) == [("sample", 0)]
    check_sampling(asked, temperature=0.0)


def test_the_pool_is_asked_together_and_a_larger_pool_extends_a_smaller_one():
    small = drive(start("self_consistency", pool_size=16), lambda ask: "x")
    large = drive(start("self_consistency", pool_size=32), lambda ask: "x")
    assert len(small) == 1
    assert len(small[0]) == 16
    assert {tuple(said(ask)) for ask in small[0]} == {tuple(OPENING)}
    assert [ask.sample_index for ask in small[0]] == list(range(16))
    check_sampling(small, temperature=0.7)
    assert large[0][:16] == small[0]


# --- rewriting ---


def test_self_refine_reviews_the_latest_solution_for_three_rounds():
    asked = drive(start("self_refine"), ["y0", "c1", "y1", "c2", "y2", "c3", "y3"])
    assert [said(ask) for ask in flat(asked)] == [
        OPENING,
        [*OPENING, "a:y0", "u:critique"],
        [*OPENING, "a:y0", "u:revise by c1 F"],
        [*OPENING, "a:y1", "u:critique"],
        [*OPENING, "a:y1", "u:revise by c2 F"],
        [*OPENING, "a:y2", "u:critique"],
        [*OPENING, "a:y2", "u:revise by c3 F"],
    ]
    expected = [
        ("critique", 1),
        ("revise", 1),
        ("critique", 2),
        ("revise", 2),
        ("critique", 3),
        ("revise", 3),
    ]
    assert roles(asked) == [("sample", 0), *expected]
    assert {ask.conversation for ask in flat(asked)} == {"solution"}
    check_sampling(asked, temperature=0.0)


def test_self_refine_can_keep_its_whole_history():
    asked = drive(start("self_refine", rounds=2, history="all"), ["y0", "c1", "y1", "c2", "y2"])
    so_far = [*OPENING, "a:y0", "u:revise by c1 F", "a:y1"]
    assert said(flat(asked)[3]) == [*so_far, "u:critique"]
    assert said(flat(asked)[4]) == [*so_far, "u:revise by c2 F"]


def test_reflexion_stops_at_once_when_it_judges_itself_correct():
    asked = drive(start("reflexion"), ["y0", "CORRECT. It adds up."])
    assert [said(ask) for ask in flat(asked)] == [OPENING, [*OPENING, "a:y0", "u:judge"]]
    assert roles(asked) == [("sample", 0), ("judge", 0)]
    check_sampling(asked, temperature=0.0)


def test_reflexion_reflects_on_attempt_and_judgement_and_retries_afresh_from_its_memory():
    script = ["y0", "INCORRECT a", "r1", "y1", "INCORRECT b", "r2", "y2", "INCORRECT c", "r3", "y3"]
    asked = drive(start("reflexion"), script)
    first, second, third = (
        ["s:S", f"u:Q retry with [{memory}] F"] for memory in ("r1", "r1\n\nr2", "r1\n\nr2\n\nr3")
    )
    assert [said(ask) for ask in flat(asked)] == [
        OPENING,
        [*OPENING, "a:y0", "u:judge"],
        [*OPENING, "a:y0", "u:judge", "a:INCORRECT a", "u:reflect"],
        first,
        [*first, "a:y1", "u:judge"],
        [*first, "a:y1", "u:judge", "a:INCORRECT b", "u:reflect"],
        second,
        [*second, "a:y2", "u:judge"],
        [*second, "a:y2", "u:judge", "a:INCORRECT c", "u:reflect"],
        third,
    ]
    assert roles(asked) == [
        ("sample", 0),
        ("judge", 0),
        ("reflect", 1),
        ("retry", 1),
        ("judge", 1),
        ("reflect", 2),
        ("retry", 2),
        ("judge", 2),
        ("reflect", 3),
        ("retry", 3),
    ]
    assert {ask.conversation for ask in flat(asked)} == {"attempt"}
    check_sampling(asked, temperature=0.0)


@pytest.mark.parametrize(("correct_at", "calls"), [(0, 2), (1, 5), (2, 8), (3, 10), (None, 10)])
def test_reflexion_makes_2_5_8_or_10_calls(correct_at, calls):
    def reply(ask):
        return "CORRECT" if ask.role == "judge" and ask.round == correct_at else "INCORRECT"

    assert len(flat(drive(start("reflexion"), reply))) == calls


def test_reflexion_cannot_know_that_the_second_trial_would_be_right():
    """Case jud-10: a loop that reads the gold (15) would go on after "CORRECT" and score."""
    asked = flat(drive(start("reflexion"), ["ANSWER: 14", "CORRECT"]))
    assert [ask.role for ask in asked] == ["sample", "judge"]


@pytest.mark.parametrize(("choice", "calls"), [("continue", 10), ("stop", 2)])
def test_what_an_unreadable_judgement_means_is_a_setting(choice, calls):
    asked = drive(start("reflexion", unreadable_judgement=choice), lambda ask: "hm")
    assert len(flat(asked)) == calls


def test_reflexion_forgets_the_oldest_reflections():
    def reply(ask):
        return f"r{ask.round}" if ask.role == "reflect" else "INCORRECT"

    asked = flat(drive(start("reflexion", memory=2), reply))
    assert said(asked[-1]) == ["s:S", "u:Q retry with [r2\n\nr3] F"]


def test_forced_reflexion_never_judges():
    asked = drive(start("reflexion_forced"), ["y0", "r1", "y1", "r2", "y2", "r3", "y3"])
    first, second, third = (
        ["s:S", f"u:Q retry with [{memory}] F"] for memory in ("r1", "r1\n\nr2", "r1\n\nr2\n\nr3")
    )
    assert [said(ask) for ask in flat(asked)] == [
        OPENING,
        [*OPENING, "a:y0", "u:reflect"],
        first,
        [*first, "a:y1", "u:reflect"],
        second,
        [*second, "a:y2", "u:reflect"],
        third,
    ]
    expected = [("reflect", 1), ("retry", 1), ("reflect", 2), ("retry", 2), ("reflect", 3), ("retry", 3)]
    assert roles(asked) == [("sample", 0), *expected]
    check_sampling(asked, temperature=0.0)


def test_progressive_hint_asks_until_two_answers_in_a_row_agree():
    asked = drive(start("progressive_hint"), ["ANSWER: 5", "ANSWER: 6", "ANSWER: 5", "so ANSWER: 5.0"])
    assert [said(ask)[1] for ask in flat(asked)] == [
        "u:Q solve F",
        "u:Q hint 5 F",
        "u:Q hint 5, 6 F",
        "u:Q hint 5, 6, 5 F",
    ]
    assert roles(asked) == [("sample", 0), ("retry", 1), ("retry", 2), ("retry", 3)]
    check_sampling(asked, temperature=0.0)


def test_progressive_hint_ends_at_its_limit_and_at_a_reply_without_an_answer():
    def never_twice(ask):
        return f"ANSWER: {ask.round}"

    assert len(flat(drive(start("progressive_hint", rounds=2), never_twice))) == 3
    assert len(flat(drive(start("progressive_hint"), ["no idea"]))) == 1
    assert len(flat(drive(start("progressive_hint"), ["ANSWER: 1", "no idea"]))) == 2


# --- choosing ---


def test_best_of_n_shows_all_candidates_without_the_system_prompt():
    asked = drive(start("best_of_n"), [*(f" y{i}\n" for i in range(8)), "BEST=3"])
    assert [len(turn) for turn in asked] == [8, 1]
    assert {tuple(said(ask)) for ask in asked[0]} == {tuple(OPENING)}
    listed = "\n\n".join(f"#{i + 1}: y{i}" for i in range(8))
    assert said(asked[1][0]) == [f"u:Q pick of [{listed}]"]
    assert roles(asked) == [("sample", 0)] * 8 + [("pick", 1)]
    assert [ask.sample_index for ask in asked[0]] == list(range(8))
    check_sampling(asked, temperature=0.7)


def test_permuted_candidates_are_the_same_candidates_in_another_order():
    def reply(ask):
        return f"y{ask.seed_offset}"

    plain = drive(start("best_of_n"), reply)
    permuted = drive(start("best_of_n", permute_candidates=True), reply)
    order = shown_order("Q", 8)
    assert order != list(range(8))
    assert sorted(order) == list(range(8))
    assert [ask.seed_offset for ask in permuted[0]] == order
    assert [ask.sample_index for ask in permuted[0]] == list(range(8))
    listed = "\n\n".join(f"#{place + 1}: y{offset}" for place, offset in enumerate(order))
    assert said(permuted[1][0]) == [f"u:Q pick of [{listed}]"]
    assert permuted[1][0].seed_offset == plain[1][0].seed_offset == 8


@given(st.text(), st.integers(0, 12))
def test_the_shown_order_is_a_permutation_that_follows_from_the_question(question, n):
    order = shown_order(question, n)
    assert sorted(order) == list(range(n))
    assert order == shown_order(question, n)


def test_universal_self_consistency_chooses_greedily():
    asked = drive(start("universal_self_consistency", samples=3), ["a", "b", "a", "BEST=1"])
    assert [len(turn) for turn in asked] == [3, 1]
    assert said(asked[1][0]) == ["u:Q most agreed of [#1: a\n\n#2: b\n\n#3: a]"]
    assert [ask.seed_offset for ask in flat(asked)] == [0, 1, 2, 3]
    assert [ask.temperature for ask in flat(asked)] == [0.7, 0.7, 0.7, 0.0]
    assert roles(asked) == [("sample", 0)] * 3 + [("pick", 1)]


# --- debating ---


def test_debate_agents_read_the_last_solutions_of_the_others():
    script = ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"]
    asked = drive(start("debate"), script)
    assert [len(turn) for turn in asked] == [3, 3, 3]
    assert [said(ask) for ask in asked[0]] == [OPENING] * 3
    for r in (1, 2):
        assert [said(ask) for ask in asked[r]] == [
            [*OPENING, f"a:a{r - 1}", f"u:others [#1: b{r - 1}\n\n#2: c{r - 1}] F"],
            [*OPENING, f"a:b{r - 1}", f"u:others [#1: a{r - 1}\n\n#2: c{r - 1}] F"],
            [*OPENING, f"a:c{r - 1}", f"u:others [#1: a{r - 1}\n\n#2: b{r - 1}] F"],
        ]
    assert roles(asked) == [("agent", 0)] * 3 + [("agent", 1)] * 3 + [("agent", 2)] * 3
    assert [ask.sample_index for ask in flat(asked)] == [0, 1, 2] * 3
    assert [ask.conversation for ask in flat(asked)] == ["agent-0", "agent-1", "agent-2"] * 3
    check_sampling(asked, temperature=0.7)


def test_debate_can_keep_its_whole_history():
    asked = drive(start("debate", agents=2, history="all"), ["a0", "b0", "a1", "b1", "a2", "b2"])
    assert said(asked[2][0]) == [*OPENING, "a:a0", "u:others [#1: b0] F", "a:a1", "u:others [#1: b1] F"]


# --- decomposing ---


def test_least_to_most_answers_the_easier_questions_in_one_conversation():
    asked = drive(start("least_to_most"), ["1. How many?\n2. How much?", "three", "four", "ANSWER: 7"])
    first = ["s:S", "u:Q first How many?"]
    assert [said(ask) for ask in flat(asked)] == [
        ["s:S", "u:Q decompose"],
        first,
        [*first, "a:three", "u:next How much?"],
        [*first, "a:three", "u:next How much?", "a:four", "u:finally Q F"],
    ]
    assert roles(asked) == [("decompose", 0), ("subanswer", 1), ("subanswer", 2), ("sample", 3)]
    assert [ask.conversation for ask in flat(asked)] == [None, "steps", "steps", "steps"]
    check_sampling(asked, temperature=0.0)


def test_least_to_most_without_a_list_just_solves():
    asked = drive(start("least_to_most"), ["I would rather not.", "ANSWER: 7"])
    assert [said(ask) for ask in flat(asked)] == [["s:S", "u:Q decompose"], OPENING]


def test_least_to_most_decomposes_without_exemplars_and_answers_with_them():
    prompts = PromptSet(TEXTS, [{"question": "E", "reply": "e"}])
    asked = flat(drive(start("least_to_most", prompts), ["1. How many?", "three", "ANSWER: 3"]))
    assert said(asked[0]) == ["s:S", "u:Q decompose"]
    assert said(asked[1]) == ["s:S", "u:E solve F", "a:e", "u:Q first How many?"]


def test_least_to_most_limits_the_easier_questions():
    asked = drive(start("least_to_most", max_subquestions=2), lambda ask: "1. a\n2. b\n3. c")
    assert len(flat(asked)) == 4


# --- stopping early ---


@pytest.mark.parametrize("first", range(7))
@pytest.mark.parametrize("second", range(7))
def test_the_stopping_rule_is_the_beta_tail(first, second):
    assert float(probability_of_lead(first, second)) == pytest.approx(
        stats.beta.sf(0.5, first + 1, second + 1)
    )


def test_the_stopping_rule_is_exact():
    assert probability_of_lead(0, 0) == Fraction(1, 2)
    assert probability_of_lead(4, 0) == Fraction(31, 32)


def test_unanimous_samples_stop_after_four():
    asked = drive(start("self_consistency_early_stop"), lambda ask: "ANSWER: 5")
    assert [len(turn) for turn in asked] == [4]
    assert roles(asked) == [("sample", 0)] * 4
    check_sampling(asked, temperature=0.7)


def test_the_rule_stops_above_its_threshold_not_at_it():
    for threshold, samples in ((0.96875, 5), (0.9687, 4)):  # four alike give 31/32
        asked = drive(start("self_consistency_early_stop", threshold=threshold), lambda ask: "ANSWER: 5")
        assert len(flat(asked)) == samples


def test_samples_that_never_agree_or_cannot_be_read_stop_at_the_limit():
    for reply in (lambda ask: f"ANSWER: {ask.seed_offset}", lambda ask: "hm"):
        asked = drive(start("self_consistency_early_stop", max_samples=10), reply)
        assert [ask.sample_index for ask in flat(asked)] == list(range(10))
        check_sampling(asked, temperature=0.7)


@given(st.lists(st.sampled_from([None, "1", "2", "3"]), min_size=16, max_size=16))
def test_asking_ahead_samples_exactly_what_one_by_one_would(answers):
    def reply(ask):
        answer = answers[ask.seed_offset]
        return "?" if answer is None else f"ANSWER: {answer}"

    drawn = 0
    while drawn < 16:  # the rule, literally, after every sample
        drawn += 1
        seen = [answer for answer in answers[:drawn] if answer is not None]
        counts = sorted((seen.count(answer) for answer in set(seen)), reverse=True)
        first, second = (*counts, 0, 0)[:2]
        if stats.beta.sf(0.5, first + 1, second + 1) > 0.95:
            break
    assert len(flat(drive(start("self_consistency_early_stop"), reply))) == drawn


# --- all methods ---


@pytest.mark.parametrize("name", method_names())
def test_a_method_takes_the_question_and_never_the_gold(name):
    function = getattr(importlib.import_module(f"reasonaudit.methods.{name}"), name)
    assert list(inspect.signature(function).parameters) == ["question", "prompts", "settings"]


@pytest.mark.parametrize("name", method_names())
def test_a_method_says_just_the_prompts_it_declares(name):
    class Listening(PromptSet):
        heard: set = set()  # noqa: RUF012 (one object)

        def _text(self, step):
            self.heard.add(step)
            return super()._text(step)

    prompts = Listening(TEXTS, [{"question": "E", "reply": "e"}])
    drive(
        start(name, prompts),
        lambda ask: "1. first\n2. second\nINCORRECT" if ask.role != "sample" else "ANSWER: 1",
    )
    assert prompts.heard - {"answer_format"} == set(declared(name)["PROMPTS"])


@pytest.mark.parametrize("name", method_names())
def test_exemplars_are_one_prefix_of_every_first_attempt(name):
    prompts = PromptSet(TEXTS, [{"question": "E", "reply": "e ANSWER: 0"}])
    asked = flat(drive(start(name, prompts), lambda ask: "ANSWER: 1"))
    samples = [ask for ask in asked if ask.round == 0 and ask.role in ("sample", "agent")]
    for ask in samples:
        assert said(ask)[:3] == ["s:S", "u:E solve F", "a:e ANSWER: 0"]
    assert samples or name == "least_to_most"


@pytest.mark.parametrize("history", ["last", "all"])
@pytest.mark.parametrize("name", method_names())
def test_no_prompt_holds_more_replies_than_the_method_announces(name, history):
    module = importlib.import_module(f"reasonaudit.methods.{name}")
    given = {"history": history} if "history" in module.DEFAULTS else {}
    announced = module.replies_in_longest_prompt(STUDY | module.DEFAULTS | given)

    def reply(ask):  # MARK once in a reply; a list whose items are all put into prompts as one reply
        return f"1. MARK{ask.seed_offset}\nANSWER: {ask.seed_offset}"

    asked = flat(drive(start(name, **given), reply))
    longest = max(sum(message["content"].count("MARK") for message in ask.messages) for ask in asked)
    assert longest <= announced
    if name not in ("least_to_most", "progressive_hint"):  # theirs are bounds, not counts
        assert longest == announced


@pytest.mark.parametrize("name", method_names())
def test_seed_offsets_are_distinct_within_a_method(name):
    asked = flat(drive(start(name), lambda ask: f"1. a\n2. b\nANSWER: {ask.seed_offset}"))
    offsets = [ask.seed_offset for ask in asked]
    assert len(set(offsets)) == len(offsets)
    assert min(offsets) == 0
