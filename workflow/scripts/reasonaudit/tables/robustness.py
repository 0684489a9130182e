"""One row per comparison and variant: the comparison again under another choice."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

ROBUSTNESS = TableSchema(
    name="robustness",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "variant": pa.string(),
        "n_questions": pa.int64(),
        "difference": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
        "p": pa.float64(),
        "p_holm_setting": pa.float64(),  # null where the variant is exploratory
        "verdict": pa.string(),
        "base": pa.string(),  # what the variant is compared with: main, drawn
        "base_difference": pa.float64(),
        "base_verdict": pa.string(),
        "shift": pa.float64(),  # difference minus base_difference
        "flips": pa.bool_(),  # another verdict than the base
        "exploratory": pa.bool_(),
        "flag": pa.string(),
    },
    key=("model", "dataset", "method", "variant"),
    required=("n_questions", "verdict", "base", "exploratory"),
)
