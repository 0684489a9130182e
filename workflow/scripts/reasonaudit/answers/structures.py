r"""Answers with structure: lists, tuples, intervals, sets, matrices, equations, inequalities, units."""

import re
from dataclasses import replace
from fractions import Fraction

from reasonaudit.answers.boxes import find_boxes
from reasonaudit.answers.durations import parse_duration
from reasonaudit.answers.evaluate import (
    TooLargeError,
    UndefinedError,
    fraction_key,
    value_key,
)
from reasonaudit.answers.expressions import UnreadableError, parse_expression, symbols
from reasonaudit.answers.forms import Canonical, make_interval, make_set, make_union
from reasonaudit.answers.languages import lower
from reasonaudit.answers.latex_form import normal_form, simplify_latex
from reasonaudit.answers.numerals import is_unit, join_groups, parse_number
from reasonaudit.answers.policies import Policy
from reasonaudit.answers.relations import (
    AMOUNT_SIGN,
    EQUALS,
    SYMBOL,
    TEXT_COMMAND,
    RelationReader,
)
from reasonaudit.answers.splitting import closes_at_end, split_outside
from reasonaudit.answers.wrappers import strip_wrappers

MAX_LENGTH = 4000
MAX_DEPTH = 16
_BOX_ONLY = re.compile(r"\\(?:boxed|fbox)\s*\{(.*)\}", re.DOTALL)
_CHOICE = re.compile(r"\(?\s*(?:\\text\{)?\(?([A-Z])\)?\}?\s*\)?[.:]?")
_CHOICE_WITH_TEXT = re.compile(r"(?:\\text\{)?\(([A-H])\)\}?[\s:].+|([A-H])[).]\s.+", re.DOTALL)
_UNIT_TAIL = re.compile(
    r"(?:\s*(?:/|\\cdot|\\times)?\s*\\text\s*\{(?P<words>[^{}]*)\}\s*(?:\^\s*(?:\{\s*-?\d\s*\}|-?\d|\\circ))?\s*[CF]?)+\Z"
)
_DEGREE_TAIL = re.compile(r"\^\s*\\circ\s*(?:\\text\{\s*)?[CF]?\s*\}?\Z|\s*\\text\{\s*degrees?\s*\}\Z")
_PERCENT_TAIL = re.compile(r"\s*\\?%\Z")
_BASED = re.compile(r"\(?([0-9A-F]+)\)?_\s*\{?\s*(?:\\text\{)?\(?(\d{1,2}|\w{3,7})\)?\}?\}?")
_BASED_WORDS = re.compile(
    r"([0-9A-F]+)\s*(?:\\text\{)?\s*\(?\s*(?:in )?base[\s-]+(\d{1,2})\s*\)?\}?", re.IGNORECASE
)
_BASE_NAMES = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8"}
_BASE_NAMES |= {"nine": "9", "ten": "10", "twelve": "12", "sixteen": "16"}
_RATIO = re.compile(r"(\d+(?:\.\d+)?)\s*(?::|\\colon)\s*(\d+(?:\.\d+)?)(?:\s*:\s*(\d+(?:\.\d+)?))?")
_NAMED = {
    "infinity": r"\infty",
    "inf": r"\infty",
    r"\mathbb{r}": r"(-\infty, \infty)",
    "all real numbers": r"(-\infty, \infty)",
    "all reals": r"(-\infty, \infty)",
}
_SHORT_WORDS = frozenset(["no", "up", "on", "so", "da", "ne"])
_CONSTANTS = frozenset(("pi", "sin", "cos", "tan", "log"))
_CLOCK = re.compile(r"(\d{1,2})(?::([0-5]\d))?\s*([ap])\.?\s?m\.?", re.IGNORECASE)
# 5 (if all are small); digits only in a remark of several words: 5 (if there are 7 of them)
_REMARK = re.compile(
    r"(?<=\S)\s+\((?:[^()\\=<>\d]*[^\W\d_]{3,}[^()\\=<>\d]*|[^()\\=<>]*[^\W\d_]{2,}(?:\s+[^()\s\\=<>]+){2,})\)\Z"
)
_MATRIX = re.compile(r"[(\[]?\s*\\begin\{([pv]matrix)\}(.*?)\\end\{\1\}\s*[)\]]?", re.DOTALL)
_ROW = re.compile(r"\\\\|\\cr\b")
_CELL = re.compile(r"(?<!\\)&")
_JOINED = re.compile(
    r"\s*(?:,\s*)?(?:\\text\s*\{\s*(?:,\s*)?(?:or|and|ou|veya|ve|oder|und|y|o|e|et|или|и|或|または|と|和)\s*\}"
    r"|\\(?:quad|qquad)?\s*\\(?:lor|vee)\b"
    r"|(?<=[\s,])(?:or|and|ou|veya|ve|oder|und|y|o|e|et|или|и|au|na)(?=\s)"
    r"|\s*(?:或者|或|または|もしくは|および|及び|和|หรือ|และ))\s*",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(
    r"\s+(?:or|oder|ou|o|u|или|veya|ya da)\s+|または|或者?|,\s*(?:soit|das sind)\s+", re.IGNORECASE
)
_FOREIGN_UNIT = re.compile(
    r"(?<=[\])}a-zA-Z0-9])\s*[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f\uac00-\ud7af]+\Z"
)
_PLAIN_UNIT = re.compile(r"(?<=[\d)}])\s+[^\W\d_]{2}[^\d\\^_=()+*]*\Z")
_TEXT_POWER = re.compile(r"\\text\s*\{([^{}]*[^\W\d_]\s*)\}\s*\^\s*\{?[23]\}?")  # \text{23 cm}^2
_SEMICOLON = re.compile(r"\s*;\s*")
_COMMA_SPACE = re.compile(r",\s+|、\s*")
_COMMA = re.compile(r",\s*|、\s*")
_UNION = re.compile(r"\s*\\cup\s*|(?<=[)\]])\s*U\s*(?=[(\[])")
_APPROXIMATELY = re.compile(r"\\approx(?![a-zA-Z])|\\simeq(?![a-zA-Z])|≈")
_PLUS_MINUS = re.compile(r"\\(?:pm|mp)(?![a-zA-Z])")
_DOLLAR = re.compile(r"(?<!\\)\$")
_UNIT_LETTER = re.compile(r"(-?\d[\d.,]*)\s*[mgshlLNJWVAKFC]")


def read_structure(text: str, language: str, policy: Policy) -> Canonical:
    """The canonical form of plain text without wrappers; in the end its letters, if nothing else fits."""
    if len(text) > MAX_LENGTH:
        return Canonical("form:" + text, "form")
    text = _inner_boxes(text)
    if len(_DOLLAR.findall(text)) % 2 == 0:
        text = _DOLLAR.sub("", text)  # formulas between words
    return _Reader(language, policy).answer(simplify_latex(join_groups(text)))


class _Reader(RelationReader):
    def __init__(self, language: str, policy: Policy):
        self.language, self.policy = language, policy
        self.depth = 0

    def answer(self, text: str) -> Canonical:
        return self.structured(text) or self.prose(text)

    def structured(self, text: str) -> Canonical | None:
        """Whatever can be read as mathematics or as a choice; None for prose."""
        if self.depth > MAX_DEPTH:
            return None
        self.depth += 1
        try:
            return self.read(text)
        finally:
            self.depth -= 1

    def read(self, text: str) -> Canonical | None:
        """One level of ``structured``."""
        text = strip_wrappers(text)
        if not text:
            return None
        if found := _BOX_ONLY.fullmatch(text):
            return self.structured(found[1])
        if (found := _CHOICE.fullmatch(text)) or (found := _CHOICE_WITH_TEXT.fullmatch(text)):
            return Canonical(f"choice:{found[1] or found[2]}", "choice")
        if found := TEXT_COMMAND.fullmatch(text):
            return self.structured(found[1])
        if number := self.clock(text) or self.number(text):
            return number
        if (found := _TEXT_POWER.fullmatch(text)) and (number := self.number(found[1].strip())):
            return number
        if remark := _REMARK.search(text):
            return self.structured(text[: remark.start()])
        if text.lower() in _NAMED:
            return self.structured(_NAMED[text.lower()])
        if (
            text.isalpha()
            and (len(text) > 2 or text.lower() in _SHORT_WORDS)
            and text.lower() not in _CONSTANTS
        ):
            return None
        for read in (
            self.duration,
            self.matrix,
            self.based,
            self.ratio,
            self.approximation,
            self.joined,
            self.union,
            self.relation,
            self.bracketed,
            self.comma_list,
            self.plus_minus,
            self.with_unit,
            self.with_words,
            self.expression,
        ):
            found = read(text)
            if found is not None:
                return found
        return None

    def number(self, text: str) -> Canonical | None:
        number = parse_number(text, self.language)
        if number is None:
            return None
        value = number.value
        if number.percent and self.policy.percent == "value":
            value /= 100
        return Canonical(fraction_key(value), "number", value, number.decimal, number.percent)

    def duration(self, text: str) -> Canonical | None:
        """A length of time in several units, or several names for the same length."""
        if not any(character.isdigit() for character in text):
            return None
        words = TEXT_COMMAND.sub(lambda found: f" {found[1]} ", text)
        parts = [parse_duration(part, self.language) for part in _ALTERNATIVES.split(words)]
        if any(part is None or part[1] != parts[0][1] for part in parts):
            return None
        value = parts[0][0]
        return Canonical(fraction_key(value), "number", value)

    def matrix(self, text: str) -> Canonical | None:
        found = _MATRIX.fullmatch(text)
        if not found:
            return None
        rows = [row for row in _ROW.split(found[2]) if row.strip()]
        cells = [[self.answer(cell) for cell in _CELL.split(row)] for row in rows]
        if not cells or any(cell.key == "" for row in cells for cell in row):
            return None
        name = "matrix" if found[1] == "pmatrix" else "determinant"
        inside = "; ".join(", ".join(cell.key for cell in row) for row in cells)
        return Canonical(f"{name}[{inside}]", "matrix", parts=tuple(cell for row in cells for cell in row))

    def based(self, text: str) -> Canonical | None:
        found = _BASED.fullmatch(text) or _BASED_WORDS.fullmatch(text)
        if not found:
            return None
        base = _BASE_NAMES.get(found[2].lower(), found[2])
        if not base.isdigit() or not 2 <= int(base) <= 36:
            return None
        digits = found[1].lstrip("0") or "0"
        return Canonical(f"{digits}_{base}", "based", parts=(self.answer(digits),))

    def clock(self, text: str) -> Canonical | None:
        """A time of day with a.m. or p.m.; without it, 4:30 may be a ratio and stays as written."""
        found = _CLOCK.fullmatch(TEXT_COMMAND.sub(lambda inner: inner[1], text))
        if not found or not 1 <= int(found[1]) <= 12:
            return None
        hour = int(found[1]) % 12 + (12 if found[3].lower() == "p" else 0)
        return Canonical(f"time {hour}:{found[2] or '00'}", "time")

    def ratio(self, text: str) -> Canonical | None:
        found = _RATIO.fullmatch(text)
        return Canonical(":".join(part for part in found.groups() if part), "ratio") if found else None

    def approximation(self, text: str) -> Canonical | None:
        parts = split_outside(text, _APPROXIMATELY)
        if len(parts) < 2:
            return None
        return self.structured(next((part for part in parts if part.strip()), ""))

    def joined(self, text: str) -> Canonical | None:
        """Answers joined by "or", "and", semicolons."""
        for separator in (_JOINED, _SEMICOLON):
            parts = split_outside(text, separator)
            if len(parts) > 1:
                return self.listed(parts)
        return None

    def comma_list(self, text: str) -> Canonical | None:
        parts = self.comma_parts(text)
        return self.listed(parts) if len(parts) > 1 else None

    def comma_parts(self, text: str) -> list[str]:
        """Pieces between commas; a comma without a space may also group digits: 1,000, 2,000."""
        parts = split_outside(text, _SEMICOLON)
        if len(parts) > 1:
            return parts
        parts = split_outside(text, _COMMA_SPACE)
        if len(parts) > 1 and all(parse_number(part.strip(), self.language) for part in parts):
            return parts
        return split_outside(text, _COMMA)

    def listed(self, parts: list[str]) -> Canonical | None:
        """Several answers in no order. x = 1, y = 2 names its parts; x = 1, x = 2 is just 1 and 2."""
        parts = [part for part in parts if part.strip()]
        if len(parts) < 2:
            return self.structured(parts[0]) if parts else None
        items = [self.structured(part) for part in parts]
        if any(item is None or item.is_prose for item in items):
            return None
        names = [self.assigned_name(part) for part in parts]
        if len(set(names)) == len(names) and all(names):
            pairs = sorted(zip(names, items, strict=True), key=lambda pair: pair[0])
            return Canonical(
                "{" + ", ".join(f"{name} = {item.key}" for name, item in pairs) + "}",
                "assignments",
                parts=tuple(item for _, item in pairs),
            )
        if all(item.kind in ("interval", "union") for item in items):
            return make_union(items)
        return make_set(items)

    def assigned_name(self, part: str) -> str | None:
        sides = split_outside(part, EQUALS)
        return sides[0].strip() if len(sides) == 2 and SYMBOL.fullmatch(sides[0].strip()) else None

    def union(self, text: str) -> Canonical | None:
        parts = split_outside(text, _UNION)
        if len(parts) < 2:
            return None
        items = [self.structured(part) for part in parts]
        if any(item is None or item.kind not in ("interval", "tuple", "set", "union") for item in items):
            return None
        return make_union(items)

    def bracketed(self, text: str) -> Canonical | None:
        opening, closing = text[:1], text[-1:]
        if text.startswith(r"\{") and text.endswith(r"\}") and closes_at_end(text):
            inside = text[2:-2]
            if not inside.strip():
                return Canonical("{}", "set")
            if re.search(r"(?<!\|)\|(?!.*\|)|:", inside) and not _RATIO.search(inside):
                return None
            parts = self.comma_parts(inside)
            return self.collected(parts)
        if opening == "]" and closing == "[":
            text, opening, closing = f"({text[1:-1]})", "(", ")"
        elif not (opening in ("(", "[", "]") and closing in (")", "]", "[")):
            return None
        elif opening == "]":
            text, opening = "(" + text[1:], "("
        elif closing == "[":
            text, closing = text[:-1] + ")", ")"
        if not closes_at_end(text):
            return None
        parts = self.comma_parts(text[1:-1])
        if len(parts) == 1:
            return self.structured(parts[0]) if opening == "[" and closing == "]" else None
        items = [self.structured(part) for part in parts]
        if any(item is None or item.kind in ("text", "form") for item in items):
            items = [item or self.prose(part) for item, part in zip(items, parts, strict=True)]
            if any(not item.key for item in items):
                return None
        if len(items) == 2:
            return make_interval(opening, items[0], items[1], closing)
        if opening + closing not in ("()", "[]"):
            return None
        keys = ", ".join(item.key for item in items)
        return Canonical(f"{opening}{keys}{closing}", "tuple", parts=tuple(items))

    def collected(self, parts: list[str]) -> Canonical | None:
        items = [self.structured(part) or self.prose(part) for part in parts if part.strip()]
        return make_set(items) if items and all(item.key for item in items) else None

    def plus_minus(self, text: str) -> Canonical | None:
        if not _PLUS_MINUS.search(text):
            return None
        upper = re.sub(r"\\pm(?![a-zA-Z])", "+", re.sub(r"\\mp(?![a-zA-Z])", "-", text))
        lower_ = re.sub(r"\\pm(?![a-zA-Z])", "-", re.sub(r"\\mp(?![a-zA-Z])", "+", text))
        items = [self.structured(upper.strip()), self.structured(lower_.strip())]
        return None if any(item is None or item.is_prose for item in items) else make_set(items)

    def with_unit(self, text: str) -> Canonical | None:
        """The number or expression before a unit, a degree mark or a percent sign."""
        for tail in (_DEGREE_TAIL, _PERCENT_TAIL, _UNIT_TAIL, _FOREIGN_UNIT):
            found = tail.search(text)
            if not found or not found.start():
                continue
            inner = self.structured(text[: found.start()].strip().removesuffix(r"\cdot").removesuffix("/"))
            if inner is None or inner.is_prose:
                return None
            if tail is _PERCENT_TAIL:
                if inner.value is not None and self.policy.percent == "value":
                    value = inner.value / 100
                    return Canonical(fraction_key(value), "number", value, inner.decimal, True)
                return replace(inner, percent=True)
            return inner
        return None

    def with_words(self, text: str) -> Canonical | None:
        """The number before a unit in plain words: 2/3 cup."""
        found = _PLAIN_UNIT.search(text)
        if not found or not is_unit(found[0].strip(), glued=False):
            return None
        inner = self.expression(text[: found.start()])
        return inner if inner is not None and inner.kind in ("number", "real") else None

    def expression(self, text: str) -> Canonical | None:
        try:
            tree = parse_expression(AMOUNT_SIGN.sub("", text))
            key = value_key(tree)
        except (UnreadableError, TooLargeError, UndefinedError, OverflowError, RecursionError):
            return None
        names = symbols(tree)
        if names and ":" in key:
            unit = _UNIT_LETTER.fullmatch(text)
            number = self.number(unit[1]) if unit else None
            return Canonical(key, "expression", loose_value=number and number.key)
        if key[0] == "~" or "infinity" in key:
            return Canonical(key, "real")
        if key[0] == "(":
            return Canonical(key, "complex")
        value = None if key.startswith("0x") else Fraction(key)
        return Canonical(key, "number", value, _has_decimals(text, value))

    def prose(self, text: str) -> Canonical:
        """Words, folded; or, if there is LaTeX in it, the LaTeX in one spelling."""
        words = TEXT_COMMAND.sub(lambda found: f" {found[1]} ", text)
        if any(mark in words for mark in ("\\", "^", "_", "=")):
            return self.form(text)
        words = re.sub(r"[\s\-]+", " ", lower(words, self.language)).strip(" .,;:!?。、()\"'*_")
        return Canonical(f"text:{words}" if words else "", "text")

    def form(self, text: str) -> Canonical:
        return Canonical("form:" + normal_form(text), "form")


def _inner_boxes(text: str) -> str:
    """Boxes among other text as their content."""
    for box in reversed(find_boxes(text)):
        if box.closed and text[box.start - 1] == "{":
            start = text.rfind("\\", 0, box.start)
            text = text[:start] + text[box.start : box.end] + text[box.end + 1 :]
    return text


def _has_decimals(text: str, value: Fraction | None) -> bool:
    return value is not None and value.denominator != 1 and bool(re.search(r"\d\.\d", text))
