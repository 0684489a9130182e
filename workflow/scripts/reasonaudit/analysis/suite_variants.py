"""The ways in which the robustness battery writes an answer, right or wrong by construction.

A variant renders a seed's value in one language, or declines (None) where it does not apply. Families:

- ``correct``: plain answers, with a unit or inside a sentence;
- ``format``: the right value in another form (brackets, markdown, LaTeX, widths, scripts, separators);
- ``near_miss``: another value, or no single value, that looks like the right one.

Scope ``universal`` marks the variants that are the same text in every language, so that differences between
languages on these items come from the verifier alone.
"""

from collections.abc import Callable
from dataclasses import dataclass

from reasonaudit.analysis.suite_forms import (
    FULL_WIDTH,
    VULGAR,
    Language,
    Seed,
    counted,
    decimal_of_fraction,
    equation,
    fill,
    flipped,
    form,
    fraction_of_decimal,
    grouped,
    in_sentence,
    indian_groups,
    inverted,
    large,
    latex_fraction,
    localise,
    long,
    lost_scale,
    mixed,
    money,
    money_form,
    more_than_one,
    native_digits,
    negative,
    nth,
    percent,
    scale_word,
    scientific,
    slash,
    superscript,
    swapped,
    two_digits,
    without_point,
)

CORRECT, FORMAT, NEAR_MISS = "correct", "format", "near_miss"
UNIVERSAL, LANGUAGE = "universal", "language"


@dataclass(frozen=True)
class Variant:
    """One way of writing: ``render(seed, language)`` gives the text, or None where it does not apply."""

    name: str
    family: str
    scope: str
    render: Callable[[Seed, Language], str | None]


def variants() -> list[Variant]:
    """All variants, in the order of the battery."""
    return [*_correct(), *_wrappers(), *_numbers(), *_by_language(), *_near_misses()]


def _always(text: str) -> Callable[[Seed, Language], str]:
    return lambda seed, language: text.replace("{x}", seed.gold)


def _if(condition: Callable[[Seed, Language], bool], text: Callable[[Seed, Language], str | None]):
    return lambda seed, language: text(seed, language) if condition(seed, language) else None


def _correct() -> list[Variant]:
    return [
        Variant("plain", CORRECT, UNIVERSAL, _always("{x}")),
        Variant("equation", CORRECT, UNIVERSAL, _if(counted, equation)),
        Variant("sentence", CORRECT, LANGUAGE, lambda s, lang: lang["answer"].replace("{x}", s.gold)),
        Variant("label", CORRECT, LANGUAGE, lambda s, lang: lang["label"].replace("{x}", s.gold)),
        Variant("unit", CORRECT, LANGUAGE, _if(counted, lambda s, lang: lang["unit"].replace("{x}", s.gold))),
        Variant(
            "not_but",
            CORRECT,
            LANGUAGE,
            _if(counted, lambda s, lang: fill(lang["not_but"], a=s.shifted(1), b=s.gold)),
        ),
    ]


def _wrappers() -> list[Variant]:
    forms = {
        "angle_brackets": "<{x}>",
        "full_width_angle_brackets": "＜{x}＞",
        "corner_brackets": "「{x}」",
        "lenticular_brackets": "【{x}】",
        "square_brackets": "[{x}]",
        "parentheses": "({x})",
        "quotes": '"{x}"',
        "guillemets": "«{x}»",
        "bold": "**{x}**",
        "code": "`{x}`",
        "inline_math": "${x}$",
        "parenthesis_math": "\\({x}\\)",
        "bracket_math": "\\[{x}\\]",
        "boxed": "\\boxed{{x}}",
        "boxed_in_math": "$\\boxed{{x}}$",
        "text_command": "\\text{{x}}",
        "trailing_point": "{x}.",
        "ideographic_stop": "{x}。",
        "spaces": " {x} ",
        "newline": "{x}\n",
    }
    return [
        *(Variant(name, FORMAT, UNIVERSAL, _always(form)) for name, form in forms.items()),
        Variant("bold_in_sentence", FORMAT, LANGUAGE, in_sentence("**{x}**")),
        Variant("angle_brackets_in_sentence", FORMAT, LANGUAGE, in_sentence("<{x}>")),
        Variant("boxed_in_sentence", FORMAT, LANGUAGE, in_sentence("\\boxed{{x}}")),
    ]


