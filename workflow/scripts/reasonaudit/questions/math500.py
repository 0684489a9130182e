"""MATH-500: problem, answer (LaTeX), level 1-5, subject and unique_id; JSON lines or one JSON array."""

from pathlib import Path

from reasonaudit.questions.looks import wrong_format
from reasonaudit.questions.rows import checked, plain_value, read_records, row

FIELDS = ("problem", "answer", "level", "subject", "unique_id")


def load(path: str | Path, *, language: str, columns: dict | None = None) -> list[dict]:
    """All rows; golds stay LaTeX, ids are the source's.

    Raises:
        DataError: not MATH-500.
    """
    rows = []
    for place, record in read_records(path):
        missing = [name for name in FIELDS if name not in record]
        if missing or type(record["level"]) is not int:
            raise wrong_format(path, "math500", f"{place} has no {', '.join(missing) or 'whole level'}")
        rows.append(
            row(
                question_id=plain_value(record["unique_id"], place=place, name="unique_id"),
                question=plain_value(record["problem"], place=place, name="problem"),
                gold=plain_value(record["answer"], place=place, name="answer"),
                level=record["level"],
                subject=record["subject"],
            )
        )
    return checked(rows, path)
