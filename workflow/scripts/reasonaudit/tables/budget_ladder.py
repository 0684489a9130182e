"""The same solver and data at several token budgets and modes: one row per rung."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

BUDGET_LADDER = TableSchema(
    name="budget_ladder",
    columns={
        "checkpoint": pa.string(),
        "mode": pa.string(),
        "dataset": pa.string(),
        "max_tokens": pa.int64(),
        "model": pa.string(),  # the entry of the configuration
        "method": pa.string(),
        "judge": pa.string(),
        "strategy": pa.string(),
        "rungs": pa.int64(),  # budgets of this checkpoint, mode and data set
        "solver_stop_share": pa.float64(),
        "judge_stop_share": pa.float64(),
        "pass_at_1": pa.float64(),
        "n": pa.int64(),
        "pass_at_n": pa.float64(),
        "cot_pass_at_n": pa.float64(),
        "gap": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
    },
    key=("checkpoint", "mode", "dataset", "max_tokens", "model", "method", "judge", "strategy"),
    required=("rungs", "n"),
)
