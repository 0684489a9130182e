"""The ways in which the robustness battery writes an answer, right or wrong by construction.

A variant renders a seed's value in one language, or declines (None) where it does not apply. Families:

- ``correct``: plain answers, with a unit or inside a sentence;
- ``format``: the right value in another form (brackets, markdown, LaTeX, widths, scripts, separators);
- ``near_miss``: another value, or no single value, that looks like the right one.

Scope ``universal`` marks the variants that are the same text in every language, so that differences between
languages on these items come from the verifier alone.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

CORRECT, FORMAT, NEAR_MISS = "correct", "format", "near_miss"
UNIVERSAL, LANGUAGE = "universal", "language"

_FULL_WIDTH = str.maketrans("0123456789-.,+/%", "０１２３４５６７８９－．，＋／％")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_VULGAR = {"1/2": "½", "1/4": "¼", "3/4": "¾", "5/6": "⅚", "1/3": "⅓", "2/3": "⅔"}
Language = Mapping  # one entry of resources/verifier_suite/languages.json


@dataclass(frozen=True)
class Seed:
    """A right answer to write in many ways.

    Args:
        seed_id: unique name.
        kind: count, money, large, negative, decimal, fraction or percent.
        gold: ASCII digits, point for decimals, slash for fractions.
    """

    seed_id: str
    kind: str
    gold: str

    @property
    def value(self) -> Fraction:
        """The gold as an exact number."""
        return Fraction(self.gold)

    @property
    def whole(self) -> bool:
        """A whole number."""
        return self.value.denominator == 1

    def shifted(self, by: int) -> str:
        """The gold plus a whole number, written like the gold."""
        if "/" in self.gold:
            above, below = self.gold.split("/")
            return f"{int(above) + by}/{below}"
        return str(Decimal(self.gold) + by)


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


def localise(number: str, language: Language) -> str:
    """An ASCII number with the language's decimal and grouping marks: 1800.5 -> 1.800,5 in German."""
    sign, digits = ("-", number[1:]) if number.startswith("-") else ("", number)
    whole, point, decimals = digits.partition(".")
    if len(whole) > 3:
        groups = [whole[max(0, end - 3) : end] for end in range(len(whole), 0, -3)]
        whole = language["group"].join(reversed(groups))
    return sign + whole + (language["decimal"] + decimals if point else "")


def _always(text: str) -> Callable[[Seed, Language], str]:
    return lambda seed, language: text.replace("{x}", seed.gold)


def _if(condition: Callable[[Seed, Language], bool], text: Callable[[Seed, Language], str | None]):
    return lambda seed, language: text(seed, language) if condition(seed, language) else None


