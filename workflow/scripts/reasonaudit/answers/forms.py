"""What a canonical answer is made of."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Canonical:
    """An answer in canonical form; answers with equal keys are equivalent.

    Args:
        key: the class of the answer.
        kind: number, real, complex, expression, equation, inequality, tuple, interval, set, union,
            matrix, ratio, based, choice, text, form (a LaTeX string that could not be read).
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
