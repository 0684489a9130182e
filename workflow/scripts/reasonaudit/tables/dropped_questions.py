"""One row per question that leaves every method of a model, because a prompt of some method did not fit."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

DROPPED_QUESTIONS = TableSchema(
    name="dropped_questions",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "question_id": pa.string(),
        "methods": pa.string(),  # whose calls never started, comma-separated
        "calls": pa.int64(),  # how many never started
    },
    key=("model", "dataset", "question_id"),
    required=("methods", "calls"),
)
