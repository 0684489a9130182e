"""One row per method: answers that could not be read, and replies that were cut off."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

UNREADABLE = TableSchema(
    name="unreadable",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "answers": pa.int64(),
        "unreadable": pa.int64(),
        "rate": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
        "truncated": pa.int64(),  # the answering call was stopped by its token limit
        "truncated_rate": pa.float64(),
        "truncated_unreadable": pa.int64(),
        "accuracy_of_readable": pa.float64(),
    },
    key=("model", "dataset", "method"),
    required=("answers", "unreadable", "truncated"),
)
