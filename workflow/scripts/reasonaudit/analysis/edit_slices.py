"""How injected errors are cut into slices: by kind of edit, by relative size, by position in the chain."""

import pandas as pd

# Shares of the old number, upper end included only in the third: a change by exactly 100% is not above it.
SIZE_BINS = ("<1%", "1-10%", "10-100%", ">100%")
POSITION_BINS = ("40-50%", "50-60%", "60-70%")
SLICES = ("edit_kind", "relative_size", "position")


def size_bin(relative_size: float | None) -> str | None:
    """The bin of |new - old| / |old|; None where there is none (truncated, an old number of zero)."""
    if relative_size is None or pd.isna(relative_size):
        return None
    if relative_size < 0.01:
        return SIZE_BINS[0]
    if relative_size < 0.1:
        return SIZE_BINS[1]
    return SIZE_BINS[2] if relative_size <= 1 else SIZE_BINS[3]


def position_bin(condition: str, share: float | None) -> str | None:
    """The tenth of the chain in which an intermediate error lies; None for other conditions."""
    if condition != "intermediate_error" or share is None or pd.isna(share):
        return None
    tenth = min(9, int(share * 10 + 1e-9))
    return f"{tenth * 10}-{tenth * 10 + 10}%"


def edit_slices(injections: pd.DataFrame) -> pd.DataFrame:
    """Columns edit_kind, relative_size and position (text or None) for rows of the injections table."""
    slices = pd.DataFrame(index=injections.index)
    slices["edit_kind"] = [None if pd.isna(menu) else menu for menu in injections["menu"]]
    slices["relative_size"] = [size_bin(size) for size in injections["relative_size"]]
    pairs = zip(injections["condition"], injections["position_share"], strict=True)
    slices["position"] = [position_bin(condition, share) for condition, share in pairs]
    return slices.astype(object).where(slices.notna(), None)
