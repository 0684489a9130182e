"""The largest gap that a judge could have shown, given how it takes injected errors."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

JUDGE_SENSITIVITY = TableSchema(
    name="judge_sensitivity",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),  # or all
        "method": pa.string(),
        "judge": pa.string(),
        "strategy": pa.string(),
        "condition": pa.string(),  # the injected error that the reading rests on
        "k": pa.int64(),
        "wrong_accepted": pa.float64(),  # share of chains with that error that the judge approves
        "wrong_accepted_low": pa.float64(),
        "wrong_accepted_high": pa.float64(),
        "pass_at_k": pa.float64(),
        "observed_gap": pa.float64(),
        # had every approved chain been wrong:
        "expected_gap": pa.float64(),  # rejections independent between chains
        "largest_gap": pa.float64(),  # bound: the chains of a question are rejected together or not at all
        "largest_gap_low": pa.float64(),  # at the ends of the interval of wrong_accepted
        "largest_gap_high": pa.float64(),
    },
    key=("model", "dataset", "method", "judge", "strategy", "condition", "k"),
)
