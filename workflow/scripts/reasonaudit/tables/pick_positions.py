"""One row per position at which candidates are shown: how often the pick falls there, and what is there."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

PICK_POSITIONS = TableSchema(
    name="pick_positions",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "position": pa.int64(),  # 1 is shown first
        "picks": pa.int64(),  # readable picks that name this position
        "share": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
        "candidates_right": pa.float64(),  # share of right candidates at this position
        "picks_right": pa.float64(),  # share of right answers among the picks of this position
    },
    key=("model", "dataset", "method", "position"),
    required=("picks",),
)
