"""Where numbers stand in running text."""

import re
from collections.abc import Iterator

from reasonaudit.answers import cjk
from reasonaudit.answers.languages import base, decimal_comma
from reasonaudit.answers.numerals import parse_number, read_digits

_LATEX_FRACTION = r"\\[dt]?frac\s*(?:\{\s*-?\d+\s*\}|\d)\s*(?:\{\s*\d+\s*\}|\d)"
_DIGITS = r"\d[\d.,]*(?<=\d)"
_SPACED = r"\d{1,3}(?:[ '’]\d{3})+(?!\d)(?:[.,]\d+)?"
_TAIL = (
    rf"(?:[{cjk.UNIT_CHARACTERS}](?:[{cjk.DIGIT_CHARACTERS}{cjk.UNIT_CHARACTERS}]|\d[\d,]*(?<=\d))*"
    r"|\s?/\s?\d+(?![\d/])|[eE][+-]?\d{1,3}(?!\w))?(?:\s?\\?%)?"
)
_NUMBER = {
    spaced: re.compile(
        rf"{_LATEX_FRACTION}|(?<![\d])(?:(?:{_SPACED}|{_DIGITS})|\.\d+){_TAIL}"
        if spaced
        else rf"{_LATEX_FRACTION}|(?<![\d])(?:{_DIGITS}|\.\d+){_TAIL}"
    )
    for spaced in (True, False)
}
_SIGN_BEFORE = re.compile(r"(?:^|[\s=:(\[{$,;<>*|~]|\\\(|\\\[|^)(-\s?(?:\\?[$€£¥₺]\s?)?)$")
_LOOSE_SIGN = re.compile(r"[\d\w)\]}%]\s+-\s")
_PERCENT_BEFORE = re.compile(r"(?<![\d%\\])%$")


def find_numbers(text: str, language: str = "en") -> Iterator[tuple[int, int]]:
    """Spans of the numbers in folded text, in order, each readable by ``parse_number``.

    A sign belongs to the number unless it subtracts; a percent sign and magnitudes belong to it, a
    currency sign does not. Digits with marks that make no number (dates, lists) are cut at the marks.
    """
    for found in _NUMBER[decimal_comma(language)].finditer(text):
        start, end = found.span()
        token = found[0]
        if token[0] == "\\" or parse_number(token, language) is not None or "/" in token:
            yield _with_sign(text, start, language), end
            continue
        for piece in re.finditer(r"\d+(?:\.\d+)?", token):
            if read_digits(piece[0], "en") is not None:
                begin = start + piece.start()
                yield (
                    (_with_sign(text, begin, language) if piece.start() == 0 else begin),
                    start + piece.end(),
                )


def _with_sign(text: str, start: int, language: str) -> int:
    before = text[max(0, start - 8) : start]
    if base(language) in ("tr", "az") and _PERCENT_BEFORE.search(before):
        start -= 1
        before = before[:-1]
    sign = _SIGN_BEFORE.search(before)
    if not sign or _LOOSE_SIGN.search(before):
        return start
    # "10 - 3": a sign with a space on both sides, after a word or number, subtracts.
    return start - len(sign[1])