def _numbers() -> list[Variant]:
    """The same value in other characters or another notation, in any language."""
    whole = _if(lambda s, _: s.whole, _always("{x}.00"))
    return [
        Variant("full_width", FORMAT, UNIVERSAL, lambda s, _: s.gold.translate(FULL_WIDTH)),
        Variant("mixed_width", FORMAT, UNIVERSAL, _if(lambda s, _: len(s.gold) > 1 and s.whole, mixed)),
        Variant("trailing_zeros", FORMAT, UNIVERSAL, whole),
        Variant("thin_space", FORMAT, UNIVERSAL, _if(long, lambda s, _: grouped(s.gold, "\\,"))),
        Variant("scientific", FORMAT, UNIVERSAL, _if(large, lambda s, _: scientific(s, "{m}e{e}"))),
        Variant(
            "power_of_ten",
            FORMAT,
            UNIVERSAL,
            _if(large, lambda s, _: scientific(s, "{m} \\times 10^{{e}}")),
        ),
        Variant("minus_sign", FORMAT, UNIVERSAL, _if(negative, lambda s, _: s.gold.replace("-", "−"))),
        Variant("wide_minus", FORMAT, UNIVERSAL, _if(negative, lambda s, _: s.gold.replace("-", "－"))),
        Variant("latex_fraction", FORMAT, UNIVERSAL, lambda s, _: latex_fraction(s, "\\frac")),
        Variant("display_fraction", FORMAT, UNIVERSAL, lambda s, _: latex_fraction(s, "\\dfrac")),
        Variant("vulgar_fraction", FORMAT, UNIVERSAL, lambda s, _: VULGAR.get(s.gold)),
        Variant("spaced_fraction", FORMAT, UNIVERSAL, lambda s, _: slash(s, " / ")),
        Variant("decimal_of_fraction", FORMAT, UNIVERSAL, decimal_of_fraction),
        Variant("fraction_of_decimal", FORMAT, UNIVERSAL, fraction_of_decimal),
        Variant("percent_sign", FORMAT, UNIVERSAL, _if(percent, _always("{x}%"))),
        Variant("latex_percent", FORMAT, UNIVERSAL, _if(percent, _always("{x}\\%"))),
        Variant("dollar_sign", FORMAT, UNIVERSAL, _if(money, _always("${x}"))),
        Variant("latex_dollar_sign", FORMAT, UNIVERSAL, _if(money, _always("\\${x}"))),
    ]


def _by_language() -> list[Variant]:
    """Forms that belong to the language: marks, digits, words."""
    return [
        Variant("grouped", FORMAT, LANGUAGE, _if(long, lambda s, lang: localise(s.gold, lang))),
        Variant("indian_groups", FORMAT, LANGUAGE, _if(long, indian_groups)),
        Variant(
            "decimal_comma",
            FORMAT,
            LANGUAGE,
            _if(
                lambda s, lang: "." in s.gold and lang["decimal"] == ",",
                lambda s, lang: localise(s.gold, lang),
            ),
        ),
        Variant("native_digits", FORMAT, LANGUAGE, native_digits),
        *(
            Variant(f"numeral_{i + 1}", FORMAT, LANGUAGE, lambda s, lang, i=i: nth(lang, "numerals", s, i))
            for i in range(3)
        ),
        Variant("number_word", FORMAT, LANGUAGE, lambda s, lang: lang["words"].get(s.gold)),
        *(
            Variant(f"scale_word_{i + 1}", FORMAT, LANGUAGE, lambda s, lang, i=i: scale_word(s, lang, i))
            for i in range(2)
        ),
        *(
            Variant(
                f"money_{i + 1}", FORMAT, LANGUAGE, _if(money, lambda s, lang, i=i: money_form(s, lang, i))
            )
            for i in range(3)
        ),
        *(
            Variant(
                f"percent_{i + 1}",
                FORMAT,
                LANGUAGE,
                _if(percent, lambda s, lang, i=i: form(s, lang, "percent", i)),
            )
            for i in range(2)
        ),
    ]


