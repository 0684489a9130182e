"""The menu of wrong numbers: 40% plus or minus 1 or 2, 30% two digits swapped, 30% one digit changed.

The draw is made for each original on its own, so that the edit of one chain never depends on which other
chains are in the study. Where the drawn kind has no number that fits, the next kind is taken and the
fallback is recorded.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from reasonaudit.audit.number_tokens import NumberToken

MENU = {"plus_minus": 0.4, "digit_transposition": 0.3, "single_digit": 0.3}


@dataclass(frozen=True)
class WrongNumber:
    """A number to put in place of a token.

    Attributes:
        text: how it is written, in the token's own habit (separators, script, decimals).
        value: what it is.
        menu: the kind that made it.
        fallback: the kind that was drawn had nothing that fits.
    """

    text: str
    value: Fraction
    menu: str
    fallback: bool


def wrong_numbers(token: NumberToken, rng: np.random.Generator) -> Iterator[WrongNumber]:
    """Candidates in the order in which they are tried; every value differs from the token's.

    Args:
        token: with a clear reading (its value is not None).
        rng: the same state gives the same order.
    """
    kinds = list(MENU)
    drawn = kinds[int(rng.choice(len(kinds), p=list(MENU.values())))]
    for place, kind in enumerate([drawn, *(k for k in kinds if k != drawn)]):
        candidates = _CANDIDATES[kind](token)
        for index in rng.permutation(len(candidates)):
            digits = candidates[int(index)]
            value = Fraction(int(digits), 10**token.fraction_digits)
            if value != token.value:
                yield WrongNumber(token.rewritten(digits), value, kind, place > 0)


def relative_size(old: Fraction, new: Fraction) -> float | None:
    """|new - old| / |old|; None for an old value of zero."""
    return float(abs(new - old) / abs(old)) if old else None


def _plus_minus(token: NumberToken) -> list[str]:
    unit = 10**token.fraction_digits
    value = int(token.digits)
    shifted = [value + step * unit for step in (-2, -1, 1, 2)]
    return [str(number) for number in shifted if number >= 0]


def _digit_transposition(token: NumberToken) -> list[str]:
    found = []
    for i, j in combinations(range(len(token.digits)), 2):
        digits = list(token.digits)
        digits[i], digits[j] = digits[j], digits[i]
        found.append("".join(digits))
    return _well_formed(found, token)


def _single_digit(token: NumberToken) -> list[str]:
    digits = token.digits
    found = [digits[:i] + other + digits[i + 1 :] for i in range(len(digits)) for other in "0123456789"]
    return _well_formed(found, token)


def _well_formed(found: list[str], token: NumberToken) -> list[str]:
    """Distinct from the token, without a new leading zero, in order and once each."""
    whole = len(token.digits) - token.fraction_digits
    kept = [d for d in found if d != token.digits and (whole == 1 or d[0] != "0")]
    return list(dict.fromkeys(kept))


_CANDIDATES = {
    "plus_minus": _plus_minus,
    "digit_transposition": _digit_transposition,
    "single_digit": _single_digit,
}
