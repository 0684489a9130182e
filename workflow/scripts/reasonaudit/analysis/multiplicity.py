"""Correction for testing many methods at once (Holm, "A simple sequentially rejective procedure")."""

from collections.abc import Hashable, Sequence

import numpy as np


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Holm-adjusted p in the order given.

    A missing p (None or NaN) is a test that was not run: it is left out of the family and stays None.
    A family whose size is fixed in advance can be passed with 1.0 in place of such a test.
    """
    present = [i for i, value in enumerate(p) if not _missing(value)]
    adjusted: list[float | None] = [None] * len(p)
    if not present:
        return adjusted
    # The same numbers as statsmodels' multipletests, which collects garbage at every call (0.1 s each).
    running = 0.0
    for rank, i in enumerate(sorted(present, key=lambda i: p[i])):
        running = max(running, min(1.0, (len(present) - rank) * float(p[i])))
        adjusted[i] = running
    return adjusted


def holm_by_family(p: Sequence[float | None], families: Sequence[Hashable]) -> list[float | None]:
    """Holm within each family; ``families`` names the family of each p."""
    if len(p) != len(families):
        raise ValueError(f"{len(p)} p values but {len(families)} families")
    adjusted: list[float | None] = [None] * len(p)
    for family in dict.fromkeys(families):
        places = [i for i, other in enumerate(families) if other == family]
        for place, value in zip(places, holm([p[i] for i in places]), strict=True):
            adjusted[place] = value
    return adjusted


def _missing(value: float | None) -> bool:
    return value is None or bool(np.isnan(value))
