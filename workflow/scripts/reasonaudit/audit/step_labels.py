"""Loader for chains with human step labels, in the format of ProcessBench.

A file is a JSON list or one JSON object a line with id, problem, steps, label (the 0-based index of
the first wrong step, -1 for none), and perhaps generator and final_answer_correct. (Zheng et al.,
"ProcessBench: Identifying Process Errors in Mathematical Reasoning".)
"""

import json
from collections.abc import Mapping
from pathlib import Path

from reasonaudit.errors import DataError
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.step_labels import STEP_LABELS

METHOD = "step_labels"


def load_step_labels(
    *,
    source: str | Path,
    step_labels: str | Path,
    dataset: str,
    language: str,
    n_questions: int | None = None,
) -> None:
    """Read a file of labelled chains and write the table.

    Args:
        n_questions: the first so many chains of the file; None for all.

    Raises:
        DataError: a record that lacks a field, or whose label points at no step.
    """
    rows = read_step_labels(source, dataset=dataset, language=language)
    write_table(step_labels, rows[:n_questions], STEP_LABELS)


def read_step_labels(source: str | Path, *, dataset: str, language: str) -> list[dict]:
    """Rows of the step_labels table, in the order of the file."""
    text = Path(source).read_text(encoding="utf-8-sig")
    try:
        records = (
            json.loads(text)
            if text.lstrip().startswith("[")
            else [json.loads(line) for line in text.splitlines() if line.strip()]
        )
    except json.JSONDecodeError as error:
        raise DataError(f"not JSON: {error}", where=str(source)) from error
    return [_row(record, dataset, language, f"{source}, record {i}") for i, record in enumerate(records)]


def consistent(label: int, final_answer_correct: bool | None) -> bool:
    """False for a chain that ends in a wrong answer though no step is marked wrong.

    Such a record belongs neither to the erroneous chains (where is the error?) nor to the correct ones.
    """
    return not (label == -1 and final_answer_correct is False)


def _row(record: Mapping, dataset: str, language: str, where: str) -> dict:
    lacking = [name for name in ("id", "problem", "steps", "label") if record.get(name) is None]
    if lacking:
        raise DataError(f"a labelled chain lacks {', '.join(lacking)}", where=where)
    steps, label = record["steps"], record["label"]
    fits = isinstance(label, int) and not isinstance(label, bool) and -1 <= label < len(steps)
    if not fits:
        raise DataError(
            f"label {label!r} points at none of {len(steps)} steps",
            where=where,
            hint="-1 says that no step is wrong; else the index of the first wrong step, from 0",
        )
    correct = record.get("final_answer_correct")
    return {
        "model": record.get("generator") or "unknown",
        "dataset": dataset,
        "method": METHOD,
        "run": 0,
        "question_id": str(record["id"]),
        "sample_index": 0,
        "language": language,
        "problem": record["problem"],
        "steps": [str(step) for step in steps],
        "label": label,
        "final_answer_correct": correct,
        "consistent": consistent(label, correct),
    }
