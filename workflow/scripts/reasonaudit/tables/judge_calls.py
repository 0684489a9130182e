"""One row per judgement, as it was asked and answered; the keys are those of the judged sample."""

import pyarrow as pa

from reasonaudit.tables.calls import CALL_COLUMNS
from reasonaudit.tables.parquet import TableSchema

JUDGED_KEY = ("judge", "model", "dataset", "method", "run", "question_id", "sample_index", "condition")

JUDGE_CALLS = TableSchema(
    name="judge_calls",
    columns={
        "judge": pa.string(),
        "model": pa.string(),  # the solver
        "dataset": pa.string(),
        "method": pa.string(),
        "run": pa.int64(),
        "question_id": pa.string(),
        "sample_index": pa.int64(),  # the solver's sample
        "condition": pa.string(),  # natural, clean, intermediate_error, ..., step_labels
        "vote": pa.int64(),
        "role": pa.string(),  # judge
        "round": pa.int64(),
        **CALL_COLUMNS,
    },
    key=(*JUDGED_KEY, "vote"),
    required=("messages", "text", "tokens_source"),
)
