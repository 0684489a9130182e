"""One row per method and measure: how much of its mechanism a method used."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

ENGAGEMENT = TableSchema(
    name="engagement",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "measure": pa.string(),
        "round": pa.int64(),
        "value": pa.float64(),
        "n": pa.int64(),  # questions (times runs), or replies for measures of replies
        "warning": pa.string(),
    },
    key=("model", "dataset", "method", "measure"),
    required=("n",),
)
