"""Numbers as whole tokens, labels among them, and the menu of wrong numbers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.audit.number_labels import is_label
from reasonaudit.audit.number_tokens import NumberToken, find_numbers, possible_values, values_in
from reasonaudit.audit.wrong_numbers import MENU, relative_size, wrong_numbers

PIECES = [
    "7",
    "17",
    "1.7",
    "1,700",
    " ",
    ", ",
    ".",
    "x",
    "\\frac{",
    "}{",
    "}",
    "(1,2)",
    "1{,}200",
    "০",
    "\n",
    "9",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("15+5=20", "en", [15, 5, 20]),
        ("1.7 and 17", "en", ["17/10", 17]),
        ("1,700 or 1{,}700 or 10,\\!700", "en", [1700, 1700, 10700]),
        ("(1,2) and {3,4,5}", "en", [1, 2, 3, 4, 5]),
        ("1,234.56", "en", ["123456/100"]),
        ("1.5,2.5", "en", ["3/2", "5/2"]),
        ("1,5 und 1.234,5", "de", ["3/2", "12345/10"]),
        ("3.14", "de", ["157/50"]),
        ("1.234", "de", [None]),
        ("1,234", "pt", [None]),
        ("2.000.000", "tr", [2000000]),
        ("10 000", "fr", [None]),
        ("1.2.3", "en", [None]),
        ("12,34,567", "en", [None]),
        ("\\frac12", "en", [None]),
        ("x^12 and x^{12}", "en", [None, 12]),
        ("007", "en", [None]),
        ("১২,৩৪৫ টাকা", "bn", [12345]),
        ("１２３", "ja", [123]),
        ("no number", "en", []),
    ],
)
def test_reading(text, language, expected):
    values = [token.value for token in find_numbers(text, language)]
    assert values == [None if value is None else Fraction(value) for value in expected]


@given(TEXTS, st.sampled_from(["en", "de", "bn"]))
def test_every_digit_is_in_one_token_and_no_token_starts_or_ends_inside_a_number(text, language):
    tokens = find_numbers(text, language)
    covered = [i for token in tokens for i in range(token.start, token.end)]
    assert len(covered) == len(set(covered))
    assert {i for i, c in enumerate(text) if c.isdecimal()} <= set(covered)
    for token in tokens:
        assert text[token.start : token.end] == token.text
        assert not text[token.start - 1 : token.start].isdecimal()
        assert not text[token.end : token.end + 1].isdecimal()


@given(TEXTS)
def test_rewriting_with_the_same_digits_changes_nothing(text):
    for token in find_numbers(text):
        if token.value is not None:
            assert token.rewritten(token.digits) == token.text


@pytest.mark.parametrize(
    ("text", "digits", "written"),
    [("1,999", "2000", "2,000"), ("1,000", "999", "999"), ("0.05", "7", "0.07"), ("৯৯", "100", "১০০")],
)
def test_rewriting_keeps_the_habit(text, digits, written):
    (token,) = find_numbers(text)
    assert token.rewritten(digits) == written


def test_an_unclear_number_may_be_any_of_its_readings():
    assert possible_values(find_numbers("1.234", "de")[0]) >= {1, 234, 1234, Fraction(1234, 1000)}
    assert values_in("\\frac12") == {1, 2, 12}


@pytest.mark.parametrize(
    "text",
    [
        "Step «3»: add",
        "the «2»nd quadrant",
        "the «21»st of",
        "5^{th} is «5»^{th}",
        "a_«4»",
        "a_{«15»}",
        "A«7» paper",
        "\n«2». Then",
        "\n**«3».** Then",
        "from («4») we get",
        "in \\textbf{Case «6»}:",
        "第«2»步",
        "«2»番目の数",
        "Schritt «5»",
        "\\\\[«2»pt]",
        "\\tag{«9»}",
    ],
)
def test_labels(text):
    assert is_label(*_marked(text))


@pytest.mark.parametrize(
    "text",
    [
        "= «8» and",
        "f(«9»)",
        "3(«10»)",
        "then «14».\nNext",
        "grow «3» apples",
        "$x=«22»$",
        "有 «33» 个",
        "«2»x",
    ],
)
def test_quantities(text):
    assert not is_label(*_marked(text))


@given(st.integers(0, 10**6), st.integers(0, 2), st.integers(0, 2**32 - 1))
def test_wrong_numbers_differ_and_keep_their_form(number, decimals, seed):
    text = f"{number / 10**decimals:.{decimals}f}"
    (token,) = find_numbers(text)
    wrong = list(wrong_numbers(token, np.random.default_rng(seed)))
    assert wrong
    for candidate in wrong:
        assert candidate.value != token.value
        assert candidate.value >= 0
        (again,) = find_numbers(candidate.text)
        assert (again.value, again.fraction_digits) == (candidate.value, token.fraction_digits)
        if candidate.menu == "plus_minus":
            assert abs(candidate.value - token.value) in (1, 2)
        elif candidate.menu == "single_digit":
            assert sum(a != b for a, b in zip(token.text, candidate.text, strict=True)) == 1
        else:
            assert sorted(candidate.text) == sorted(token.text)
            assert sum(a != b for a, b in zip(token.text, candidate.text, strict=True)) == 2
    assert [c.menu for c in wrong if not c.fallback] == [wrong[0].menu] * sum(not c.fallback for c in wrong)


def test_the_menu_is_drawn_with_its_weights():
    (token,) = find_numbers("374")
    rng = np.random.default_rng(5)
    drawn = [next(wrong_numbers(token, rng)).menu for _ in range(4000)]
    for kind, weight in MENU.items():
        assert drawn.count(kind) / 4000 == pytest.approx(weight, abs=0.03)


def test_a_kind_without_candidates_falls_back():
    (token,) = find_numbers("7")
    first = [next(wrong_numbers(token, np.random.default_rng(seed))) for seed in range(200)]
    assert {candidate.menu for candidate in first} == {"plus_minus", "single_digit"}
    assert any(candidate.fallback for candidate in first)


def test_relative_size():
    assert relative_size(Fraction(50), Fraction(40)) == pytest.approx(0.2)
    assert relative_size(Fraction(0), Fraction(1)) is None


def _marked(text: str) -> tuple[str, NumberToken]:
    start = text.index("«")
    plain = text.replace("«", "").replace("»", "")
    return plain, next(token for token in find_numbers(plain) if token.start == start)
