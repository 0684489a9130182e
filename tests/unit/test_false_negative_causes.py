"""Causes of false negatives: the form of the answer, and what a numeric comparison readmits."""

import pandas as pd
import pytest

from reasonaudit.analysis.answer_forms import form_of, recovered_by_stripping
from reasonaudit.analysis.displayed_rates import half_up
from reasonaudit.analysis.false_negative_causes import cause_rows


@pytest.mark.parametrize(
    ("prediction", "gold", "form"),
    [
        ("<18>", "18", "angle_brackets"),
        ("答えは<18>個です", "18", "angle_brackets"),
        ("＜18＞", "18", "angle_brackets"),
        ("「18」", "18", "corner_brackets"),
        ("【18】", "18", "corner_brackets"),
        ("**18**", "18", "markdown"),
        ("**$18**", "18", "markdown"),
        ("`18`", "18", "markdown"),
        ("$18$", "18", "math_delimiters"),
        ("\\(18\\)", "18", "math_delimiters"),
        ("\\boxed{18}", "18", "boxed"),
        ("$\\boxed{18}$", "18", "boxed"),
        ("[18]", "18", "square_brackets"),
        ("[$18]", "18", "square_brackets"),
        ("[18 eggs]", "18", "square_brackets"),
        ("(18)", "18", "parentheses"),
        ('"18"', "18", "quotes"),
        ("\\text{18}", "18", "text_command"),
        ("\\frac{3}{4}", "0.75", "latex_fraction"),
        ("1.8e3", "1800", "power_of_ten"),
        ("9 x 2 = 18", "18", "equation"),
        ("18%", "18", "percent"),
        ("$18", "18", "currency"),
        ("18 USD", "18", "currency"),
        ("１８", "18", "full_width_digits"),
        ("১৮", "18", "other_digits"),
        ("十八", "18", "cjk_numerals"),
        ("3万5千", "35000", "cjk_numerals"),
        ("18 eggs", "18", "unit_or_text"),
        ("18個", "18", "unit_or_text"),
        ("1,800", "1800", "separators"),
        ("1\\,800", "1800", "separators"),
        ("18.00", "18", "trailing_zeros"),
        ("−18", "-18", "minus_sign"),
        ("18.", "18", "punctuation"),
        ("18。", "18", "punctuation"),
        (" 18", "18", "whitespace"),
        ("3/4", "0.75", "equal_value"),
        ("18", "18", "not_found_in_text"),
        (None, "18", "no_answer"),
    ],
)
def test_forms(prediction, gold, form):
    assert form_of(prediction, gold) == form


def test_a_form_that_the_gold_shares_is_no_cause():
    assert form_of("$\\frac{3}{4}$", "\\frac{3}{4}") == "math_delimiters"
    assert form_of("\\frac{3}{4}.", "\\frac{3}{4}") == "punctuation"


@pytest.mark.parametrize(
    ("prediction", "gold", "recovered"),
    [
        ("<18>", "18", True),
        ("$1,800.00", "1800", True),
        ("18 of 20", "18", False),
        ("十八", "18", False),
        ("−18", "-18", False),
        (None, "18", False),
        ("eggs", "18", False),
    ],
)
def test_recovery_by_stripping(prediction, gold, recovered):
    assert recovered_by_stripping(prediction, gold) is recovered


def test_published_shares_of_the_dominant_wrapper():
    """307 of 308 rejected right Japanese answers in angle brackets: 99.7%, and 94.8% readmitted."""
    missed = pd.DataFrame(
        {
            "language": "ja",
            "question_id": [f"q{i}" for i in range(308)],
            "written": ["<18>"] * 307 + ["**18**"],
            "gold": "18",
            "rule": "different",
            "readmitted": [True] * 292 + [False] * 16,
        }
    )
    rows = {row["cause"]: row for row in cause_rows(missed)}
    assert rows["angle_brackets"]["count"] == 307
    assert half_up(rows["angle_brackets"]["count"], rows["all"]["count"]) == 0.997
    assert half_up(rows["all"]["readmitted"], rows["all"]["count"]) == 0.948
    assert rows["all"]["share"] == 1 and rows["markdown"]["share"] == pytest.approx(1 / 308)
    assert rows["markdown"]["example_prediction"] == "**18**"


def test_shares_of_causes_sum_to_one_in_each_language():
    missed = pd.DataFrame(
        {
            "language": ["en", "en", "ja", "en"],
            "question_id": list("abcd"),
            "written": ["<1>", "$2", "３", "<4>"],
            "gold": ["1", "2", "3", "4"],
            "rule": ["different", "different", None, "no_label"],
        }
    )
    rows = cause_rows(missed)
    for language in ("en", "ja"):
        shares = [r["share"] for r in rows if r["language"] == language and r["cause"] != "all"]
        assert sum(shares) == pytest.approx(1)
    assert "readmitted" not in rows[0]
    # A verifier that found nothing to compare is the cause itself, whatever the form.
    assert {row["cause"] for row in rows if row["language"] == "en"} == {
        "all",
        "angle_brackets",
        "currency",
        "no_label",
    }
    assert cause_rows(missed.iloc[:0]) == []
