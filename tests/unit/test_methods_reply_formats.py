"""What methods read while they generate: judgements, answers, lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.methods.reply_formats import (
    LONGEST_ANSWER,
    answer_key,
    read_answer,
    read_judgement,
    read_list,
)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("CORRECT", True),
        ("INCORRECT", False),
        ("CORRECT. The sum is right.", True),
        ("INCORRECT: 3 x 4 is 12.", False),
        ("**CORRECT**", True),
        (r"\boxed{\text{INCORRECT}}", False),
        ("I thought CORRECT at first, but INCORRECT.", False),  # INCORRECT is matched first
        ("INCORRECT at first sight, then CORRECT.", False),
        ("INCORRECTLY", None),  # whole words
        ("CORRECTNESS matters", None),
        ("CORRECTです。", True),  # other scripts do not join words
        ("答案INCORRECT。", False),
        ("ＣＯＲＲＥＣＴ", True),
        ("INCOR\u200bRECT", False),
        ("CORRECT or INCORRECT", None),  # the instruction, repeated
        ("CORRECT or INCORRECT? CORRECT", True),
        ("'CORRECT'/'INCORRECT'", None),
        ("It is not CORRECT.", False),
        ("It isn't CORRECT.", False),
        ("It is not INCORRECT.", None),
        ("The answer isn’t INCORRECT; CORRECT", True),
        ("Correct.", True),
        ("incorrect, since 2 + 2 = 4", False),
        ("Yes, the answer is correct.", True),
        ("No, my final answer is not correct because I forgot the tax.", False),
        ("I checked every step. The answer is correct.", True),
        ("The solution is correct. The answer is incorrect.", False),
        ("The correct answer is 5.", None),
        ("Let me correct it: 5.", None),
        # reported of other judges: cases jud-02 and jud-05
        ("I cannot tell.", None),
        ("I could not find that step 2 is incorrect; all steps hold. CORRECT", True),
        ("I cannot say that it is correct.", None),
        ("This is not correct.", False),
        ("", None),
        ("\n \t", None),
        ("hm", None),
    ],
)
def test_judgements(text, verdict):
    assert read_judgement(text) is verdict


@given(
    st.text(alphabet=st.characters(exclude_categories=("Cs",)).filter(lambda c: c.upper() not in "INCORETX"))
)
def test_text_without_the_letters_of_the_words_is_no_judgement(text):
    assert read_judgement(text) is None


@given(st.text(alphabet="abdfghjklmpqsuvwyz0123456789 .,!\n"), st.booleans())
def test_one_word_in_capitals_decides_whatever_surrounds_it(noise, correct):
    word = "CORRECT" if correct else "INCORRECT"
    assert read_judgement(f"{word} {noise}") is correct
    assert read_judgement(f"{noise} {word}") is correct


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("2 + 3 = 5\nANSWER: 5", "5"),
        ("Answer: 5 apples", "5 apples"),
        ("**ANSWER:** 5", "5"),
        ("ANSWER： 5", "5"),
        (r"so \boxed{\frac{1}{2}}.", r"\frac{1}{2}"),
        (r"ANSWER: \boxed{5}", "5"),
        ("ANSWER: 4\nno, wait\nANSWER: 5", "5"),
        (r"\boxed{4} but ANSWER: 5", "5"),
        (r"ANSWER: 4 but \boxed{5}", "5"),
        (r"\boxed{\{1, 2\}}", r"\{1, 2\}"),
        (r"\boxed{5", None),
        (r"ANSWER: \boxed{5", None),
        ("ANSWER:", None),
        ("ANSWER: \n5", None),
        (r"\boxed{}", None),
        ("the result is 5", None),
        ("MYANSWER: 5", None),
        ("", None),
    ],
)
def test_answers(text, answer):
    assert read_answer(text) == answer


@given(st.text(alphabet="0123456789abc+-/ ", min_size=1, max_size=40).filter(str.strip), st.text())
def test_the_last_label_wins(value, noise):
    assert read_answer(f"{noise}\nANSWER: {value}") == value.strip()


@given(st.text())
def test_any_text_can_be_read(text):
    answer = read_answer(text)
    assert answer is None or 0 < len(answer) <= LONGEST_ANSWER
    assert read_judgement(text) in (True, False, None)
    assert all(read_list(text, 5))


def test_a_text_that_went_astray_is_no_answer():
    assert read_answer("ANSWER: " + "7" * LONGEST_ANSWER) == "7" * LONGEST_ANSWER
    assert read_answer("ANSWER: " + "7" * (LONGEST_ANSWER + 1)) is None


@pytest.mark.parametrize(
    "equal",
    [
        ["1200", "1,200", "$1,200", r"\$1200", "1200.0", " 1 200.", "01200", "+1200", "１２００"],
        ["0", "-0", "0.00", "00"],
        ["-3.5", "-3.50", "-03.5"],
        ["3/4", "3 / 4", "$3/4$"],
        ["Monday", "monday."],
    ],
)
def test_equal_answers_meet(equal):
    assert len({answer_key(answer) for answer in equal}) == 1


def test_different_answers_do_not_meet():
    different = ["12", "1.2", "120", "-12", "1,2", "1/2", "x", "0", "2", "1" * 40, "1" * 39 + "2"]
    assert len({answer_key(answer) for answer in different}) == len(different)


@given(
    st.decimals(allow_nan=False, allow_infinity=False, places=3),
    st.decimals(allow_nan=False, allow_infinity=False, places=3),
)
def test_numbers_meet_exactly_when_they_are_equal(a, b):
    assert (answer_key(format(a, "f")) == answer_key(format(b, "f"))) == (a == b)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("1. How many?\n2. How much?", ["How many?", "How much?"]),
        ("Sure:\n1) a\n\n(2) b\n３、c", ["a", "b", "c"]),
        ("- a\n* b\n• **c**", ["a", "b", "c"]),
        ("1. a\n2. a\n3. b", ["a", "b"]),
        ("1.\n2. \n3. b", ["b"]),
        ("How many? How much?", []),
        ("3.5 apples", []),
        ("2024 was long", []),
        ("-5 apples\n**Bold**", []),
    ],
)
def test_lists(text, items):
    assert read_list(text, 9) == items


def test_lists_are_cut():
    assert read_list("1. a\n2. b\n3. c", 2) == ["a", "b"]
