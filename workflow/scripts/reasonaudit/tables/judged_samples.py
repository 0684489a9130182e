"""One row per version of a sample that a judge read: its votes counted, and the decision of each strategy."""

import pyarrow as pa

from reasonaudit.tables.judge_calls import JUDGED_KEY
from reasonaudit.tables.parquet import TableSchema

JUDGED_SAMPLES = TableSchema(
    name="judged_samples",
    columns={
        "judge": pa.string(),
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "run": pa.int64(),
        "question_id": pa.string(),
        "sample_index": pa.int64(),
        "condition": pa.string(),
        "votes": pa.int64(),
        "yes": pa.int64(),
        "no": pa.int64(),
        "missing": pa.int64(),
        "stopped": pa.int64(),  # missing because the judge ran into its token limit
        "tokens": pa.int64(),  # all votes together; missing where one is unknown
        "approved_any": pa.bool_(),
        "approved_majority": pa.bool_(),
        "approved_all": pa.bool_(),
        "credited_any": pa.bool_(),  # had every stopped judgement been an approval
        "credited_majority": pa.bool_(),
        "credited_all": pa.bool_(),
    },
    key=JUDGED_KEY,
    required=(
        "votes",
        "yes",
        "no",
        "missing",
        "stopped",
        "approved_any",
        "approved_majority",
        "approved_all",
    ),
)
