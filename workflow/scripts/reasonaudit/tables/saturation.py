"""Acceptance and CoT-Pass@n of questions with equally many correct samples."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

SATURATION = TableSchema(
    name="saturation",
    columns={
        "group": pa.string(),  # all, generation, model
        "name": pa.string(),
        "judge": pa.string(),
        "strategy": pa.string(),
        "correct_from": pa.int64(),  # the bin of c, both ends included
        "correct_to": pa.int64(),
        "questions": pa.int64(),
        "samples": pa.int64(),  # correct ones
        "accepted": pa.int64(),
        "acceptance": pa.float64(),
        "acceptance_low": pa.float64(),
        "acceptance_high": pa.float64(),
        "cot_pass_at_n": pa.float64(),  # share of these questions with an approved sample (Pass@n is 1)
        "cot_pass_low": pa.float64(),
        "cot_pass_high": pa.float64(),
    },
    key=("group", "name", "judge", "strategy", "correct_from"),
    required=("correct_to", "questions", "samples", "accepted"),
)
