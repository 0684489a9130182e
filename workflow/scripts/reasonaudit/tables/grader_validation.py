"""One row per data set, language, way of writing and verifier: how many golds are recovered."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

GRADER_VALIDATION = TableSchema(
    name="grader_validation",
    columns={
        "dataset": pa.string(),
        "language": pa.string(),
        "variation": pa.string(),
        "verifier": pa.string(),
        "n": pa.int64(),  # synthetic replies
        "recovered": pa.int64(),  # of them accepted
        "share": pa.float64(),
        "timed_out": pa.int64(),
        "reasons": pa.string(),  # rule of the verifier: count, of those that were not accepted
        "failures": pa.string(),  # question and reason, each; of the main verifier all, else some
    },
    key=("dataset", "language", "variation", "verifier"),
    required=("n", "recovered", "share", "timed_out"),
)
