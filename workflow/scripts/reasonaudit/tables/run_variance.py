"""One row per comparison: how much of its uncertainty comes from the questions, how much from the runs."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

RUN_VARIANCE = TableSchema(
    name="run_variance",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "n_questions": pa.int64(),
        "runs": pa.int64(),
        "difference": pa.float64(),
        "variance": pa.float64(),  # of the questions' differences, each a mean over runs
        "variance_questions": pa.float64(),  # component of the questions; null with one run
        "variance_runs": pa.float64(),  # component of a single run; null with one run
        "run_share": pa.float64(),  # share of `variance` that is due to runs
        "standard_error": pa.float64(),  # over questions and runs together
        "standard_error_fixed_questions": pa.float64(),  # these questions, other seeds
    },
    key=("model", "dataset", "method"),
    required=("n_questions", "runs"),
)
