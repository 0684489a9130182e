"""Numbers in Chinese characters, alone or mixed with digits: 一万五千亿, 12万3,000, 三点一四, 三分之一."""

import re
from fractions import Fraction

_DIGITS = {
    **{character: value for value, character in enumerate("零一二三四五六七八九")},
    **{character: value for value, character in enumerate("〇壹贰叁肆伍陆柒捌玖")},
    **{character: value for value, character in enumerate("零壱弐参")},
    "两": 2,
    "兩": 2,
    "貳": 2,
    "參": 3,
    "陸": 6,
    "○": 0,
}
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000, "廿": 20, "卅": 30}
_BIG = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12, "京": 10**16}

DIGIT_CHARACTERS = "".join(_DIGITS)
UNIT_CHARACTERS = "".join(_SMALL) + "".join(_BIG)
NUMERAL = rf"[{DIGIT_CHARACTERS}{UNIT_CHARACTERS}]"
_TOKEN = re.compile(rf"(\d+(?:,\d{{3}})*(?:\.\d+)?)|([{DIGIT_CHARACTERS}])|([{UNIT_CHARACTERS}])")
_FRACTION = re.compile(r"(.+?)分[之の](.+)")


def parse_cjk(text: str, language: str = "zh") -> Fraction | None:
    """The value of a whole text of digits and Chinese numerals, None if it is anything else.

    A greater magnitude after a smaller one multiplies all that came before: 一万五千亿 is
    15,000 times 10^8. In Chinese a last bare digit counts in tenths of the unit before it
    (一万五 is 15,000); Japanese does not speak so.
    """
    sign = 1
    if text[:1] in ("负", "負", "-"):
        sign, text = -1, text[1:]
    if fraction := _FRACTION.fullmatch(text):
        below, above = parse_cjk(fraction[1], language), parse_cjk(fraction[2], language)
        return sign * above / below if above is not None and below else None
    whole, point, decimals = text.partition("点") if "点" in text else text.partition("點")
    value = _whole(whole, language)
    if value is None:
        return None
    if point:
        if not decimals or any(character not in _DIGITS for character in decimals):
            return None
        value += Fraction(int("".join(str(_DIGITS[c]) for c in decimals)), 10 ** len(decimals))
    return sign * value


def _whole(text: str, language: str) -> Fraction | None:
    total = section = Fraction(0)
    current: Fraction | None = None
    largest, last_unit, before = 0, 0, ""
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if not token:
            return None
        position = token.end()
        number, digit, unit = token.groups()
        if number:
            if current is not None:
                return None
            current, before = Fraction(number.replace(",", "")), "number"
        elif digit:
            if before == "number" or (current is not None and before != "digit"):
                return None
            current, before = (current or 0) * 10 + Fraction(_DIGITS[digit]), "digit"
            if _DIGITS[digit] == 0:
                last_unit = 0
        elif unit in _SMALL:
            section += (1 if current is None else current) * _SMALL[unit]
            current, last_unit, before = None, _SMALL[unit], "unit"
        else:
            magnitude = _BIG[unit]
            section += current or 0
            if section == 0 and total == 0:
                return None
            if magnitude > largest > 0:
                total = (total + section) * magnitude
            else:
                total += section * magnitude
            section, current, last_unit, before = Fraction(0), None, magnitude, "unit"
            largest = max(largest, magnitude)
    if current is not None:
        if language == "zh" and before == "digit" and last_unit >= 100 and current < 10:
            current *= last_unit // 10
        section += current
    return total + section if text else None
