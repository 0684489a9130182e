"""JSON lines, or one JSON array of objects, with any fields; columns are mapped in the configuration."""

from pathlib import Path

from reasonaudit.questions.columns import mapped
from reasonaudit.questions.rows import read_records


def load(path: str | Path, *, language: str, columns: dict | None = None) -> list[dict]:
    """All rows.

    Raises:
        DataError: broken JSON, a missing column.
    """
    return mapped(read_records(path), columns, path)
