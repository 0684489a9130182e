"""One row per text whose language was identified: chains of solvers, judgements, and their hidden parts."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

CHAIN_LANGUAGES = TableSchema(
    name="chain_languages",
    columns={
        "model": pa.string(),  # the solver
        "dataset": pa.string(),
        "method": pa.string(),
        "run": pa.int64(),
        "question_id": pa.string(),
        "sample_index": pa.int64(),
        "writer": pa.string(),  # solver, or the judge's name
        "part": pa.string(),  # visible, hidden (inside a thinking block)
        "vote": pa.int64(),  # -1 for the solver's chain
        "language": pa.string(),  # of the question
        "letters": pa.int64(),  # that were given a language
        "share_target": pa.float64(),  # of them, in the question's language
        "share_english": pa.float64(),
        "share_other": pa.float64(),
        "main_other": pa.string(),  # the most frequent of the others
        "language_class": pa.string(),  # target, english, mixed, none
    },
    key=(
        "model",
        "dataset",
        "method",
        "run",
        "question_id",
        "sample_index",
        "writer",
        "part",
        "vote",
    ),
    required=("language", "letters", "language_class"),
)
