"""Rows of a general format from a mapping of columns (csv, jsonl, parquet)."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from reasonaudit.errors import DataError
from reasonaudit.questions.rows import checked, plain_value, row

DEFAULT = {"question": "question", "gold": "answer"}


def mapped(
    records: Iterable[tuple[str, Mapping[str, Any]]],
    columns: Mapping[str, str | None] | None,
    path: str | Path,
) -> list[dict]:
    """Rows out of (place, record) pairs.

    Args:
        columns: question, gold, id, parallel_id, level, subject -> name of the source's column.

    Raises:
        DataError: a named column is not there, a level is no whole number, an empty question or gold.
    """
    columns = {**DEFAULT, **{name: column for name, column in (columns or {}).items() if column}}
    rows = []
    for number, (place, record) in enumerate(records):
        for name, column in columns.items():
            if column not in record:
                raise DataError(
                    f"there is no column {column} ({name})",
                    where=place,
                    hint=f"columns: {', '.join(map(str, record))}; say which holds what with "
                    "columns: {question: ..., gold: ...}",
                )
        values = {
            name: plain_value(record[column], place=place, name=column)
            for name, column in columns.items()
            if record[column] is not None or name in ("question", "gold", "id")
        }
        rows.append(
            row(
                question_id=values.get("id", str(number)),
                parallel_id=values.get("parallel_id"),
                question=values["question"],
                gold=values["gold"],
                level=_level(values.get("level"), place),
                subject=values.get("subject") or None,
            )
        )
    return checked(rows, path)


def _level(value: str | None, place: str) -> int | None:
    if value in (None, ""):
        return None
    try:
        return int(value.removeprefix("Level").strip())
    except ValueError as error:
        raise DataError(f"the level is no whole number: {value!r}", where=place) from error
