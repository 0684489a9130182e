"""What all formats share: reading text files, and the checks on what came out.

A loader gives rows with question_id, parallel_id, question, gold, gold_text, level and subject, in the
order of the file. Ids are texts and stable: the source's own, else the place in the file from 0.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from reasonaudit.errors import DataError

_NUMBER = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?|[+-]?\d+(\.\d+)?", re.ASCII)


def read_text(path: str | Path) -> str:
    """A text file with plain line ends and no byte-order mark.

    Raises:
        DataError: missing, or not UTF-8 (with the line).
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise DataError(f"the file cannot be read: {error.strerror}", where=str(path)) from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DataError(
            f"not UTF-8: byte {content[error.start]:#04x}",
            where=f"{path}, line {line}",
            hint="save the file as UTF-8",
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: str | Path) -> list[tuple[int, str]]:
    """(line number, line) of every line that is not blank.

    Lines end at line feeds only: JSON texts may hold other characters that Unicode counts as line ends.
    """
    lines = enumerate(read_text(path).split("\n"), 1)
    return [(number, line) for number, line in lines if line.strip()]


def read_records(path: str | Path) -> list[tuple[str, dict]]:
    """(place, object) of a file of JSON lines, of one JSON array of objects, or of a Parquet table.

    Raises:
        DataError: broken JSON or something else than objects, with the line.
    """
    if is_parquet(path):
        return read_parquet(path)
    text = read_text(path)
    if text.lstrip().startswith("["):
        try:
            records = json.loads(text)
        except json.JSONDecodeError as error:
            raise DataError(f"broken JSON: {error.msg}", where=f"{path}, line {error.lineno}") from error
        numbered = [(f"{path}, item {number}", record) for number, record in enumerate(records)]
    else:
        numbered = [
            (f"{path}, line {number}", _parsed(path, number, line)) for number, line in read_lines(path)
        ]
    for place, record in numbered:
        if not isinstance(record, dict):
            raise DataError("not a JSON object", where=place, hint="each question is {...} with named fields")
    if not numbered:
        raise DataError("the file has no questions", where=str(path))
    return numbered


def is_parquet(path: str | Path) -> bool:
    """Whether a file starts as Parquet files do."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"PAR1"
    except OSError as error:
        raise DataError(f"the file cannot be read: {error.strerror}", where=str(path)) from error


def read_parquet(path: str | Path) -> list[tuple[str, dict]]:
    """(place, row) of a Parquet table.

    Raises:
        DataError: not Parquet.
    """
    try:
        table = pq.read_table(path, partitioning=None)
    except (OSError, pa.ArrowInvalid) as error:
        raise DataError(f"not a readable Parquet file: {error}", where=str(path)) from error
    return [(f"{path}, row {number}", record) for number, record in enumerate(table.to_pylist())]


def _parsed(path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise DataError(
            f"broken JSON: {error.msg} at character {error.pos + 1}",
            where=f"{path}, line {number}: {line[:60]}",
            hint="each line is one JSON object",
        ) from error


def plain_value(value: Any, *, place: str, name: str) -> str:
    """A text or number of a source as text; a whole number loses its decimal zero (27.0 is 27).

    Raises:
        DataError: missing, or a list, an object, true or false.
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    problem = f"{name} is missing" if value is None else f"{name} is no text and no number: {value!r}"
    raise DataError(problem, where=place, hint="every question needs a text and a right answer")


def plain_number(text: str) -> str | None:
    """A number without thousands commas, leading zeros, a plus and a decimal zero; None for other text."""
    if not _NUMBER.fullmatch(text):
        return None
    sign = "-" if text.startswith("-") else ""
    whole, _, part = text.lstrip("+-").replace(",", "").partition(".")
    part = part.rstrip("0")
    number = (whole.lstrip("0") or "0") + (f".{part}" if part else "")
    return number if number == "0" else sign + number


def row(
    *,
    question_id: str,
    question: str,
    gold: str,
    gold_text: str | None = None,
    parallel_id: str | None = None,
    level: int | None = None,
    subject: str | None = None,
) -> dict[str, Any]:
    """A row in the shape that every loader gives; by default a problem is parallel to its own id."""
    return {
        "question_id": question_id,
        "parallel_id": question_id if parallel_id is None else parallel_id,
        "question": question.strip(),
        "gold": gold.strip(),
        "gold_text": gold if gold_text is None else gold_text,
        "level": level,
        "subject": subject,
    }


def checked(rows: Iterable[dict], path: str | Path) -> list[dict]:
    """The rows, if each has an id of its own, a question and a gold.

    Raises:
        DataError: names the first rows that do not.
    """
    rows = list(rows)
    if not rows:
        raise DataError("the file has no questions", where=str(path))
    first: dict[str, int] = {}
    for number, entry in enumerate(rows):
        where = f"{path}, question {number} (id {entry['question_id']!r})"
        for name in ("question_id", "question", "gold"):
            if not entry[name]:
                raise DataError(
                    f"{name} is empty", where=where, hint="remove the question, or fill in what is missing"
                )
        other = first.setdefault(entry["question_id"], number)
        if other != number:
            raise DataError(
                f"the id {entry['question_id']!r} stands twice, at questions {other} and {number}",
                where=str(path),
                hint="ids must be unique; they tie answers to questions",
            )
    return rows