def _correct() -> list[Variant]:
    return [
        Variant("plain", CORRECT, UNIVERSAL, _always("{x}")),
        Variant("equation", CORRECT, UNIVERSAL, _if(_counted, _equation)),
        Variant("sentence", CORRECT, LANGUAGE, lambda s, lang: lang["answer"].replace("{x}", s.gold)),
        Variant("label", CORRECT, LANGUAGE, lambda s, lang: lang["label"].replace("{x}", s.gold)),
        Variant(
            "unit", CORRECT, LANGUAGE, _if(_counted, lambda s, lang: lang["unit"].replace("{x}", s.gold))
        ),
        Variant(
            "not_but",
            CORRECT,
            LANGUAGE,
            _if(_counted, lambda s, lang: _fill(lang["not_but"], a=s.shifted(1), b=s.gold)),
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
        Variant("bold_in_sentence", FORMAT, LANGUAGE, _in_sentence("**{x}**")),
        Variant("angle_brackets_in_sentence", FORMAT, LANGUAGE, _in_sentence("<{x}>")),
        Variant("boxed_in_sentence", FORMAT, LANGUAGE, _in_sentence("\\boxed{{x}}")),
    ]


def _numbers() -> list[Variant]:
    """The same value in other characters or another notation, in any language."""
    whole = _if(lambda s, _: s.whole, _always("{x}.00"))
    return [
        Variant("full_width", FORMAT, UNIVERSAL, lambda s, _: s.gold.translate(_FULL_WIDTH)),
        Variant("mixed_width", FORMAT, UNIVERSAL, _if(lambda s, _: len(s.gold) > 1 and s.whole, _mixed)),
        Variant("trailing_zeros", FORMAT, UNIVERSAL, whole),
        Variant("thin_space", FORMAT, UNIVERSAL, _if(_long, lambda s, _: _grouped(s.gold, "\\,"))),
        Variant("scientific", FORMAT, UNIVERSAL, _if(_large, lambda s, _: _scientific(s, "{m}e{e}"))),
        Variant(
            "power_of_ten",
            FORMAT,
            UNIVERSAL,
            _if(_large, lambda s, _: _scientific(s, "{m} \\times 10^{{e}}")),
        ),
        Variant("minus_sign", FORMAT, UNIVERSAL, _if(_negative, lambda s, _: s.gold.replace("-", "−"))),
        Variant("wide_minus", FORMAT, UNIVERSAL, _if(_negative, lambda s, _: s.gold.replace("-", "－"))),
        Variant("latex_fraction", FORMAT, UNIVERSAL, lambda s, _: _latex_fraction(s, "\\frac")),
        Variant("display_fraction", FORMAT, UNIVERSAL, lambda s, _: _latex_fraction(s, "\\dfrac")),
        Variant("vulgar_fraction", FORMAT, UNIVERSAL, lambda s, _: _VULGAR.get(s.gold)),
        Variant("spaced_fraction", FORMAT, UNIVERSAL, lambda s, _: _slash(s, " / ")),
        Variant("decimal_of_fraction", FORMAT, UNIVERSAL, _decimal_of_fraction),
        Variant("fraction_of_decimal", FORMAT, UNIVERSAL, _fraction_of_decimal),
        Variant("percent_sign", FORMAT, UNIVERSAL, _if(_percent, _always("{x}%"))),
        Variant("latex_percent", FORMAT, UNIVERSAL, _if(_percent, _always("{x}\\%"))),
        Variant("dollar_sign", FORMAT, UNIVERSAL, _if(_money, _always("${x}"))),
        Variant("latex_dollar_sign", FORMAT, UNIVERSAL, _if(_money, _always("\\${x}"))),
    ]


def _by_language() -> list[Variant]:
    """Forms that belong to the language: marks, digits, words."""
    return [
        Variant("grouped", FORMAT, LANGUAGE, _if(_long, lambda s, lang: localise(s.gold, lang))),
        Variant("indian_groups", FORMAT, LANGUAGE, _if(_long, _indian_groups)),
        Variant(
            "decimal_comma",
            FORMAT,
            LANGUAGE,
            _if(
                lambda s, lang: "." in s.gold and lang["decimal"] == ",",
                lambda s, lang: localise(s.gold, lang),
            ),
        ),
        Variant("native_digits", FORMAT, LANGUAGE, _native_digits),
        *(
            Variant(f"numeral_{i + 1}", FORMAT, LANGUAGE, lambda s, lang, i=i: _nth(lang, "numerals", s, i))
            for i in range(3)
        ),
        Variant("number_word", FORMAT, LANGUAGE, lambda s, lang: lang["words"].get(s.gold)),
        *(
            Variant(f"scale_word_{i + 1}", FORMAT, LANGUAGE, lambda s, lang, i=i: _scale_word(s, lang, i))
            for i in range(2)
        ),
        *(
            Variant(
                f"money_{i + 1}", FORMAT, LANGUAGE, _if(_money, lambda s, lang, i=i: _money_form(s, lang, i))
            )
            for i in range(3)
        ),
        *(
            Variant(
                f"percent_{i + 1}",
                FORMAT,
                LANGUAGE,
                _if(_percent, lambda s, lang, i=i: _form(s, lang, "percent", i)),
            )
            for i in range(2)
        ),
    ]


def _near_misses() -> list[Variant]:
    one_more = lambda s, lang: s.shifted(1)  # noqa: E731
    return [
        Variant("plus_one", NEAR_MISS, UNIVERSAL, one_more),
        Variant("minus_one", NEAR_MISS, UNIVERSAL, lambda s, _: s.shifted(-1)),
        Variant("wrong_sign", NEAR_MISS, UNIVERSAL, lambda s, _: _flipped(s, "-")),
        Variant("wrong_minus_sign", NEAR_MISS, UNIVERSAL, lambda s, _: _flipped(s, "−")),
        Variant(
            "extra_zero", NEAR_MISS, UNIVERSAL, _if(lambda s, _: s.whole and s.value != 0, _always("{x}0"))
        ),
        Variant("lost_digit", NEAR_MISS, UNIVERSAL, _if(_two_digits, lambda s, _: s.gold[:-1])),
        Variant("swapped_digits", NEAR_MISS, UNIVERSAL, _swapped),
        Variant("digit_before", NEAR_MISS, UNIVERSAL, _if(_counted, _always("1{x}"))),
        Variant("half_more", NEAR_MISS, UNIVERSAL, _if(lambda s, _: s.whole, _always("{x}.5"))),
        Variant("moved_point", NEAR_MISS, UNIVERSAL, lambda s, _: _without_point(s)),
        Variant("superscript", NEAR_MISS, UNIVERSAL, _superscript),
        Variant("reciprocal", NEAR_MISS, UNIVERSAL, _if(_more_than_one, _always("1/{x}"))),
        Variant("inverted_fraction", NEAR_MISS, UNIVERSAL, _inverted),
        Variant("list_of_digits", NEAR_MISS, UNIVERSAL, _if(_two_digits, lambda s, _: "; ".join(s.gold))),
        Variant("range", NEAR_MISS, UNIVERSAL, _if(_counted, lambda s, _: f"{s.shifted(-1)}–{s.gold}")),
        Variant("inequality", NEAR_MISS, UNIVERSAL, _if(_counted, _always("x > {x}"))),
        Variant("wrong_in_angle_brackets", NEAR_MISS, UNIVERSAL, lambda s, _: f"<{s.shifted(1)}>"),
        Variant("wrong_in_bold", NEAR_MISS, UNIVERSAL, lambda s, _: f"**{s.shifted(1)}**"),
        Variant(
            "wrong_in_full_width", NEAR_MISS, UNIVERSAL, lambda s, _: s.shifted(1).translate(_FULL_WIDTH)
        ),
        Variant(
            "wrong_equation",
            NEAR_MISS,
            UNIVERSAL,
            _if(_counted, lambda s, _: f"{s.gold} + 1 = {s.shifted(1)}"),
        ),
        Variant(
            "wrong_sentence", NEAR_MISS, LANGUAGE, lambda s, lang: lang["answer"].replace("{x}", s.shifted(1))
        ),
        Variant(
            "wrong_not_but",
            NEAR_MISS,
            LANGUAGE,
            _if(_counted, lambda s, lang: _fill(lang["not_but"], a=s.gold, b=s.shifted(1))),
        ),
        Variant(
            "hedge",
            NEAR_MISS,
            LANGUAGE,
            _if(_counted, lambda s, lang: _fill(lang["hedge"], a=s.shifted(1), b=s.gold)),
        ),
        Variant(
            "wrong_unit",
            NEAR_MISS,
            LANGUAGE,
            _if(_counted, lambda s, lang: lang["unit"].replace("{x}", s.shifted(1))),
        ),
        Variant(
            "scaled_up",
            NEAR_MISS,
            LANGUAGE,
            _if(_more_than_one, lambda s, lang: next(iter(lang["scales"])).replace("{x}", s.gold)),
        ),
        Variant("lost_scale", NEAR_MISS, LANGUAGE, _lost_scale),
        Variant(
            "grouping_as_point",
            NEAR_MISS,
            LANGUAGE,
            _if(
                lambda s, lang: _long(s, lang) and lang["decimal"] == "." and len(s.gold) < 7,
                lambda s, _: _grouped(s.gold, "."),
            ),
        ),
    ]


def _counted(seed: Seed, _: Language) -> bool:
    return seed.kind == "count"


def _more_than_one(seed: Seed, _: Language) -> bool:
    return seed.kind == "count" and seed.value > 1


def _money(seed: Seed, _: Language) -> bool:
    return seed.kind == "money"


def _percent(seed: Seed, _: Language) -> bool:
    return seed.kind == "percent"


def _negative(seed: Seed, _: Language) -> bool:
    return seed.value < 0


def _large(seed: Seed, _: Language) -> bool:
    return seed.whole and seed.value >= 10_000


def _long(seed: Seed, _: Language) -> bool:
    return seed.whole and seed.value >= 1000


def _two_digits(seed: Seed, _: Language) -> bool:
    return seed.whole and seed.value >= 10


def _fill(pattern: str, *, a: str, b: str) -> str:
    return pattern.replace("{a}", a).replace("{b}", b)


def _equation(seed: Seed, _: Language) -> str:
    return f"{seed.shifted(-3)} + 3 = {seed.gold}"


def _in_sentence(form: str) -> Callable[[Seed, Language], str | None]:
    def render(seed: Seed, language: Language) -> str | None:
        if seed.kind != "count":
            return None
        return language["answer"].replace("{x}", form.replace("{x}", seed.gold))

    return render


def _mixed(seed: Seed, _: Language) -> str:
    return seed.gold[:-1] + seed.gold[-1].translate(_FULL_WIDTH)


def _grouped(gold: str, mark: str) -> str:
    return localise(gold, {"group": mark, "decimal": "."})


def _scientific(seed: Seed, pattern: str) -> str:
    digits = seed.gold.rstrip("0")
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return pattern.replace("{m}", mantissa).replace("{e}", str(len(seed.gold) - 1), 1)


def _slash(seed: Seed, mark: str) -> str | None:
    return seed.gold.replace("/", mark) if "/" in seed.gold else None


def _latex_fraction(seed: Seed, command: str) -> str | None:
    if "/" not in seed.gold:
        return None
    above, below = seed.gold.split("/")
    return f"{command}{{{above}}}{{{below}}}"


def _decimal_of_fraction(seed: Seed, _: Language) -> str | None:
    if "/" not in seed.gold or 10**6 % seed.value.denominator:
        return None
    return str((Decimal(seed.value.numerator) / Decimal(seed.value.denominator)).normalize())


def _fraction_of_decimal(seed: Seed, _: Language) -> str | None:
    if seed.kind != "decimal":
        return None
    return f"{seed.value.numerator}/{seed.value.denominator}"


def _indian_groups(seed: Seed, language: Language) -> str | None:
    if not language.get("indian_groups") or len(seed.gold) < 6:
        return None
    head, tail = seed.gold[:-3], seed.gold[-3:]
    pairs = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)]
    return ",".join([*reversed(pairs), tail])


