"""The project's own format: JSON lines with id, language, question, gold and optionally level, subject.

One file may hold several languages; a data set reads one of them. The same id in several languages is
the same problem.
"""

from pathlib import Path

from reasonaudit.errors import DataError
from reasonaudit.questions.looks import wrong_format
from reasonaudit.questions.rows import checked, plain_value, read_records, row


def load(path: str | Path, *, language: str, columns: dict | None = None) -> list[dict]:
    """The rows of ``language``.

    Raises:
        DataError: missing fields, or no question in the language.
    """
    rows, languages = [], set()
    for place, record in read_records(path):
        missing = {"id", "language", "question", "gold"} - set(record)
        if missing:
            raise wrong_format(path, "questions", f"{place} has no {', '.join(sorted(missing))}")
        languages.add(str(record["language"]))
        if record["language"] != language:
            continue
        gold = plain_value(record["gold"], place=place, name="gold")
        level = record.get("level")
        if level is not None and type(level) is not int:
            raise DataError(f"level is no whole number: {level!r}", where=place)
        rows.append(
            row(
                question_id=plain_value(record["id"], place=place, name="id"),
                question=plain_value(record["question"], place=place, name="question"),
                gold=gold,
                level=level,
                subject=record.get("subject"),
            )
        )
    if not rows:
        raise DataError(
            f"no question is in the language {language}",
            where=str(path),
            hint=f"the file has {', '.join(sorted(languages))}",
        )
    return checked(rows, path)
