"""Which decimal mark a reply uses: its own numbers tell more than its language.

A model may answer in Spanish and write 23,786 - 8,417, or answer a Chinese question in German and write
57.500. The language decides only where the reply's own numbers leave it open.
"""

import re

from reasonaudit.answers.languages import decimal_comma, with_marks

_RUN = re.compile(r"(?<![\d.,])\d+(?:[.,]\d+)+(?![\d]|[.,]\d)")
_SPACED_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?: \d{3})* 000(?![\d.,]\d|\d)")
_GROUPS = re.compile(r"[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*")


def reading_language(text: str, language: str) -> str:
    """``language``, with a tag for the reply's own marks where its numbers prove them.

    A number such as 2.5, 1,234.50 or 1,234,567 proves a convention; contradicting proofs prove nothing.
    In a language with decimal commas, two different numbers such as 23,786 (or one that ends in ,000)
    without any such with points are groups too, even beside 0,05: decimals with just three digits are
    rare, groups common.

    Args:
        text: a reply, folded to ASCII digits.
        language: its language; a tag that it has already stays.
    """
    if "@" in language:
        return language
    points = commas = 0
    open_points: set[str] = set()
    open_commas: set[str] = set()
    for found in _RUN.finditer(text):
        number = found[0]
        mark = _proof(number)
        if mark == "," and "." in number:
            open_points.add(number)  # points group here
        if mark == ".":
            points += 1
        elif mark == ",":
            commas += 1
        elif mark is None and _GROUPS.fullmatch(number):
            (open_commas if "," in number else open_points).add(number)
    comma_language = decimal_comma(language)
    if points and not commas:
        return with_marks(language, "point") if comma_language else language
    groups = len(open_commas) > 1 or any(number.endswith(",000") for number in open_commas)
    if groups and commas and not (points or open_points):
        return with_marks(language, "mixed")
    if groups and comma_language and not (points or open_points):
        return with_marks(language, "point")
    # 27 000 is how languages with a decimal comma group.
    spaced = commas or (not open_commas and _SPACED_THOUSANDS.search(text))
    if spaced and not points and not comma_language:
        return with_marks(language, "comma")
    return language


def _proof(number: str) -> str | None:
    """The decimal mark that a number must have been written with, "" if it is no number, None if open."""
    commas, points = number.count(","), number.count(".")
    if commas and points:
        last = "," if number.rfind(",") > number.rfind(".") else "."
        other = "." if last == "," else ","
        whole = number[: number.rfind(last)]
        grouped = re.fullmatch(rf"\d{{1,3}}(?:\{other}\d{{3}})+", whole)
        return last if number.count(last) == 1 and grouped else ""
    if commas + points > 1:
        mark = "," if commas else "."
        if re.fullmatch(rf"[1-9]\d{{0,2}}(?:\{mark}\d{{3}})+", number):
            return "." if mark == "," else ","
        return ""
    mark = "," if commas else "."
    whole, decimals = number.split(mark)
    if len(decimals) != 3 or len(whole) > 3 or whole.startswith("0"):
        # In lists such as 3,5 or (1,2) a comma proves nothing: it needs two decimals, or a leading zero.
        if mark == "," and len(decimals) == 1 and whole != "0":
            return ""
        return mark
    return None
