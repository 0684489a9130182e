"""Pools stored as lists of replies, one file a study.

Two layouts. Sample lists: a JSON array of ``{"idx", "temp", "samples": [text, ...], "gt"}``, one entry a
question and temperature; the question's text is not in the file. Labelled lists: JSON Lines in the style of
the Qwen2.5-Math evaluation, ``{"idx", "question", "gt", "level", "code": [text, ...], "pred": [...],
"score": [true, ...]}``, one line a question, with the answer and verdict that the upstream grader gave.

Neither has token counts or stop reasons, so nothing can be said about cost or about replies cut short.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from reasonaudit.errors import DataError
from reasonaudit.provenance import sha256_file
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.parquet import to_frame, to_table
from reasonaudit.tables.questions import QUESTIONS

METHOD = "self_consistency"


def load_sample_lists(
    path: str | Path,
    *,
    model: str,
    dataset: str,
    temperature: float,
    language: str = "en",
    texts: Mapping[str, str] | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Questions and calls of one temperature.

    Args:
        texts: idx as text -> the question; what is missing becomes an empty text.

    Raises:
        DataError: not such a file, or nothing at this temperature.
    """
    entries = [entry for entry in _read_json(path) if entry.get("temp") == temperature]
    if not entries:
        raise DataError(f"no samples at temperature {temperature}", where=str(path))
    records = [
        {
            "idx": entry["idx"],
            "question": (texts or {}).get(str(entry["idx"]), ""),
            "gold": entry["gt"],
            "samples": entry["samples"],
        }
        for entry in _with_keys(entries, ("idx", "samples", "gt"), path)
    ]
    return _tables(records, path, model, dataset, language, temperature)


def load_labelled_lists(
    path: str | Path,
    *,
    model: str,
    dataset: str,
    language: str = "en",
    temperature: float | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Questions, calls, and the upstream labels (question_id, sample_index, predicted, label).

    Args:
        temperature: at which the samples were drawn, if known.

    Raises:
        DataError: not such a file, or not as many labels as samples.
    """
    entries = _with_keys(_read_lines(path), ("idx", "question", "gt", "code", "pred", "score"), path)
    records, labels = [], []
    for entry in entries:
        if not len(entry["code"]) == len(entry["pred"]) == len(entry["score"]):
            raise DataError(
                "samples, answers and labels differ in number", where=f"{path}, idx {entry['idx']}"
            )
        records.append(
            {
                "idx": entry["idx"],
                "question": entry["question"],
                "gold": entry["gt"],
                "level": _level(entry.get("level")),
                "samples": entry["code"],
            }
        )
        labels += [
            {
                "question_id": str(entry["idx"]),
                "sample_index": k,
                "predicted": predicted,
                "label": bool(score),
            }
            for k, (predicted, score) in enumerate(zip(entry["pred"], entry["score"], strict=True))
        ]
    questions, calls = _tables(records, path, model, dataset, language, temperature)
    return questions, calls, pd.DataFrame(labels)


def _tables(
    records: Sequence[Mapping],
    path: str | Path,
    model: str,
    dataset: str,
    language: str,
    temperature: float | None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    digest = sha256_file(path)
    questions = [
        {
            "dataset": dataset,
            "question_id": str(record["idx"]),
            "language": language,
            "parallel_id": str(record["idx"]),
            "question": record["question"],
            "gold": record["gold"],
            "gold_text": record["gold"],
            "level": record.get("level"),
            "source": Path(path).name,
            "source_sha256": digest,
            "draw_index": place,
        }
        for place, record in enumerate(records)
    ]
    calls = [
        {
            "model": model,
            "dataset": dataset,
            "method": METHOD,
            "run": 0,
            "question_id": str(record["idx"]),
            "sample_index": k,
            "call_index": k,
            "role": "sample",
            "round": 0,
            "messages": [{"role": "user", "content": record["question"]}],
            "temperature": temperature,
            "text": text,
            "tokens_source": "imported",
        }
        for record in records
        for k, text in enumerate(record["samples"])
    ]
    return to_frame(to_table(questions, QUESTIONS)), to_frame(to_table(calls, CALLS))


def _read_json(path: str | Path) -> list[dict]:
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"not a JSON file: {error}", where=str(path)) from error
    if not isinstance(content, list) or not all(isinstance(entry, dict) for entry in content):
        raise DataError("not a JSON array of objects", where=str(path))
    return content


def _read_lines(path: str | Path) -> Iterable[dict]:
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read: {error}", where=str(path)) from error
    entries = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                entries.append(json.loads(line))
            except ValueError as error:
                raise DataError(f"not JSON: {error}", where=f"{path}, line {number}") from error
    return entries


def _with_keys(entries: Iterable[dict], keys: Sequence[str], path: str | Path) -> list[dict]:
    entries = list(entries)
    for place, entry in enumerate(entries):
        missing = [key for key in keys if key not in entry]
        if missing:
            raise DataError(
                f"entry {place} lacks {', '.join(missing)}",
                where=str(path),
                hint=f"needed: {', '.join(keys)}",
            )
    return entries


def _level(text: str | None) -> int | None:
    digits = re.search(r"\d+", text or "")
    return int(digits.group()) if digits else None
