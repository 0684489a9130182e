"""Rates as a paper prints them: rounded half-up to three decimals, differences taken after rounding.

Rounding works on whole-number counts, so a rate that lies exactly between two displayed values goes up
whatever its binary fraction is (0.0625 is 0.063; Python's ``round`` gives 0.062).
"""

from collections.abc import Iterable
from fractions import Fraction

PLACES = 3


def half_up(numerator: int, denominator: int, places: int = PLACES) -> float | None:
    """numerator / denominator rounded half-up; None if the denominator is zero."""
    if denominator == 0:
        return None
    scaled = Fraction(int(numerator) * 10**places, int(denominator))
    return int((scaled + Fraction(1, 2)).__floor__()) / 10**places


def displayed_difference(high: float, low: float, places: int = PLACES) -> float:
    """Difference of two displayed values, itself a displayed value."""
    return (round(high * 10**places) - round(low * 10**places)) / 10**places


def displayed_spread(values: Iterable[float | None], places: int = PLACES) -> float | None:
    """Largest minus smallest displayed value; undefined ones are left out, None if fewer than two remain."""
    defined = [value for value in values if value is not None]
    if len(defined) < 2:
        return None
    return displayed_difference(max(defined), min(defined), places)
