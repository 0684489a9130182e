"""Applied and skipped edits, counted from the injection logs."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from reasonaudit.tables.injection_counts import INJECTION_COUNTS
from reasonaudit.tables.injections import INJECTIONS, ORIGINAL_KEY
from reasonaudit.tables.panel import PANEL
from reasonaudit.tables.parquet import read_frame, read_table, to_frame, write_table

Paths = str | Path | Iterable[str | Path]
CELL = ["model", "dataset", "method"]
NONE = "none"


def count_injections(*, injections: Paths, panels: Paths, injection_counts: str | Path) -> None:
    """Write how often each condition was applied in each cell, and why it was not."""
    columns = [*ORIGINAL_KEY, "condition", "applied", "skip_reason", "menu", "menu_fallback"]
    log = to_frame(read_table(injections, INJECTIONS).select(columns))
    rows = count_rows(log, read_frame(panels, PANEL))
    write_table(injection_counts, rows, INJECTION_COUNTS)


def count_rows(log: pd.DataFrame, panel: pd.DataFrame) -> list[dict]:
    """Rows of the injection_counts table."""
    log = log.merge(panel[list(ORIGINAL_KEY)].assign(kept=True), on=list(ORIGINAL_KEY), how="left")
    log["outcome"] = log["skip_reason"].fillna("applied")
    log["menu"] = log["menu"].fillna(NONE)
    drawn = log.drop_duplicates(list(ORIGINAL_KEY)).groupby(CELL).size()
    rows = []
    for key, part in log.groupby([*CELL, "condition", "outcome", "menu"], sort=True):
        rows.append(
            dict(zip([*CELL, "condition", "outcome", "menu"], key, strict=True))
            | {
                "originals": len(part),
                "of": int(drawn.loc[key[:3]]),
                "fallbacks": int(part["menu_fallback"].eq(True).sum()),
                "in_panel": int(part["kept"].eq(True).sum()),
            }
        )
    return rows
