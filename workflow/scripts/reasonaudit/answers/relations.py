r"""Equations, inequalities and membership: x = 5, 3x + 4y = 7, 2 < x <= 5, x \in [0, 1]."""

import re
from abc import ABC, abstractmethod

from reasonaudit.answers.evaluate import TooLargeError, UndefinedError, evaluate, number_key, sample_points
from reasonaudit.answers.expressions import Tree, UnreadableError, parse_expression, symbols
from reasonaudit.answers.forms import Canonical, make_interval
from reasonaudit.answers.policies import Policy
from reasonaudit.answers.splitting import closes_at_end, depths, split_outside

AMOUNT_SIGN = re.compile(r"\\?[$€£¥₺](?=\s*\d)")
TEXT_COMMAND = re.compile(r"\\text\s*\{([^{}]*)\}")
EQUALS = re.compile(r"(?<![<>!:\\=])=+(?![=>])|\\equiv(?![a-zA-Z])(?!.*\\p?mod)")
SYMBOL = re.compile(r"(?:[^\W\d_]|\\[a-zA-Z]+)(?:_\{?\w+\}?)?'?")
_RELATION = re.compile(r"<=|>=|<|>|\\le(?![a-zA-Z])|\\ge(?![a-zA-Z])|\\ne(?![a-zA-Z])|!=")
_MEMBER = re.compile(r"\\in(?![a-zA-Z])")
_FUNCTION = re.compile(
    r"[a-zA-Z](?:_\{?\w+\}?)?'*(?:\^\s*\{\s*-1\s*\})?\s*\(\s*[a-zA-Z](?:\s*,\s*[a-zA-Z])*\s*\)"
)
_NAMES = re.compile(r"[^\W\d_](?:[^\W\d_]|[\s'\-.])*", re.UNICODE)
_SIDES = {"<": "<", ">": ">", "<=": "<=", ">=": ">=", r"\le": "<=", r"\ge": ">=", r"\ne": "!=", "!=": "!="}


