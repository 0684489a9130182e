"""A stored table as files for people and other programs: CSV, Markdown, LaTeX.

CSV keeps every column and every digit. Markdown and LaTeX are for reading: four digits, and no columns that
say the same in every row because the rows were chosen by them, or that are empty.
"""

import csv
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from reasonaudit.errors import TableError

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def export_table(
    *,
    table: str | Path,
    csv: str | Path,
    md: str | Path,
    tex: str | Path,
    where: Mapping[str, str] | None = None,
) -> None:
    """Write the rows of a Parquet file in which every column of ``where`` has the given value.

    Raises:
        TableError: ``where`` names a column that the table lacks.
    """
    rows = pq.read_table(table, partitioning=None)
    for column, value in (where or {}).items():
        if column not in rows.column_names:
            raise TableError(f"no column {column} to choose rows by", where=str(table))
        rows = rows.filter(pc.equal(rows[column], pa.scalar(value, rows.schema.field(column).type)))
    write_text(csv, as_csv(rows))
    shown = rows.select(
        [
            name
            for name in rows.column_names
            if name not in (where or {}) and not (rows.num_rows and rows[name].null_count == rows.num_rows)
        ]
    )
    write_text(md, as_markdown(shown))
    write_text(tex, as_latex(shown))


def as_csv(rows: pa.Table) -> str:
    """Comma-separated values with a header; empty where a value is missing."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows.column_names)
    writer.writerows([_exact(value) for value in row.values()] for row in rows.to_pylist())
    return text.getvalue()


def as_markdown(rows: pa.Table) -> str:
    """A GitHub table, numbers to the right."""
    lines = [
        rows.column_names,
        ["--:" if _is_number(field.type) else ":--" for field in rows.schema],
        *([_plain(_short(value)) for value in row.values()] for row in rows.to_pylist()),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def as_latex(rows: pa.Table) -> str:
    """A tabular in the style of the booktabs package."""
    columns = "".join("r" if _is_number(field.type) else "l" for field in rows.schema)
    lines = [
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _latex_row(rows.column_names),
        r"\midrule",
        *(_latex_row([_short(value) for value in row.values()]) for row in rows.to_pylist()),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def write_text(path: str | Path, text: str) -> None:
    """Write UTF-8 text, all or nothing, with the same line ends on every system."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _exact(value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return repr(value) if isinstance(value, float) else str(value)


def _short(value) -> str:
    return f"{value:.4g}" if isinstance(value, float) else _exact(value)


def _plain(text: str) -> str:
    return text.replace("|", r"\|").replace("\n", " ")


def _latex_row(cells) -> str:
    escaped = ("".join(_LATEX.get(character, character) for character in cell) for cell in cells)
    return " & ".join(cell.replace("\n", " ") for cell in escaped) + r" \\"


def _is_number(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or pa.types.is_floating(kind)