def _native_digits(seed: Seed, language: Language) -> str | None:
    if "digits" not in language:
        return None
    return seed.gold.translate(str.maketrans("0123456789", language["digits"]))


def _nth(language: Language, key: str, seed: Seed, place: int) -> str | None:
    forms = language.get(key, {}).get(seed.gold, [])
    return forms[place] if place < len(forms) else None


def _form(seed: Seed, language: Language, key: str, place: int) -> str | None:
    forms = language[key]
    return forms[place].replace("{x}", localise(seed.gold, language)) if place < len(forms) else None


def _money_form(seed: Seed, language: Language, place: int) -> str | None:
    return _form(seed, language, "money", place)


def _mantissa(seed: Seed, language: Language, place: int) -> tuple[str, str] | None:
    """Pattern of the place-th scale word and the number before it (4.5 for 4500000 and million)."""
    scales = list(language["scales"].items())
    if place >= len(scales) or not seed.whole:
        return None
    pattern, factor = scales[place]
    share = seed.value / factor
    if not 1 < share < 1000 or (share * 10).denominator != 1:
        return None
    number = str(share.numerator) if share.denominator == 1 else f"{float(share):.1f}"
    return pattern, number


def _scale_word(seed: Seed, language: Language, place: int) -> str | None:
    found = _mantissa(seed, language, place)
    return found[0].replace("{x}", localise(found[1], language)) if found else None