class RelationReader(ABC):
    """The part of a reader that reads relations; ``structured`` and ``comma_parts`` are the reader's."""

    policy: Policy

    @abstractmethod
    def structured(self, text: str) -> Canonical | None:
        """Whatever can be read as mathematics or as a choice; None for prose."""

    @abstractmethod
    def comma_parts(self, text: str) -> list[str]:
        """Pieces between commas that separate."""

    def relation(self, text: str) -> Canonical | None:
        members = split_outside(text, _MEMBER)
        if len(members) == 2 and SYMBOL.fullmatch(members[0].strip()):
            return self.structured(members[1])
        if found := self.inequality(text):
            return found
        sides = [side.strip() for side in split_outside(text, EQUALS)]
        if len(sides) < 2:
            return None
        if any(len(self.comma_parts(side)) > 1 for side in sides[:-1]) and not closes_at_end(sides[0]):
            return None
        if len(sides) > 2:
            # The value of a chain of equalities is its last member.
            return self.structured(sides[-1])
        return self.equation(*sides)

    def equation(self, left: str, right: str) -> Canonical | None:
        if not left or not right:
            return self.structured(left or right)
        value = self.structured(right)
        if _FUNCTION.fullmatch(left) or self.is_name(left):
            return value
        named = bool(SYMBOL.fullmatch(left))
        if named and value is not None and value.kind not in ("expression", "form", "text", "choice"):
            return value
        if named and value is not None and value.kind == "choice":
            return Canonical(f"{left} = {value.key}", "equation", right=value)
        if closes_at_end(left) and value is not None and value.kind in ("tuple", "interval", "set"):
            return value
        try:
            lhs, rhs = (
                parse_expression(AMOUNT_SIGN.sub("", left)),
                parse_expression(AMOUNT_SIGN.sub("", right)),
            )
        except UnreadableError:
            return value if _is_words(left) else None
        if not symbols(lhs):
            if not symbols(rhs):
                return value
            if rhs[0] == "sym":
                return self.structured(left)
        key = _proportional_key(("add", lhs, ("neg", rhs)))
        if not key:
            return value
        # m + n = 169 names its value; 3x + 4y = 7 is a line.
        loose = value.key if value and value.kind == "number" and not any(map(str.isdigit, left)) else None
        return Canonical(f"equation {key}", "equation", right=value, loose_value=loose)

    def is_name(self, left: str) -> bool:
        r"""Words on the left of an equals sign: Total = 15, \text{Area} = 6."""
        words = TEXT_COMMAND.sub(lambda found: found[1], left).strip()
        return len(words) > 3 and bool(_NAMES.fullmatch(words))

    def inequality(self, text: str) -> Canonical | None:
        levels_ok = split_outside(text, _RELATION)
        if len(levels_ok) < 2 or len(levels_ok) > 3:
            return None
        if any(len(self.comma_parts(side)) > 1 for side in levels_ok):
            return None
        marks = [_SIDES[mark] for mark in _marks_outside(text)]
        sides = [side.strip() for side in levels_ok]
        if len(marks) != len(sides) - 1 or not all(sides):
            return None
        if all(mark[0] == ">" for mark in marks):
            marks = [mark.replace(">", "<") for mark in reversed(marks)]
            sides = sides[::-1]
        if not all(mark[0] == "<" for mark in marks):
            if marks == ["!="]:
                return self.unequal(*sides)
            return None
        if self.policy.inequality == "interval" and (found := self.as_interval(sides, marks)):
            return found
        if len(sides) == 2:
            try:
                difference = ("add", parse_expression(sides[1]), ("neg", parse_expression(sides[0])))
            except UnreadableError:
                return None
            key = _proportional_key(difference, signed=True)
            return Canonical(f"inequality {marks[0]} {key}", "inequality") if key else None
        items = [self.structured(side) for side in sides]
        if any(item is None or item.is_prose for item in items):
            return None
        return Canonical(f"{items[0].key} {marks[0]} {items[1].key} {marks[1]} {items[2].key}", "inequality")

    def unequal(self, left: str, right: str) -> Canonical | None:
        items = [self.structured(left), self.structured(right)]
        if any(item is None or item.is_prose for item in items):
            return None
        return Canonical(" != ".join(sorted(item.key for item in items)), "inequality")

    def as_interval(self, sides: list[str], marks: list[str]) -> Canonical | None:
        if len(sides) == 3:
            if not SYMBOL.fullmatch(sides[1]):
                return None
            low, high = self.structured(sides[0]), self.structured(sides[2])
            ends = ("[" if marks[0] == "<=" else "(", "]" if marks[1] == "<=" else ")")
        elif SYMBOL.fullmatch(sides[0]) and not SYMBOL.fullmatch(sides[1]):
            low, high = Canonical("-infinity", "real"), self.structured(sides[1])
            ends = ("(", "]" if marks[0] == "<=" else ")")
        elif SYMBOL.fullmatch(sides[1]) and not SYMBOL.fullmatch(sides[0]):
            low, high = self.structured(sides[0]), Canonical("infinity", "real")
            ends = ("[" if marks[0] == "<=" else "(", ")")
        else:
            return None
        if low is None or high is None or {low.kind, high.kind} - {"number", "real"}:
            return None
        return make_interval(ends[0], low, high, ends[1])


def _marks_outside(text: str) -> list[str]:
    levels = depths(text)
    return [found[0] for found in _RELATION.finditer(text) if levels[found.start()] == 0]


def _is_words(text: str) -> bool:
    words = TEXT_COMMAND.sub(lambda found: found[1], text)
    return not any(mark in words for mark in "\\^_$(") and sum(character.isalpha() for character in words) > 3


def _proportional_key(difference: Tree, signed: bool = False) -> str | None:
    """A key that is the same for a x + b = 0 and for any multiple of it.

    With ``signed`` only positive multiples are the same (inequalities).
    """
    names = sorted(symbols(difference))
    if not names:
        return None
    try:
        values = [evaluate(difference, point) for point in sample_points(names, frozenset(), 3)]
        first = next((value for value in values if value != 0), None)
        if first is None:
            return "always"
        size = abs(first) if signed else first
        keys = [number_key(value / size) for value in values]
    except (TooLargeError, UndefinedError, OverflowError, TypeError, ValueError):
        return None
    return f"{','.join(names)}: {' ; '.join(keys)}"
