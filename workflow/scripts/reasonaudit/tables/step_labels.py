"""One row per chain whose first wrong step people have marked (the format of ProcessBench)."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

STEP_LABELS = TableSchema(
    name="step_labels",
    columns={
        "model": pa.string(),  # who wrote the chain
        "dataset": pa.string(),
        "method": pa.string(),  # step_labels
        "run": pa.int64(),
        "question_id": pa.string(),
        "sample_index": pa.int64(),
        "language": pa.string(),
        "problem": pa.string(),
        "steps": pa.list_(pa.string()),
        "label": pa.int64(),  # 0-based first wrong step; -1: none
        "final_answer_correct": pa.bool_(),
        "consistent": pa.bool_(),  # a wrong final answer has a wrong step before it
    },
    key=("model", "dataset", "method", "run", "question_id", "sample_index"),
    required=("language", "problem", "steps", "label", "consistent"),
)
