"""What a canonical answer is made of."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Canonical:
    """An answer in canonical form; answers with equal keys are equivalent.

    Args:
        key: the class of the answer.
        kind: number, real, complex, expression, equation, inequality, tuple, interval, set, union,
            matrix, assignments, time, ratio, based, choice, text, form (LaTeX that could not be read).
        value: the exact value of a number.
        decimal: written with decimals or an exponent, so perhaps rounded.
        percent: written with a percent sign.
        parts: entries of a tuple, interval, set or matrix, in the order of the key.
        right: the right-hand side of an equation.
        loose_value: key of the plain number that it may stand for where the gold is one: 48 for 48g
            (a product, or grams), 169 for m + n = 169.
    """

    key: str
    kind: str
    value: Fraction | None = None
    decimal: bool = False
    percent: bool = False
    parts: tuple["Canonical", ...] = ()
    right: "Canonical | None" = None
    loose_value: str | None = None

    @property
    def is_prose(self) -> bool:
        """Whether nothing mathematical could be read."""
        return self.kind in ("text", "form")


def make_interval(opening: str, low: Canonical, high: Canonical, closing: str) -> Canonical:
    """An interval or pair: (a, b) can be either, and is one class."""
    # An end at infinity is open however it is written.
    opening = "(" if low.key == "-infinity" else opening
    closing = ")" if high.key == "infinity" else closing
    kind = "interval" if opening + closing != "()" or "infinity" in low.key + high.key else "tuple"
    return Canonical(f"{opening}{low.key}, {high.key}{closing}", kind, parts=(low, high))


def make_set(items: list[Canonical]) -> Canonical:
    """A set: sorted, without repetition; a set of one is its element."""
    flat: dict[str, Canonical] = {}
    for item in items:
        for part in item.parts if item.kind == "set" else (item,):
            flat[part.key] = part
    ordered = [flat[key] for key in sorted(flat)]
    if len(ordered) == 1:
        return ordered[0]
    return Canonical("{" + ", ".join(item.key for item in ordered) + "}", "set", parts=tuple(ordered))


def make_union(items: list[Canonical]) -> Canonical:
    """A union of intervals in no order."""
    flat = {part.key: part for item in items for part in (item.parts if item.kind == "union" else (item,))}
    ordered = [flat[key] for key in sorted(flat)]
    if len(ordered) == 1:
        return ordered[0]
    return Canonical(" u ".join(item.key for item in ordered), "union", parts=tuple(ordered))
