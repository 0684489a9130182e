"""Numbers as they stand in sentences."""

from collections.abc import Mapping, Sequence

import pandas as pd


def points(share: float) -> str:
    """A difference of shares in percentage points, with its sign: 0.0312 -> "+3.1"."""
    value = round(100 * share, 1)
    return "0.0" if value == 0 else f"{value:+.1f}".replace("-", "−")


def percent(share: float) -> str:
    """A share: 0.4567 -> "45.7%"."""
    return f"{100 * share:.1f}%"


def p_value(p: float) -> str:
    """A p value: "p < 0.001" or "p = 0.036"."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def interval(low: float, high: float, confidence: float) -> str:
    """An interval of a difference in points: "95% interval −13.3 to −2.2"."""
    return f"{100 * confidence:g}% interval {points(low)} to {points(high)}"


def count(n: int, one: str, many: str | None = None) -> str:
    """A number with its noun: "1 comparison", "3 comparisons", "no comparison"."""
    if n == 0:
        return f"no {one}"
    return f"{n} {one if n == 1 else many or one + 's'}"


def listed(items: Sequence[str]) -> str:
    """A list in a sentence: "a, b and c"."""
    items = list(items)
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def label(name: str, given: Mapping[str, Mapping]) -> str:
    """The label that the configuration gives, else the name."""
    return given.get(name, {}).get("label") or name


def extent(values: pd.Series, unit: str = " points", digits: int = 1) -> str:
    """The range of some differences: "1.3 to 3.2 points", or one number if all round to the same."""
    low, high = (f"{100 * value:.{digits}f}" for value in (values.min(), values.max()))
    return f"{low}{unit}" if low == high else f"{low} to {high}{unit}"
