"""The one reader and writer of tables.

A file is byte-identical for identical content under one lock file: rows are sorted by key, the
metadata holds nothing that changes between runs, and a file appears under its name only when it
is complete (temporary name in the same folder, then rename).
"""

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from reasonaudit.errors import TableError

MESSAGES = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))
TOKEN_IDS = pa.list_(pa.int32())


@dataclass(frozen=True)
class TableSchema:
    """Name, columns in order, and the key that rows are unique and sorted by.

    Args:
        columns: name -> Arrow type.
        key: columns that identify a row; never null.
        required: further columns that are never null.
    """

    name: str
    columns: Mapping[str, pa.DataType]
    key: tuple[str, ...]
    required: tuple[str, ...] = ()

    @property
    def arrow(self) -> pa.Schema:
        never_null = {*self.key, *self.required}
        return pa.schema(
            [pa.field(name, kind, nullable=name not in never_null) for name, kind in self.columns.items()]
        )


def to_table(rows: pa.Table | pd.DataFrame | Iterable[Mapping], schema: TableSchema) -> pa.Table:
    """Rows as an Arrow table in the schema's columns, checked and sorted by key.

    Missing columns become null (an error if they may not be); NaN becomes null.

    Raises:
        TableError: unknown columns, wrong types, null or duplicate keys.
    """
    columns = _columns_of(rows)
    unknown = sorted(set(columns) - set(schema.columns))
    if unknown:
        raise TableError(
            f"table {schema.name} has no column {', '.join(unknown)}",
            hint=f"its columns are {', '.join(schema.columns)}",
        )
    length = max((len(values) for values in columns.values()), default=0)
    arrays = []
    for field in schema.arrow:
        values = columns.get(field.name, [None] * length)
        array = _to_array(values, field, schema.name)
        if not field.nullable and array.null_count:
            raise TableError(
                f"table {schema.name}: column {field.name} is missing in {array.null_count} of {length} rows"
            )
        arrays.append(array)
    table = pa.Table.from_arrays(arrays, schema=schema.arrow)
    if schema.key:
        table = table.sort_by([(name, "ascending") for name in schema.key])
        _refuse_duplicates(table, schema)
    return table.combine_chunks()


def write_table(
    path: str | Path, rows: pa.Table | pd.DataFrame | Iterable[Mapping], schema: TableSchema
) -> None:
    """Check ``rows`` against ``schema`` and write them to ``path``, all or nothing."""
    table = to_table(rows, schema)
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    # The process id keeps an orphan of a killed run from writing into a newer run's file.
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        pq.write_table(
            table.replace_schema_metadata({"table": schema.name}),
            temporary,
            compression="zstd",
            store_schema=True,
            write_page_index=False,
        )
        temporary.replace(path)
    except OSError as error:
        raise TableError(
            f"table {schema.name} could not be written: {error.strerror or error}",
            where=str(path),
            hint="check free space and permissions; nothing half-written is left behind",
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


def read_table(paths: str | Path | Iterable[str | Path], schema: TableSchema) -> pa.Table:
    """All rows of one or many files of a table, in key order.

    Raises:
        TableError: a file that is no Parquet, or has other columns than the schema.
    """
    if isinstance(paths, (str, Path)):
        paths = [paths]
    tables = []
    for path in paths:
        try:
            table = pq.read_table(path, partitioning=None)
        except (OSError, pa.ArrowInvalid) as error:
            raise TableError(
                f"not a readable Parquet file: {error}",
                where=str(path),
                hint="delete it and run again; Snakemake makes it anew",
            ) from error
        if set(table.column_names) != set(schema.columns):
            differing = sorted(set(table.column_names) ^ set(schema.columns))
            raise TableError(
                f"columns do not fit table {schema.name}: {', '.join(differing)}",
                where=str(path),
                hint="the file was written by another version; delete it and run again",
            )
        tables.append(table.select(list(schema.columns)).cast(schema.arrow))
    if not tables:
        return schema.arrow.empty_table()
    table = pa.concat_tables(tables)
    if schema.key:
        table = table.sort_by([(name, "ascending") for name in schema.key])
        _refuse_duplicates(table, schema)
    return table.combine_chunks()


def read_frame(
    paths: str | Path | Iterable[str | Path], schema: TableSchema, columns: list[str] | None = None
):
    """``read_table`` as a pandas frame: nullable Int64/boolean where null is allowed, else numpy."""
    table = read_table(paths, schema)
    return to_frame(table.select(columns) if columns else table)


def to_frame(table: pa.Table) -> pd.DataFrame:
    """Arrow table -> pandas; nullable integers and booleans stay integers and booleans."""
    frame = {}
    for field, column in zip(table.schema, table.columns, strict=True):
        if field.nullable and pa.types.is_integer(field.type):
            frame[field.name] = column.to_pandas(types_mapper={field.type: pd.Int64Dtype()}.get)
        elif field.nullable and pa.types.is_boolean(field.type):
            frame[field.name] = column.to_pandas(types_mapper={field.type: pd.BooleanDtype()}.get)
        else:
            frame[field.name] = column.to_pandas()
    return pd.DataFrame(frame)


def _columns_of(rows) -> dict[str, object]:
    if isinstance(rows, pa.Table):
        return {name: rows.column(name).combine_chunks() for name in rows.column_names}
    if isinstance(rows, pd.DataFrame):
        return {name: rows[name] for name in rows.columns}
    rows = list(rows)
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _to_array(values, field: pa.Field, table: str) -> pa.Array:
    try:
        if isinstance(values, (pa.Array, pa.ChunkedArray)):
            array = values.cast(field.type)
            return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
        if isinstance(values, pd.Series):
            if not pa.types.is_nested(field.type):
                values = values.astype(object).where(values.notna(), None)
            values = values.tolist()
        values = [_clean(value) for value in values]
        _refuse_coercion(values, field.type)
        return pa.array(values, type=field.type)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError, OverflowError) as error:
        raise TableError(f"table {table}: column {field.name} wants {field.type}: {error}") from error


def _clean(value):
    """NaN is missing; lone surrogates cannot be stored as UTF-8 and are replaced."""
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return _clean(value.item())
    if isinstance(value, dict):
        return {name: _clean(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        if value and isinstance(value[0], (dict, str)):
            return [_clean(item) for item in value]
        return list(value)
    return value


def _refuse_coercion(values: list, kind: pa.DataType) -> None:
    """Arrow turns True into 1 and 1 into 1.0 without a word; only the second is harmless."""
    wrong = None
    if pa.types.is_boolean(kind):
        wrong = next((v for v in values if v is not None and not isinstance(v, bool)), None)
    elif pa.types.is_integer(kind):
        wrong = next(
            (v for v in values if v is not None and (isinstance(v, bool) or not isinstance(v, int))), None
        )
    elif pa.types.is_string(kind):
        wrong = next((v for v in values if v is not None and not isinstance(v, str)), None)
    if wrong is not None:
        raise TypeError(f"got {wrong!r}")


def _refuse_duplicates(table: pa.Table, schema: TableSchema) -> None:
    keys = table.select(list(schema.key))
    if keys.num_rows < 2:
        return
    counts = keys.group_by(list(schema.key)).aggregate([([], "count_all")])
    repeated = counts.filter(pc.greater(counts["count_all"], 1))
    if repeated.num_rows:
        examples = [
            ", ".join(f"{name}={row[name]}" for name in schema.key)
            for row in repeated.slice(0, 3).to_pylist()
        ]
        raise TableError(
            f"table {schema.name} has {repeated.num_rows} keys more than once",
            where="; ".join(examples),
        )
