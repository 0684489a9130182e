"""One row per rewriting method: what became of its first answers."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

TRANSITIONS = TableSchema(
    name="transitions",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "n_questions": pa.int64(),
        "runs": pa.int64(),
        "first_accuracy": pa.float64(),
        "final_accuracy": pa.float64(),
        "difference": pa.float64(),  # final minus first
        "low": pa.float64(),
        "high": pa.float64(),
        "p": pa.float64(),
        "p_mcnemar": pa.float64(),
        "wrong_to_right": pa.int64(),
        "right_to_wrong": pa.int64(),
        "right_to_right": pa.int64(),
        "wrong_to_wrong": pa.int64(),
        "changed_share": pa.float64(),  # another answer class than at first
    },
    key=("model", "dataset", "method"),
    required=("n_questions", "runs"),
)
