"""Characters of many scripts as plain ones.

``fold`` keeps every position, so that spans found in the folded text are spans of the original;
``plain`` may lengthen and shorten and is for comparing answers.
"""

import re
import unicodedata

_SAME_LENGTH = {
    **dict.fromkeys(map(ord, "\u2212\uff0d\ufe63\u2010\u2011\u2012\u2013"), "-"),
    ord("\u066a"): "%",
    ord("\u066b"): ".",
    ord("\u066c"): ",",
    ord("\u2044"): "/",
    ord("\u2215"): "/",
    ord("\u2236"): ":",
    ord("\ufe55"): ":",
    ord("\uffe5"): "\u00a5",
    ord("\ufffc"): " ",
    **dict.fromkeys(map(ord, "\r\t\v\f\u2028\u2029"), " "),
}


class _Fold(dict):
    """Translation table that works out a character when it first meets it."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if category == "Nd":
            folded = str(unicodedata.decimal(character))
        elif category == "Zs":
            folded = " "
        elif 0xFF01 <= code <= 0xFF5E:
            folded = chr(code - 0xFEE0)
        else:
            folded = character
        self[code] = folded
        return folded


_FOLD = _Fold(_SAME_LENGTH)


def fold(text: str) -> str:
    """Digits of every script, full-width forms, minus signs and spaces as ASCII; same length."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_FOLD)


_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₙ", "0123456789+-=()aeoxn")
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ]+")
_LOWERED = re.compile("[₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₙ]+")
_VULGAR = re.compile(r"(\d?)\s?([\u00bc-\u00be\u2150-\u215e])")
_ROOT = re.compile(r"√\s*(\d+(?:\.\d+)?|[a-zA-Zπ]|(?=[({\\]))")
_SYMBOLS = {
    "π": r"\pi ",
    "∞": r"\infty ",
    "×": r"\times ",
    "✕": r"\times ",
    "·": r"\cdot ",
    "∙": r"\cdot ",
    "⋅": r"\cdot ",
    "÷": r"\div ",
    "±": r"\pm ",
    "∓": r"\mp ",
    "≤": r"\le ",
    "≦": r"\le ",
    "⩽": r"\le ",
    "≥": r"\ge ",
    "≧": r"\ge ",
    "⩾": r"\ge ",
    "≠": r"\ne ",
    "≈": r"\approx ",
    "∪": r"\cup ",
    "∩": r"\cap ",
    "∈": r"\in ",
    "∅": r"\emptyset ",
    "°": r"^\circ ",
    "º": r"^\circ ",
    "ℝ": r"\mathbb{R}",
    "ℤ": r"\mathbb{Z}",
    "ℕ": r"\mathbb{N}",
    "⌊": r"\lfloor ",
    "⌋": r"\rfloor ",
    "⌈": r"\lceil ",
    "⌉": r"\rceil ",
    **{
        letter: rf"\{name} "
        for letter, name in zip(
            "αβγδεθλμρστφωΔΘΛΣΦΩ",
            [
                "alpha",
                "beta",
                "gamma",
                "delta",
                "epsilon",
                "theta",
                "lambda",
                "mu",
                "rho",
                "sigma",
                "tau",
                "phi",
                "omega",
                "Delta",
                "Theta",
                "Lambda",
                "Sigma",
                "Phi",
                "Omega",
            ],
            strict=True,
        )
    },
}
_SYMBOL = re.compile("|".join(map(re.escape, _SYMBOLS)))


def plain(text: str) -> str:
    """``fold``, and: no invisible characters, exponents as ``^{..}``, symbols as LaTeX commands.

    Superscripts are exponents, never digits: NFKC would turn 2\u2075 into 25.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _RAISED.sub(lambda run: "^{" + run[0].translate(_SUPERSCRIPTS) + "}", text)
    text = _LOWERED.sub(lambda run: "_{" + run[0].translate(_SUBSCRIPTS) + "}", text)
    text = _VULGAR.sub(_vulgar_fraction, text)
    text = _ROOT.sub(lambda found: rf"\sqrt{{{found[1]}}}" if found[1] else r"\sqrt", text)
    text = _SYMBOL.sub(lambda found: _SYMBOLS[found[0]], text)
    text = fold(text)
    if text.isascii():
        return text
    return "".join(_compatible(character) for character in text if unicodedata.category(character) != "Cf")


def _vulgar_fraction(found: re.Match) -> str:
    top, _, bottom = unicodedata.normalize("NFKC", found[2]).partition("\u2044")
    return rf"{found[1]}\frac{{{top}}}{{{bottom}}}"


def _compatible(character: str) -> str:
    form = unicodedata.normalize("NFKC", character)
    # A compatibility form of several characters (a unit ligature, a circled word) stays text.
    return form if len(form) == 1 or form.isalpha() else character
