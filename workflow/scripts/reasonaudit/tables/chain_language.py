"""Shares of the language classes, and acceptance within each, by solver, mode and language."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

CHAIN_LANGUAGE = TableSchema(
    name="chain_language",
    columns={
        "writer": pa.string(),  # solver, or the judge whose judgements these are
        "part": pa.string(),  # visible, hidden
        "model": pa.string(),
        "mode": pa.string(),
        "dataset": pa.string(),
        "language": pa.string(),
        "language_class": pa.string(),  # target, english, mixed, none
        "judge": pa.string(),  # whose approvals `accepted` counts; none
        "n": pa.int64(),
        "of": pa.int64(),  # texts of this writer, part, model and data set
        "share": pa.float64(),
        "accepted": pa.int64(),  # majority decision
        "acceptance": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
    },
    key=("writer", "part", "model", "dataset", "language_class", "judge"),
    required=("mode", "language", "n", "of"),
)
