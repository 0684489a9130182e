r"""Numbers of a text as whole tokens, in the writing habits of many languages.

An edit must never touch the 7 of 17, of 1.7 or of 1,700, so digits joined by separators are one run
first, and the run is read afterwards: grouped whole number, decimal, or a list such as ``(1,2)``. Where
the reading is unclear (``1.234`` in German, ``x^12`` in plain text, ``\frac12``), the token has no value:
it is never edited, and it still counts as a larger number around its digits.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from reasonaudit.answers.languages import DECIMAL_COMMA

_SEPARATOR = r"(?:\{,\}|,\\!|\{\\,\}|\\,|[.,'’٬٫\u00a0\u202f\u2009])"
_RUN = re.compile(rf"\d+(?:{_SEPARATOR}\d+)*")
_SPACED_RUN = re.compile(rf"\d{{1,3}}(?: \d{{3}})+(?!\d)(?:{_SEPARATOR}\d+)?")
_SPLIT = re.compile(rf"({_SEPARATOR})")
# TeX takes one digit as an argument here, plain text often means them all.
_ONE_TOKEN_ARGUMENT = re.compile(r"(?:\\(?:[dtc]?frac|binom|sqrt)|\^)\s*$")


@dataclass(frozen=True)
class NumberToken:
    """A number in a text.

    Attributes:
        start, end: character span; a sign before the digits is not part of it.
        text: the characters of the span.
        value: never negative; None where the reading is unclear.
        fraction_digits: digits after the decimal mark.
    """

    start: int
    end: int
    text: str
    value: Fraction | None
    fraction_digits: int = 0

    @property
    def digits(self) -> str:
        """The digits alone, as ASCII."""
        return "".join(str(int(c)) for c in self.text if c.isdecimal())

    def rewritten(self, digits: str) -> str:
        """The token with other ASCII ``digits``: separators, grouping and script stay.

        Grouping marks shift when the number of digits changes; places before the decimal mark are filled
        from the right.
        """
        zero = next(ord(c) - int(c) for c in self.text if c.isdecimal())
        whole, mark = self._whole_and_mark()
        count = self.fraction_digits
        if len(digits) <= count:
            digits = digits.rjust(count + 1, "0")
        new_whole, new_fraction = (digits[:-count], digits[-count:]) if count else (digits, "")
        separators = _SPLIT.findall(whole)
        if separators:
            groups = []
            while len(new_whole) > 3:
                groups.insert(0, new_whole[-3:])
                new_whole = new_whole[:-3]
            new_whole = separators[0].join([new_whole, *groups])
        written = new_whole + (mark + new_fraction if count else "")
        return "".join(chr(zero + int(c)) if c.isascii() and c.isdigit() else c for c in written)

    def _whole_and_mark(self) -> tuple[str, str]:
        if not self.fraction_digits:
            return self.text, ""
        pieces = _SPLIT.split(self.text)
        return "".join(pieces[:-2]), pieces[-2]


def find_numbers(text: str, language: str = "en") -> list[NumberToken]:
    """All numbers of ``text`` from left to right, no two overlapping."""
    tokens = []
    position = 0
    while match := _RUN.search(text, position):
        # 10 000 or two numbers: unclear.
        spaced = _SPACED_RUN.match(text, match.start())
        if spaced and spaced.end() > match.end():
            tokens.append(NumberToken(spaced.start(), spaced.end(), spaced.group(), None))
        else:
            tokens.extend(_read_run(match.group(), match.start(), text, language))
        position = tokens[-1].end
    return tokens


def possible_values(token: NumberToken) -> set[Fraction]:
    """The token's value, or, where the reading is unclear, every value it may stand for."""
    if token.value is not None:
        return {token.value}
    parts = [p for p in re.split(r"\D+", token.text) if p]
    values = {Fraction(int(part)) for part in parts} | {Fraction(int("".join(parts)))}
    if len(parts) > 1:
        values.add(Fraction(int("".join(parts)), 10 ** len(parts[-1])))
    if len(parts) == 1:
        values |= {Fraction(int(c)) for c in parts[0]}
    return values


