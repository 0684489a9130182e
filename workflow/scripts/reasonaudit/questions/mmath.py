"""MMATH: one JSON array a language, with question, answer, data_source, lang and gid."""

from pathlib import Path

from reasonaudit.errors import DataError
from reasonaudit.questions.looks import wrong_format
from reasonaudit.questions.rows import checked, plain_value, read_records, row


def load(path: str | Path, *, language: str, columns: dict | None = None) -> list[dict]:
    """All rows; the gid is the same for a problem in every language. The subject is its origin.

    Raises:
        DataError: not MMATH, or another language than the data set's.
    """
    rows = []
    for place, record in read_records(path):
        if not {"question", "answer", "gid", "lang"} <= set(record):
            raise wrong_format(path, "mmath", f"{place} has no question, answer, gid and lang")
        if record["lang"] != language:
            raise DataError(
                f"the file is in {record['lang']}, the data set in {language}",
                where=place,
                hint="name the file of this language, or set language",
            )
        rows.append(
            row(
                question_id=plain_value(record["gid"], place=place, name="gid"),
                question=plain_value(record["question"], place=place, name="question"),
                gold=plain_value(record["answer"], place=place, name="answer"),
                subject=record.get("data_source"),
            )
        )
    return checked(rows, path)
