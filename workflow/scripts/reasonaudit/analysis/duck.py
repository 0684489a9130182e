"""A DuckDB session over stored tables, for checks that share no code with the analyses.

One thread, so that sums of floating-point numbers come out the same every time.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import duckdb


def open_tables(paths: Mapping[str, str | Path | Iterable[str | Path]]) -> duckdb.DuckDBPyConnection:
    """An in-memory session with one view per table; ``paths`` is name of view -> Parquet files.

    A table without files has no view.
    """
    session = duckdb.connect(":memory:", config={"threads": 1})
    for name, files in paths.items():
        listed = ", ".join(literal(str(f)) for f in ([files] if isinstance(files, (str, Path)) else files))
        if not listed:
            continue
        # Folders are named by models and data sets, never "key=value" columns.
        session.execute(
            f'CREATE VIEW "{name}" AS SELECT * FROM read_parquet([{listed}], hive_partitioning = false)'
        )
    return session


def literal(text: str) -> str:
    """A text as an SQL string."""
    return "'" + text.replace("'", "''") + "'"


def rows_of(session: duckdb.DuckDBPyConnection, query: str) -> list[dict]:
    """The rows of a query as dicts."""
    result = session.execute(query)
    names = [column[0] for column in result.description]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def tables_of(session: duckdb.DuckDBPyConnection) -> set[str]:
    """Names of the views and tables of a session."""
    return {row["name"] for row in rows_of(session, "SHOW TABLES")}
