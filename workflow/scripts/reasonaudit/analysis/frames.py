"""Reading the stored tables into what the analyses need, a few columns of many files."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from reasonaudit.errors import TableError
from reasonaudit.tables.parquet import TableSchema, to_frame


def read_columns(
    paths: str | Path | Iterable[str | Path], schema: TableSchema, columns: Sequence[str]
) -> pd.DataFrame:
    """Some columns of all files of a table, in the order of the files and their rows.

    Prompts and token ids make the calls table large, so only the named columns are read.

    Raises:
        TableError: a file that is no Parquet or lacks a column.
    """
    if isinstance(paths, (str, Path)):
        paths = [paths]
    wanted = pa.schema([schema.arrow.field(name) for name in columns])
    tables = []
    for path in paths:
        try:
            tables.append(pq.read_table(path, columns=list(columns), partitioning=None))
        except (OSError, pa.ArrowInvalid, pa.ArrowKeyError) as error:
            raise TableError(
                f"not a readable file of table {schema.name}: {error}", where=str(path)
            ) from error
        missing = sorted(set(columns) - set(tables[-1].column_names))
        if missing:
            raise TableError(
                f"table {schema.name} lacks column {', '.join(missing)}",
                where=str(path),
                hint="the file was written by another version; delete it and run again",
            )
        tables[-1] = tables[-1].select(list(columns)).cast(wanted)
    return to_frame(pa.concat_tables(tables) if tables else wanted.empty_table())
