"""Saying which format a file looks like, for the hint when it is read as another."""

import json
from pathlib import Path

from reasonaudit.errors import DataError
from reasonaudit.questions.rows import read_parquet

_FIELDS = (  # fields that a record of the format has, most telling first
    ("mmath", {"gid", "question", "answer"}),
    ("math500", {"unique_id", "problem", "answer"}),
    ("questions", {"language", "question", "gold"}),
    ("aime", {"problem", "answer"}),
    ("aime", {"prompt", "answer"}),
)


def looks_like(path: str | Path) -> str | None:
    """The format that the start of a file suggests, or None."""
    path = Path(path)
    with open(path, "rb") as file:
        start = file.read(1 << 16)
    if start.startswith(b"PAR1"):
        return _looks_of(next((record for _, record in read_parquet(path)), {}), "parquet")
    text = start.decode("utf-8-sig", "replace").replace("\r\n", "\n").lstrip()
    record = _first_record(text)
    if record is not None:
        return _looks_of(record, "jsonl")
    line = text.split("\n", 1)[0]
    if line.count("\t") == 1:
        return "mgsm"
    return "csv" if "," in line or ";" in line else None


def _looks_of(record: dict, otherwise: str) -> str:
    answer = record.get("answer")
    if isinstance(answer, str) and "####" in answer:
        return "gsm8k"
    if str(record.get("id", "")).partition("-")[0] in ("low", "medium", "high", "top"):
        return "polymath"
    for name, fields in _FIELDS:
        if fields <= set(record):
            return name
    return otherwise


def wrong_format(path: str | Path, format: str, problem: str) -> DataError:
    """The error for a file that is not of its format, with the format that it looks like."""
    looks = looks_like(path)
    hint = f"it looks like format: {looks}" if looks and looks != format else "compare it with the format"
    return DataError(f"this is no {format} file: {problem}", where=str(path), hint=hint)


def _first_record(text: str) -> dict | None:
    if text.startswith("["):
        text = text[1:].lstrip()
    try:
        record, _ = json.JSONDecoder().raw_decode(text)
    except json.JSONDecodeError:
        return None
    return record if isinstance(record, dict) else None
