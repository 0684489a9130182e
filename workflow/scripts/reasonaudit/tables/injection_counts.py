"""How many originals each condition was applied to, and why it was not."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

INJECTION_COUNTS = TableSchema(
    name="injection_counts",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "condition": pa.string(),
        "outcome": pa.string(),  # applied, or the reason why not
        "menu": pa.string(),  # kind of wrong number; none
        "originals": pa.int64(),
        "of": pa.int64(),  # drawn in the cell
        "fallbacks": pa.int64(),  # the drawn kind had no number that fits
        "in_panel": pa.int64(),
    },
    key=("model", "dataset", "method", "condition", "outcome", "menu"),
    required=("originals", "of", "fallbacks", "in_panel"),
)
