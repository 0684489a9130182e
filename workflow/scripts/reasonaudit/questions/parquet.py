"""Parquet tables, such as those of hub data sets; columns are mapped in the configuration."""

from pathlib import Path

from reasonaudit.questions.columns import mapped
from reasonaudit.questions.rows import read_parquet


def load(path: str | Path, *, language: str, columns: dict | None = None) -> list[dict]:
    """All rows.

    Raises:
        DataError: not Parquet, a missing column.
    """
    return mapped(read_parquet(path), columns, path)
