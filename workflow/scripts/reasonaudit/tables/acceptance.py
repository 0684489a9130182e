"""How often a judge approves, by condition and slice, and the paired difference to another condition."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

ACCEPTANCE = TableSchema(
    name="acceptance",
    columns={
        "judge": pa.string(),
        "condition": pa.string(),
        "strategy": pa.string(),
        # overall, language, dataset, model, model_language, edit_kind, relative_size, position
        "slice": pa.string(),
        "level": pa.string(),
        "against": pa.string(),  # the condition of the paired difference; none
        "n": pa.int64(),
        "accepted": pa.int64(),
        "rate": pa.float64(),
        "low": pa.float64(),  # problems resampled, jointly over languages, models and conditions
        "high": pa.float64(),
        "wilson_low": pa.float64(),  # treats originals as independent
        "wilson_high": pa.float64(),
        "difference": pa.float64(),
        "difference_low": pa.float64(),  # problems resampled
        "difference_high": pa.float64(),
        "originals_low": pa.float64(),  # originals resampled: the paper's interval
        "originals_high": pa.float64(),
        "b": pa.int64(),  # accepted under `against` only
        "c": pa.int64(),  # accepted under `condition` only
        "p_mcnemar": pa.float64(),
        "clusters": pa.int64(),  # distinct problems
    },
    key=("judge", "condition", "strategy", "slice", "level", "against"),
    required=("n", "accepted", "clusters"),
)
