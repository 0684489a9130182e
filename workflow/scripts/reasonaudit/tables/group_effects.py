"""One row per data set and group of methods: the mean difference from repeated sampling."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

ALL_DATASETS = "(all)"

GROUP_EFFECTS = TableSchema(
    name="group_effects",
    columns={
        "dataset": pa.string(),  # ALL_DATASETS for all of them together
        "group": pa.string(),
        "comparisons": pa.int64(),
        "effect": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
        "p": pa.float64(),  # joint bootstrap over questions: the valid test
        "negative": pa.int64(),
        "positive": pa.int64(),
        "p_sign": pa.float64(),  # treats comparisons that share questions and pools as independent
        "settings": pa.int64(),
        "settings_all_negative": pa.int64(),
        "p_sign_settings": pa.float64(),  # one-sided, a setting counts if all its comparisons are negative
        "note": pa.string(),
    },
    key=("dataset", "group"),
    required=("comparisons",),
)
