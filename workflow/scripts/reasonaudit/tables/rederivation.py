"""One row per published number that was computed a second time, by SQL over the stored answers and calls."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

REDERIVATION = TableSchema(
    name="rederivation",
    columns={
        "model": pa.string(),
        "dataset": pa.string(),
        "method": pa.string(),
        "quantity": pa.string(),
        "reported": pa.float64(),
        "recomputed": pa.float64(),
        "difference": pa.float64(),
        "tolerance": pa.float64(),
        "status": pa.string(),  # agrees
    },
    key=("model", "dataset", "method", "quantity"),
    required=("tolerance", "status"),
)
