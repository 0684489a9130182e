"""One row per original solution and condition: the edit, or the reason why there is none."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

ORIGINAL_KEY = ("model", "dataset", "method", "run", "question_id", "sample_index")
EDITS = pa.list_(
    pa.struct([("start", pa.int64()), ("end", pa.int64()), ("old", pa.string()), ("new", pa.string())])
)

INJECTIONS = TableSchema(
    name="injections",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "run": pa.int64(),
        "question_id": pa.string(),
        "sample_index": pa.int64(),
        "condition": pa.string(),
        "draw_order": pa.int64(),  # place of the original in its cell's round-robin draw
        "applied": pa.bool_(),
        "skip_reason": pa.string(),
        "old": pa.string(),
        "new": pa.string(),
        "menu": pa.string(),  # plus_minus, digit_transposition, single_digit
        "menu_fallback": pa.bool_(),  # the drawn kind had no number that fits
        "position_chars": pa.int64(),  # of the first edit, in the original
        "position_share": pa.float64(),  # the same, 0 to 1
        "relative_size": pa.float64(),  # |new - old| / |old|
        "occurrences": pa.int64(),  # places that were changed
        "edits": EDITS,  # all of them: applied to the original they give the text
        "text": pa.string(),
    },
    key=(*ORIGINAL_KEY, "condition"),
    required=("draw_order", "applied"),
)
