"""One row per original that is judged under every condition."""

import pyarrow as pa

from reasonaudit.tables.injections import ORIGINAL_KEY
from reasonaudit.tables.parquet import TableSchema

PANEL = TableSchema(
    name="panel",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "run": pa.int64(),
        "question_id": pa.string(),
        "sample_index": pa.int64(),
        "draw_order": pa.int64(),
    },
    key=ORIGINAL_KEY,
    required=("draw_order",),
)
