"""Length stops of solver and judge beside the gap."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

STOPS = TableSchema(
    name="stops",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "judge": pa.string(),
        "strategy": pa.string(),
        "samples": pa.int64(),
        "solver_stopped": pa.int64(),
        "solver_stop_share": pa.float64(),
        "judgements": pa.int64(),
        "judge_stopped": pa.int64(),  # without a verdict, at the token limit
        "judge_stop_share": pa.float64(),
        "missing": pa.int64(),  # without a verdict for whatever reason
        "missing_share": pa.float64(),
        "gap": pa.float64(),  # at k = n
        "credited_gap": pa.float64(),  # had every stopped judgement been an approval
        "share_from_stops": pa.float64(),  # upper bound of the part of the gap that stops make
    },
    key=("model", "dataset", "method", "judge", "strategy"),
    required=("samples", "solver_stopped", "judgements", "judge_stopped", "missing"),
)
