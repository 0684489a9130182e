"""One row per comparison, difference and number of runs: how many questions would show that difference."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

PLAN = TableSchema(
    name="plan",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "target_difference": pa.float64(),
        "runs": pa.int64(),
        "power": pa.float64(),
        "variance": pa.float64(),  # of one question's difference, a mean over `runs` runs
        "questions": pa.int64(),  # one test at the level of the study
        "tests": pa.int64(),  # in the Holm family of a setting
        "questions_holm": pa.int64(),  # the same difference at Holm's first step
        "questions_measured": pa.int64(),  # what the variance was estimated from
        "runs_measured": pa.int64(),
        "note": pa.string(),
    },
    key=("model", "dataset", "method", "target_difference", "runs"),
    required=("power",),
)