def _lost_scale(seed: Seed, language: Language) -> str | None:
    places = range(len(language["scales"]))
    found = next((m for m in (_mantissa(seed, language, place) for place in reversed(places)) if m), None)
    return localise(found[1], language) if found else None


def _flipped(seed: Seed, minus: str) -> str | None:
    if "/" in seed.gold or seed.value == 0 or (minus != "-" and seed.value < 0):
        return None
    return seed.gold[1:] if seed.value < 0 else minus + seed.gold


def _swapped(seed: Seed, _: Language) -> str | None:
    digits = seed.gold
    if not _two_digits(seed, _) or digits[-1] == digits[-2] or digits[-1] == "0":
        return None
    return digits[:-2] + digits[-1] + digits[-2]


def _without_point(seed: Seed) -> str | None:
    return seed.gold.replace(".", "") if "." in seed.gold else None


def _superscript(seed: Seed, _: Language) -> str | None:
    """A power that reads like the gold when superscripts are taken for digits: 12⁵ for 125."""
    if not _two_digits(seed, _) or len(seed.gold) > 3:
        return None
    return seed.gold[:-1] + seed.gold[-1].translate(_SUPERSCRIPTS)


def _inverted(seed: Seed, _: Language) -> str | None:
    if "/" not in seed.gold or seed.value**2 == 1 or seed.value == 0:
        return None
    above, below = seed.gold.split("/")
    return f"{below}/{above}"
