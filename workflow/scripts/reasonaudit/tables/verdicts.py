"""One row per answer and verifier."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

VERDICTS = TableSchema(
    name="verdicts",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "run": pa.int64(),
        "question_id": pa.string(),
        "sample_index": pa.int64(),
        "verifier": pa.string(),
        "accepted": pa.bool_(),
        "rule": pa.string(),
        "timed_out": pa.bool_(),
    },
    key=("model", "dataset", "method", "run", "question_id", "sample_index", "verifier"),
    required=("accepted", "timed_out"),
)