def values_in(text: str, language: str = "en") -> set[Fraction]:
    """Every value that a number of ``text`` has or may have."""
    return {value for token in find_numbers(text, language) for value in possible_values(token)}


def _read_run(run: str, start: int, text: str, language: str) -> list[NumberToken]:
    pieces = _SPLIT.split(run)
    parts, separators = pieces[::2], pieces[1::2]
    if not separators:
        return [_whole_token(run, start, text)]
    reading = _comma_reading if language in DECIMAL_COMMA else _point_reading
    kind, fraction_digits = reading(parts, separators)
    if kind == "list":
        return _read_list(pieces, start, text, language)
    value = None
    if kind == "number" and not _leading_zero(parts[0]) and _one_script(run):
        value = Fraction(int("".join(parts)), 10**fraction_digits)
    return [NumberToken(start, start + len(run), run, value, fraction_digits if value is not None else 0)]


def _read_list(pieces: list[str], start: int, text: str, language: str) -> list[NumberToken]:
    """Split at the marks that join list items; points stay inside their number."""
    items: list[tuple[int, str]] = []
    offset, current, current_start = start, "", start
    for place, piece in enumerate(pieces):
        if place % 2 and piece != ".":
            items.append((current_start, current))
            current, current_start = "", offset + len(piece)
        else:
            current += piece
        offset += len(piece)
    items.append((current_start, current))
    return [token for at, item in items for token in _read_run(item, at, text, language)]


def _whole_token(run: str, start: int, text: str) -> NumberToken:
    argument = len(run) > 1 and _ONE_TOKEN_ARGUMENT.search(text, max(0, start - 12), start)
    unclear = argument or _leading_zero(run) or not _one_script(run)
    return NumberToken(start, start + len(run), run, None if unclear else Fraction(int(run)))


def _leading_zero(first: str) -> bool:
    """007 and 00.5 are codes rather than numbers."""
    return len(first) > 1 and int(first[0]) == 0


def _one_script(run: str) -> bool:
    return len({ord(c) - int(c) for c in run if c.isdecimal()}) == 1


def _grouped(parts: list[str]) -> bool:
    return 1 <= len(parts[0]) <= 3 and int(parts[0]) > 0 and all(len(part) == 3 for part in parts[1:])


def _point_reading(parts: list[str], separators: list[str]) -> tuple[str, int]:
    """Reading where the point is the decimal mark: number, list or unclear, and the fraction's digits."""
    marks = (".", "٫")
    if separators[-1] in marks and not any(s in marks for s in separators[:-1]):
        whole = parts[:-1]
        if len(whole) == 1 or (len(set(separators[:-1])) == 1 and _grouped(whole)):
            return "number", len(parts[-1])
        return "list", 0
    if any(s in marks for s in separators):
        return ("unclear", 0) if set(separators) <= set(marks) else ("list", 0)
    if len(set(separators)) == 1 and _grouped(parts):
        return "number", 0
    return ("unclear", 0) if _indian_groups(parts) else ("list", 0)


def _indian_groups(parts: list[str]) -> bool:
    """12,34,567: groups of two before the last one of three."""
    return len(parts) > 2 and len(parts[-1]) == 3 and all(len(p) == 2 for p in parts[1:-1])


def _comma_reading(parts: list[str], separators: list[str]) -> tuple[str, int]:
    """Reading where the comma is the decimal mark, and many texts use the point all the same."""
    commas = (",", "{,}", "٫")
    if separators[-1] in commas and not any(s in commas for s in separators[:-1]):
        whole = parts[:-1]
        if len(whole) == 1:
            # 1,234 may be a thousand in English habit.
            clear = len(parts[-1]) != 3 or int(parts[0]) == 0
            return ("number", len(parts[-1])) if clear else ("unclear", 0)
        if len(set(separators[:-1])) == 1 and _grouped(whole):
            return "number", len(parts[-1])
        return "unclear", 0
    if separators == ["."]:
        clear = len(parts[-1]) != 3 or int(parts[0]) == 0
        return ("number", len(parts[-1])) if clear else ("unclear", 0)
    if len(set(separators)) == 1 and separators[0] not in commas and _grouped(parts):
        return "number", 0
    return "unclear", 0
