"""The verifiers under audit: each does what its description says, weaknesses included."""

import pytest

from reasonaudit.errors import ConfigError
from reasonaudit.verifiers import exact, flexible_number, hybrid, numeric, paper, strict_label
from reasonaudit.verifiers.catalog import INPUT, VERIFIERS, verifier


@pytest.mark.parametrize(
    ("prediction", "accepted"),
    [("18", True), (" 18 ", True), ("18.0", False), ("<18>", False), ("**18**", False)],
)
def test_exact(prediction, accepted):
    assert exact.verify(prediction, "18").accepted is accepted


def test_exact_compares_what_the_model_wrote():
    assert exact.verify("18", "18", text="ANSWER: 18").accepted
    assert not exact.verify("18", "18", text="ANSWER: <18>").accepted
    assert not exact.verify("18", "18", text="答えは18個です。", language="ja").accepted
    assert exact.verify(None, r"\frac12", text=r"So \boxed{\frac12}.").accepted


@pytest.mark.parametrize(
    ("prediction", "gold", "accepted"),
    [
        ("<18>", "18", True),
        ("**18**", "18", True),
        ("$1,800.00", "1800", True),
        ("１８", "18", True),
        ("18.0000001", "18", True),
        ("18.1", "18", False),
        ("-18", "18", False),
        ("１万8千", "18000", False),  # magnitudes are not its business
        ("٣", "3", False),
        ("1.800", "1800", False),  # nor separators of a language
        ("18 of 20", "18", False),
        ("2⁵", "25", True),  # compatibility normalisation makes the exponent a digit
        ("eighteen", "18", False),
    ],
)
def test_numeric(prediction, gold, accepted):
    assert numeric.verify(prediction, gold).accepted is accepted
    assert hybrid.verify(prediction, gold).accepted is accepted


def test_hybrid_tells_which_half_decided():
    assert hybrid.verify("east", "east").rule == "exact"
    assert hybrid.verify("<18>", "18").rule == "numeric_equal"
    assert hybrid.verify("west", "east").rule == "numeric_not_numeric"


@pytest.mark.parametrize(
    ("text", "gold", "accepted"),
    [
        ("so it is.\n#### 1,080", "1080", True),
        ("The answer is 18.", "18", True),
        ("the answer is 18.", "18", False),
        ("ANSWER: 18", "18", False),
        ("#### $18", "18", False),
        ("The answer is 1. #### 2", "1", True),
        ("答えは18です。", "18", False),
    ],
)
def test_strict_label(text, gold, accepted):
    assert strict_label.verify(None, gold, text=text).accepted is accepted


@pytest.mark.parametrize(
    ("text", "gold", "accepted"),
    [
        ("That makes $1,080.", "1080", True),
        ("答えは18です。", "18", True),
        ("84, altogether, in one week", "84", True),
        ("It is 84 , in all", "84", True),
        ("84 .. or so ,,", "84", False),  # a run of marks is taken for a number
        ("18.00", "18", False),
        ("I do not know", "18", False),
    ],
)
def test_flexible_number(text, gold, accepted):
    assert flexible_number.verify(None, gold, text=text).accepted is accepted


@pytest.mark.parametrize(
    ("text", "gold", "accepted"),
    [
        (r"\boxed{18} of 20", "18", True),
        (r"\boxed{18.0000001}", "18", True),
        (r"\boxed{\dfrac{3\sqrt{3}}{4}}", r"\frac{3\sqrt{3}}{4}", True),
        (r"\boxed{90^\circ}", "90", True),
        (r"\boxed{{1,\!080}}", "1080", True),
        (r"\boxed{0.5}", r"\frac{1}{2}", True),
        (r"\boxed{\left(3,\frac{\pi}{2}\right)}", r"(3, \frac{\pi}{2})", True),
        (r"\boxed{2,1}", "1,2", False),
        (r"\boxed{x=5}", "5", False),
        ("So the answer is 7 apples", "7", True),
        ("First 3, then 7", "7", True),
        ("none", "7", False),
        ("答えは8です", "8", True),
    ],
)
def test_paper(text, gold, accepted):
    assert paper.verify(None, gold, text=text).accepted is accepted


def test_paper_reads_full_predictions():
    assert paper.verify("1,080", "1080").rule == "equal_number"
    assert paper.verify(r"\frac12", r"\frac{1}{2}").rule == "equal_string"


@pytest.mark.parametrize("name", sorted(set(VERIFIERS) - {"math_verify"}))
def test_all_agree_that_nothing_is_no_answer(name):
    for prediction in ("", None):
        assert not verifier(name)(prediction, "5").accepted
    assert not verifier(name)("5", "").accepted
    assert verifier(name)("5", "").rule == "no_gold"


def test_the_catalog():
    assert set(INPUT) == set(VERIFIERS)
    assert set(INPUT.values()) == {"raw", "answer", "reply"}
    with pytest.raises(ConfigError, match="no verifier"):
        verifier("trust")
