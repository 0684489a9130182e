"""Comma- or tab-separated tables with a header; columns are mapped in the configuration."""

import csv
import io
from pathlib import Path

from reasonaudit.errors import DataError
from reasonaudit.questions.columns import mapped
from reasonaudit.questions.rows import read_text


def load(path: str | Path, *, language: str, columns: dict | None = None) -> list[dict]:
    """All rows. The separator is the one of comma, semicolon and tab that the header has most of.

    Raises:
        DataError: no header, a repeated column, a row of another width, a missing column.
    """
    text = read_text(path)
    header = text.split("\n", 1)[0]
    separator = max(",;\t", key=header.count)
    csv.field_size_limit(1 << 24)
    reader = csv.reader(io.StringIO(text), delimiter=separator, strict=True)
    try:
        lines = [(reader.line_num, fields) for fields in reader if fields]
    except csv.Error as error:
        raise DataError(f"broken table: {error}", where=f"{path}, line {reader.line_num}") from error
    if len(lines) < 2:
        raise DataError(
            "the table has no questions", where=str(path), hint="the first line names the columns"
        )
    names = [name.strip() for name in lines[0][1]]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise DataError(f"the column {min(repeated)} stands twice in the header", where=str(path))
    records = []
    for number, fields in lines[1:]:
        if len(fields) != len(names):
            raise DataError(
                f"{len(fields)} fields where the header has {len(names)}",
                where=f"{path}, line {number}",
                hint="texts with a separator in them stand in double quotes",
            )
        records.append((f"{path}, line {number}", dict(zip(names, fields, strict=True))))
    return mapped(records, columns, path)
