"""Greedy decoding against one sampled chain: what temperature alone does."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

TEMPERATURE_CONTROL = TableSchema(
    name="temperature_control",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "n_questions": pa.int64(),
        "greedy_accuracy": pa.float64(),
        "sampled_accuracy": pa.float64(),
        "greedy_tokens": pa.float64(),
        "sampled_tokens": pa.float64(),
        "difference": pa.float64(),
        "low": pa.float64(),
        "high": pa.float64(),
        "p": pa.float64(),
        "p_t": pa.float64(),
    },
    key=("model", "dataset", "method"),
    required=("n_questions",),
)
