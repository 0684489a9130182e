"""Numbers as people write them: separators by language, signs, percent, currency, magnitudes, units.

All functions take text that ``characters.plain`` has made plain (ASCII digits and minus signs).
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from reasonaudit.answers import cjk
from reasonaudit.answers.languages import (
    CURRENCY_PREFIXES,
    CURRENCY_SIGNS,
    INDIAN_GROUPS,
    PERCENT_PREFIXES,
    PERCENT_WORDS,
    SCALE_WORDS,
    base,
    comma_groups,
    decimal_comma,
    lower,
)
from reasonaudit.answers.number_words import minus_words, parse_number_words


@dataclass(frozen=True)
class Number:
    """A number that was read: exact value, and how it was written.

    Args:
        percent: it carried a percent sign or word (the value is that of the digits).
        decimal: it was written with decimals or an exponent, so it may be a rounded value.
    """

    value: Fraction
    percent: bool = False
    decimal: bool = False


_INTEGER = re.compile(r"[+-]?\d{1,400}")
_SPACED = re.compile(r"\d{1,3}(?:[ '’]\d{3})+")
_COMMAS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
_POINTS = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
_INDIAN = re.compile(r"[1-9]\d?(?:,\d{2})*,\d{3}")
_LATEX_GROUP = re.compile(r"(?<=\d)(?:\{,\}|,\s*\\!\s*|\\!\s*,\s*)(?=\d)|(?<=\d),\s+(?=\\!)")
_LATEX_SPACE = re.compile(r"(?<=\d)(?:\\[,;: ]|~)(?=\d{3}(?!\d))")


def join_groups(text: str) -> str:
    r"""LaTeX group marks as plain ones: ``10,\!080``, ``10{,}080``, ``10\,080``."""
    if "\\" not in text and "{" not in text and "~" not in text:
        return text
    text = _LATEX_GROUP.sub(",", text)
    text = text.replace(r"\!", "")
    return _LATEX_SPACE.sub(" ", text)


def read_digits(text: str, language: str = "en") -> Fraction | None:
    """The value of digits with separators and no sign; None where they are no single number.

    One mark followed by exactly three digits is a group mark or a decimal mark as the language has
    it; everything else decides itself: 1,234.56 and 1.234,56 are the same number everywhere.
    """
    if text.isdigit():
        return Fraction(int(text)) if len(text) <= 4000 else None
    if not any(character.isdigit() for character in text) or len(text) > 4000:
        return None
    comma_decimal = decimal_comma(language)
    spaced = _SPACED.match(text)
    if spaced:
        whole = re.sub(r"[ '’]", "", spaced[0])
        rest = text[spaced.end() :]
        if not rest:
            return Fraction(int(whole))
        return _decimal(whole, rest[1:]) if rest[0] in ".," and rest[1:].isdigit() else None
    commas, points = text.count(","), text.count(".")
    if commas + points != sum(not character.isdigit() for character in text):
        return None
    if commas and points:
        last = max(text.rfind(","), text.rfind("."))
        mark, other = text[last], "." if text[last] == "," else ","
        whole, decimals = text[:last], text[last + 1 :]
        grouped = _POINTS if other == "." else _COMMAS
        if text.count(mark) > 1 or not (grouped.fullmatch(whole) or _indian(whole, language)):
            return None
        return _decimal(whole.replace(other, ""), decimals)
    if commas:
        if _indian(text, language):
            return Fraction(int(text.replace(",", "")))
        if _COMMAS.fullmatch(text) and (commas > 1 or comma_groups(language)):
            return Fraction(int(text.replace(",", "")))
        if commas == 1 and comma_decimal:
            whole, _, decimals = text.partition(",")
            return _decimal(whole, decimals)
        return None
    if points > 1:
        return Fraction(int(text.replace(".", ""))) if _POINTS.fullmatch(text) else None
    if comma_decimal and _POINTS.fullmatch(text):
        return Fraction(int(text.replace(".", "")))
    whole, _, decimals = text.partition(".")
    return _decimal(whole, decimals)


def _indian(text: str, language: str) -> bool:
    return base(language) in INDIAN_GROUPS and bool(_INDIAN.fullmatch(text))


def _decimal(whole: str, decimals: str) -> Fraction:
    return Fraction(int((whole + decimals) or "0"), 10 ** len(decimals))


_CURRENCY = (
    "(?:"
    + "|".join(sorted(map(re.escape, CURRENCY_PREFIXES), key=len, reverse=True))
    + rf"|\\?[{re.escape(CURRENCY_SIGNS)}])"
)
_HEAD = re.compile(
    rf"(?P<sign>[+-]?)\s*(?P<before>(?:{_CURRENCY}|\\?%)?)\s*(?P<sign2>[+-]?)\s*"
    r"(?P<digits>\d{1,3}(?:[ '’]\d{3})+(?:[.,]\d+)?(?!\d)|\d[\d.,]*|[.,]\d+)"
    r"(?P<exponent>[eE][+-]?\d{1,4}(?![\w.]))?",
    re.IGNORECASE,
)
_MIXED = re.compile(r"([+-]?)(\d+)(?:\s+(?:and\s+|und\s+|y\s+|e\s+|et\s+)?|-(?=\d+/))(\d+)\s*/\s*(\d+)")
_CJK_RUN = re.compile(rf"(?:[{cjk.DIGIT_CHARACTERS}{cjk.UNIT_CHARACTERS}点點分之の]|\d[\d,]*(?:\.\d+)?)+")
_CJK_PERCENT = re.compile(r"(?:百分之|百分の)(.+)")
# A unit: words, perhaps with a slash, a power and stops, but never a digit of its own.
# (In Indic scripts and Thai, vowel signs are part of a word but no letters to the regex module.)
_LETTER = r"(?:[^\W\d_]|[\u0300-\u036f\u0900-\u0dff\u0e00-\u0eff])"
_UNIT_WORD = rf"{_LETTER}+(?:[.'’\-]{_LETTER}+)*\.?(?:\s*\^\s*\{{?[23]\}}?)?"
_UNIT = re.compile(
    rf"\s*(?:(?:[/*]|per\b)\s*)?{_UNIT_WORD}(?:(?:\s*[/*]\s*|\s+){_UNIT_WORD}){{0,7}}\s*", re.IGNORECASE
)
_SWAHILI_SCALE = re.compile(r"(elfu|milioni|bilioni)\s+(\d.*)", re.IGNORECASE)  # elfu 35: 35 thousand
_NOUN_FIRST = re.compile(r"[a-zA-Z']{3,}(?:\s+[a-zA-Z']{2,}){0,2}\s+(\d.*)")  # Swahili: apples 7
_NO_UNIT_WORDS = (
    "x y z a b c d e i j k n p q r t u v w pi tau sqrt sin cos tan cot sec csc log ln exp arcsin "
    "arccos arctan at than squared cubed factorial times over plus minus choose mod modulo base or and to "
    "ou ve veya oder und y o et e dan or, and, infinity inf root"
)
_NO_UNIT = frozenset(_NO_UNIT_WORDS.split())
_SINGLE_UNITS = frozenset(["m", "g", "s", "h", "l", "L", "N", "J", "W", "V", "A", "K", "C", "F", "$", "€"])
_CJK_COUNTERS = re.compile(
    r"(?:個|个|箇|つ|円|元|圆|人|本|枚|匹|頭|头|回|次|日|天|時間|小时|分|分钟|分間|秒|年|歳|岁|週間|周|か月|ヶ月|个月"
    r"|只|支|条|條|块|美元|美金|ドル|セント|メートル|キロ|米|公里|千米|厘米|グラム|克|公斤|ページ|页|冊|册|台|辆|杯|瓶|袋"
    r"|箱|盒|件|张|位|名|点|步|棵|朵|颗|粒|双|对|倍|度|歩|足|着|通|問|题|道|卷|束|串|打){1,2}"
)


def parse_number(text: str, language: str = "en") -> Number | None:
    """The number that the whole of ``text`` is, perhaps with a currency, percent sign or unit."""
    if _INTEGER.fullmatch(text):
        return Number(Fraction(int(text)))
    text = join_groups(text).strip()
    if not text or len(text) > 4000:
        return None
    for word in minus_words(language):
        if text[: len(word)].lower() == word and text[len(word) : len(word) + 1] in (" ", "-"):
            inner = parse_number(text[len(word) :].strip(), language)
            return inner and Number(-inner.value, inner.percent, inner.decimal)
    if text[0] in "负負" or text.startswith("マイナス"):
        inner = parse_number(text.removeprefix("マイナス").lstrip("负負"), language)
        return inner and Number(-inner.value, inner.percent, inner.decimal)
    if found := _prefixed(text, language):
        return found
    if found := _MIXED.fullmatch(text):
        whole, above, below = int(found[2]), int(found[3]), int(found[4])
        if below and above < below:
            value = whole + Fraction(above, below)
            return Number(-value if found[1] == "-" else value)
        return None
    head = _HEAD.match(text)
    if head and (found := _with_suffix(text, head, language)):
        return found
    if not text.isascii():
        return _cjk_number(text, language) or _words(text, language)
    return _words(text, language)


def _prefixed(text: str, language: str) -> Number | None:
    found = _CJK_PERCENT.fullmatch(text)
    if found:
        value = cjk.parse_cjk(found[1], base(language)) if not found[1].isdigit() else Fraction(int(found[1]))
        if value is None:
            inner = parse_number(found[1], language)
            value = inner.value if inner else None
        return None if value is None else Number(value, percent=True)
    if base(language) == "sw" and (found := _SWAHILI_SCALE.fullmatch(text)):
        inner = parse_number(found[2], language)
        scale = SCALE_WORDS["sw"][found[1].lower()]
        return inner and Number(inner.value * scale, inner.percent, inner.decimal)
    if base(language) == "sw" and (found := _NOUN_FIRST.fullmatch(text)):
        return parse_number(found[1], language)
    for word in PERCENT_PREFIXES:
        if lower(text[: len(word)], language) == word and text[len(word) :][:1].isspace():
            inner = parse_number(text[len(word) :].strip(), language)
            return inner and Number(inner.value, percent=True, decimal=inner.decimal)
    return None


def _with_suffix(text: str, head: re.Match, language: str) -> Number | None:
    if head["sign"] and head["sign2"]:
        return None
    digits, exponent = head["digits"], head["exponent"]
    end = head.end()
    if not exponent:
        # A mark after the last digit belongs to the sentence.
        digits = digits.rstrip(".,")
        end = head.start("digits") + len(digits)
    value = read_digits(digits, language)
    if value is None:
        return None
    if exponent:
        value *= Fraction(10) ** int(exponent[1:])
    percent = "%" in head["before"]
    decimal = bool(exponent) or value.denominator != 1
    suffix = text[end:]
    rest = suffix.strip().rstrip(".,")
    if rest:
        outcome = _suffix(value, digits, rest, suffix, language)
        if outcome is None:
            return None
        value, more_percent = outcome
        percent = percent or more_percent
    negative = "-" in (head["sign"], head["sign2"])
    return Number(-value if negative else value, percent, decimal)


def _suffix(
    value: Fraction, digits: str, rest: str, suffix: str, language: str
) -> tuple[Fraction, bool] | None:
    """What follows the digits: a percent sign, magnitudes, a currency, a unit; None for all else."""
    if rest in ("%", r"\%"):
        return value, True
    if rest[0] in cjk.UNIT_CHARACTERS:
        run = _CJK_RUN.match(rest)
        for end in range(run.end(), 0, -1):
            whole = cjk.parse_cjk(digits.replace(",", "") + rest[:end], base(language))
            if whole is not None:
                tail = rest[end:].strip()
                ok = not tail or tail in ("%", *CURRENCY_SIGNS) or is_unit(tail, glued=False)
                return (whole, False) if ok else None
    if rest in CURRENCY_SIGNS or rest.lstrip("\\") in CURRENCY_SIGNS:
        return value, False
    lowered = lower(rest, language)
    for word in PERCENT_WORDS:
        if lowered.startswith(word):
            return value, True
    if rest[:1] == "%" or rest[:2] == r"\%":
        after = rest.lstrip("\\%").strip()
        return (value, True) if not after or is_unit(after, glued=False) else None
    if rest[:2] in (r"\$",) or rest[:1] in CURRENCY_SIGNS:
        after = rest.lstrip("\\")[1:].strip()
        return (value, False) if not after or is_unit(after, glued=False) else None
    for tongue in dict.fromkeys((base(language), "en")):
        for word, scale in sorted(SCALE_WORDS.get(tongue, {}).items(), key=lambda item: -len(item[0])):
            if lowered.startswith(word) and not lowered[len(word) : len(word) + 1].isalpha():
                after = rest[len(word) :].strip(" .")
                if after and not is_unit(after.removeprefix("de ").removeprefix("di "), glued=False):
                    return None
                return value * scale, False
            # Thai and other scripts without spaces put the unit right behind the scale word.
            if tongue == "th" and lowered.startswith(word):
                return value * scale, False
    glued = not suffix[:1].isspace()
    return (value, False) if is_unit(rest, glued=glued) else None


def is_unit(text: str, *, glued: bool) -> bool:
    if not _UNIT.fullmatch(text):
        return False
    first = re.split(r"[\s/*^.]", text.strip(" /*"), maxsplit=1)[0]
    if first.lower() in _NO_UNIT and first not in _SINGLE_UNITS and (len(first) > 1 or first.isascii()):
        return False
    if glued and len(first) == 1 and first.isascii():
        return False
    words = text.lower().split()
    return not any(word in ("or", "and", "ou", "veya", "oder", "или") for word in words)


def _cjk_number(text: str, language: str) -> Number | None:
    run = _CJK_RUN.match(text)
    if not run:
        return None
    for end in range(run.end(), 0, -1):
        value = cjk.parse_cjk(text[:end], base(language))
        if value is None:
            continue
        tail = text[end:].strip(" .")
        if not tail or _CJK_COUNTERS.fullmatch(tail):
            return Number(value)
        if tail in ("%", "パーセント"):
            return Number(value, percent=True)
        return None
    return None


def _words(text: str, language: str) -> Number | None:
    value = parse_number_words(text, language)
    return None if value is None else Number(value)
