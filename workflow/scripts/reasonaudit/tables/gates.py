"""One row per integrity gate of a study."""

import pyarrow as pa

from reasonaudit.tables.parquet import TableSchema

GATES = TableSchema(
    name="gates",
    columns={
        "gate": pa.string(),
        "meaning": pa.string(),
        "cells": pa.int64(),  # combinations of model, data set and method that were checked
        "calls": pa.int64(),  # stored calls of these cells
        "failed": pa.int64(),  # 0, except where the configuration lets the run go on
        "status": pa.string(),  # passed, allowed
    },
    key=("gate",),
    required=("meaning", "cells", "calls", "failed", "status"),
)
