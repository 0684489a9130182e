"""One row per answer that a method gives: one per question, or one per sample for pools."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

ANSWERS = TableSchema(
    name="answers",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "run": pa.int64(),
        "question_id": pa.string(),
        "sample_index": pa.int64(),
        "text_from": pa.int64(),  # call_index of the call whose text holds the answer
        "extracted": pa.string(),
        "written": pa.string(),  # the same before brackets, emphasis, unit or sentence were taken off
        "answer_start": pa.int64(),  # character span of the answer in that call's text
        "answer_end": pa.int64(),
        "extraction_rule": pa.string(),
        "canonical": pa.string(),
        "readable": pa.bool_(),
        "correct": pa.bool_(),
        "generated_tokens": pa.int64(),
        "total_tokens": pa.int64(),
        "calls": pa.int64(),
        "stopped_by_length": pa.bool_(),
        "note": pa.string(),  # what an answer rule had to decide, or context_error
    },
    key=("model", "dataset", "method", "run", "question_id", "sample_index"),
    required=("readable", "correct", "calls", "stopped_by_length"),
)
