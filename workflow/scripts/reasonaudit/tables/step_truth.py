"""A judge's verdicts against human labels of the first wrong step."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

STEP_TRUTH = TableSchema(
    name="step_truth",
    columns={
        "judge": pa.string(),
        "dataset": pa.string(),  # or all
        "strategy": pa.string(),
        "erroneous": pa.int64(),
        "rejected": pa.int64(),  # of them
        "accuracy_erroneous": pa.float64(),
        "correct": pa.int64(),
        "approved": pa.int64(),  # of them
        "accuracy_correct": pa.float64(),
        "harmonic_mean": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
        "inconsistent": pa.int64(),  # left out: wrong final answer, but no step marked wrong
    },
    key=("judge", "dataset", "strategy"),
    required=("erroneous", "correct", "inconsistent"),
)
