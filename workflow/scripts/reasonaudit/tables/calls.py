"""One row per model call: what was asked, what came back, what it cost."""

import pyarrow as pa

from reasonaudit.tables.parquet import MESSAGES, TOKEN_IDS, TableSchema

CALL_COLUMNS = {
    "messages": MESSAGES,
    "seed": pa.int64(),
    "temperature": pa.float64(),
    "top_p": pa.float64(),
    "max_tokens": pa.int64(),
    "prompt_tokens": pa.int64(),
    "cached_prompt_tokens": pa.int64(),
    "completion_tokens": pa.int64(),  # every sampled token, the end-of-generation token included
    "stop_reason": pa.string(),  # stop, length, context
    "text": pa.string(),
    "token_ids": TOKEN_IDS,
    "tokens_source": pa.string(),  # measured, imported, recounted
}

CALLS = TableSchema(
    name="calls",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "run": pa.int64(),
        "question_id": pa.string(),
        "sample_index": pa.int64(),
        "call_index": pa.int64(),  # order of asking within the question
        "role": pa.string(),
        "round": pa.int64(),
        **CALL_COLUMNS,
    },
    key=("model", "dataset", "method", "run", "question_id", "call_index"),
    required=("sample_index", "role", "round", "messages", "text", "tokens_source"),
)
