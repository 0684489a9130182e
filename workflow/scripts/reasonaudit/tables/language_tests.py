"""Acceptance of correct samples between kinds of data sets, paired over solvers."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

LANGUAGE_TESTS = TableSchema(
    name="language_tests",
    columns={
        "judge": pa.string(),
        "language": pa.string(),
        "comparison": pa.string(),  # translated - original, native - translated
        "first": pa.string(),  # data sets
        "second": pa.string(),
        "solvers": pa.int64(),  # with correct samples on both
        "mean_difference": pa.float64(),
        "median_difference": pa.float64(),
        "positive": pa.int64(),
        "p_wilcoxon": pa.float64(),
    },
    key=("judge", "comparison", "first", "second"),
    required=("language", "solvers"),
)