def _near_misses() -> list[Variant]:
    one_more = lambda s, lang: s.shifted(1)  # noqa: E731
    return [
        Variant("plus_one", NEAR_MISS, UNIVERSAL, one_more),
        Variant("minus_one", NEAR_MISS, UNIVERSAL, lambda s, _: s.shifted(-1)),
        Variant("wrong_sign", NEAR_MISS, UNIVERSAL, lambda s, _: flipped(s, "-")),
        Variant("wrong_minus_sign", NEAR_MISS, UNIVERSAL, lambda s, _: flipped(s, "−")),
        Variant(
            "extra_zero", NEAR_MISS, UNIVERSAL, _if(lambda s, _: s.whole and s.value != 0, _always("{x}0"))
        ),
        Variant("lost_digit", NEAR_MISS, UNIVERSAL, _if(two_digits, lambda s, _: s.gold[:-1])),
        Variant("swapped_digits", NEAR_MISS, UNIVERSAL, swapped),
        Variant("digit_before", NEAR_MISS, UNIVERSAL, _if(counted, _always("1{x}"))),
        Variant("half_more", NEAR_MISS, UNIVERSAL, _if(lambda s, _: s.whole, _always("{x}.5"))),
        Variant("moved_point", NEAR_MISS, UNIVERSAL, lambda s, _: without_point(s)),
        Variant("superscript", NEAR_MISS, UNIVERSAL, superscript),
        Variant("reciprocal", NEAR_MISS, UNIVERSAL, _if(more_than_one, _always("1/{x}"))),
        Variant("inverted_fraction", NEAR_MISS, UNIVERSAL, inverted),
        Variant("list_of_digits", NEAR_MISS, UNIVERSAL, _if(two_digits, lambda s, _: "; ".join(s.gold))),
        Variant("range", NEAR_MISS, UNIVERSAL, _if(counted, lambda s, _: f"{s.shifted(-1)}–{s.gold}")),
        Variant("inequality", NEAR_MISS, UNIVERSAL, _if(counted, _always("x > {x}"))),
        Variant("wrong_in_angle_brackets", NEAR_MISS, UNIVERSAL, lambda s, _: f"<{s.shifted(1)}>"),
        Variant("wrong_in_bold", NEAR_MISS, UNIVERSAL, lambda s, _: f"**{s.shifted(1)}**"),
        Variant("wrong_in_full_width", NEAR_MISS, UNIVERSAL, lambda s, _: s.shifted(1).translate(FULL_WIDTH)),
        Variant(
            "wrong_equation",
            NEAR_MISS,
            UNIVERSAL,
            _if(counted, lambda s, _: f"{s.gold} + 1 = {s.shifted(1)}"),
        ),
        Variant(
            "wrong_sentence", NEAR_MISS, LANGUAGE, lambda s, lang: lang["answer"].replace("{x}", s.shifted(1))
        ),
        Variant(
            "wrong_not_but",
            NEAR_MISS,
            LANGUAGE,
            _if(counted, lambda s, lang: fill(lang["not_but"], a=s.gold, b=s.shifted(1))),
        ),
        Variant(
            "hedge",
            NEAR_MISS,
            LANGUAGE,
            _if(counted, lambda s, lang: fill(lang["hedge"], a=s.shifted(1), b=s.gold)),
        ),
        Variant(
            "wrong_unit",
            NEAR_MISS,
            LANGUAGE,
            _if(counted, lambda s, lang: lang["unit"].replace("{x}", s.shifted(1))),
        ),
        Variant(
            "scaled_up",
            NEAR_MISS,
            LANGUAGE,
            _if(more_than_one, lambda s, lang: next(iter(lang["scales"])).replace("{x}", s.gold)),
        ),
        Variant("lost_scale", NEAR_MISS, LANGUAGE, lost_scale),
        Variant(
            "grouping_as_point",
            NEAR_MISS,
            LANGUAGE,
            _if(
                lambda s, lang: long(s, lang) and lang["decimal"] == "." and len(s.gold) < 7,
                lambda s, _: grouped(s.gold, "."),
            ),
        ),
    ]
