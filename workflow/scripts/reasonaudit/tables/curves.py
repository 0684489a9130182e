"""The sampling baseline: one row per model, data set, number of chains N and estimator."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

CURVES = TableSchema(
    name="curves",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "estimator": pa.string(),  # exact, drawn
        "n": pa.int64(),  # chains voting
        "on_grid": pa.bool_(),  # a point that is printed
        "n_questions": pa.int64(),
        "runs": pa.int64(),
        "accuracy": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
        "tokens": pa.float64(),  # mean generated tokens of N chains on a question
        "tokens_low": pa.float64(),
        "tokens_high": pa.float64(),
        "total_tokens": pa.float64(),
        "input_output_ratio": pa.float64(),  # prompt tokens per generated token
        "tie_share": pa.float64(),  # probability that a draw ties at the top
        "abstain_share": pa.float64(),  # probability that no chain of a draw can be read
    },
    key=("model", "dataset", "estimator", "n"),
    required=("on_grid", "n_questions", "runs", "accuracy"),
)
