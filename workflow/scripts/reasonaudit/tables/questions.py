"""One row per sampled question of a data set."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

QUESTIONS = TableSchema(
    name="questions",
    columns={
        "dataset": pa.string(),
        "question_id": pa.string(),
        "language": pa.string(),
        "parallel_id": pa.string(),  # shared by the same problem in several languages
        "question": pa.string(),
        "gold": pa.string(),
        "gold_text": pa.string(),  # the gold as the source has it
        "level": pa.int64(),
        "subject": pa.string(),
        "source": pa.string(),
        "source_sha256": pa.string(),
        "draw_index": pa.int64(),  # place in the seeded permutation
    },
    key=("dataset", "draw_index"),
    required=("question_id", "language", "parallel_id", "question", "gold"),
)
