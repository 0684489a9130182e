"""One row per call that states an answer: candidates, attempts, revisions, agents' messages.

``answers`` holds what a method ends with; this table holds what it went through, for first-to-final
transitions, judging against counting, and agreement by round.
"""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

STEP_ANSWERS = TableSchema(
    name="step_answers",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "run": pa.int64(),
        "question_id": pa.string(),
        "call_index": pa.int64(),
        "sample_index": pa.int64(),
        "role": pa.string(),
        "round": pa.int64(),
        "canonical": pa.string(),
        "readable": pa.bool_(),
        "correct": pa.bool_(),  # by the verifier that decides `correct` in answers
        "stopped_by_length": pa.bool_(),
    },
    key=("model", "dataset", "method", "run", "question_id", "call_index"),
    required=("sample_index", "role", "round", "readable", "correct", "stopped_by_length"),
)
