"""What judging costs, in tokens of the judge for each token of the solver."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

JUDGE_COST = TableSchema(
    name="judge_cost",
    columns={
        "judge": pa.string(),
        "model": pa.string(),  # a solver, or all
        "judged_samples": pa.int64(),
        "judgements": pa.int64(),
        "judge_tokens": pa.int64(),
        "mean_tokens": pa.float64(),  # a judgement
        "tokens_per_sample": pa.float64(),
        "solver_tokens": pa.int64(),  # every sample, also those that nobody judged
        "solver_tokens_judged": pa.int64(),
        "per_solver_token": pa.float64(),
        "per_judged_token": pa.float64(),
    },
    key=("judge", "model"),
    required=("judged_samples", "judgements"),
)
