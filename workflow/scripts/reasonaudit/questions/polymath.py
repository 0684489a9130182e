"""PolyMath: JSON lines with id (LEVEL-LANGUAGE-NUMBER), question and answer; a file a language and level."""

import re
from pathlib import Path

from reasonaudit.errors import DataError
from reasonaudit.questions.looks import wrong_format
from reasonaudit.questions.rows import checked, plain_value, read_records, row

LEVELS = {"low": 1, "medium": 2, "high": 3, "top": 4}
_ID = re.compile(rf"(?P<level>{'|'.join(LEVELS)})-(?P<language>[a-z]{{2,3}})-(?P<number>\d+)")
_MATH = re.compile(r"\$(?P<inside>[^$]+)\$")


def load(path: str | Path, *, language: str, columns: dict | None = None) -> list[dict]:
    """All rows; low-en-3 and low-ja-3 are the same problem, low-3. Dollar signs around a gold go.

    Raises:
        DataError: not PolyMath, or another language than the data set's.
    """
    rows = []
    for place, record in read_records(path):
        name = _ID.fullmatch(str(record.get("id", "")))
        if name is None or not {"question", "answer"} <= set(record):
            raise wrong_format(
                path, "polymath", f"{place} has no id like low-en-0, or no question and answer"
            )
        if name["language"] != language:
            raise DataError(
                f"the file is in {name['language']}, the data set in {language}",
                where=place,
                hint="name the file of this language, or set language",
            )
        written = plain_value(record["answer"], place=place, name="answer")
        math = _MATH.fullmatch(written)
        rows.append(
            row(
                question_id=record["id"],
                parallel_id=f"{name['level']}-{name['number']}",
                question=plain_value(record["question"], place=place, name="question"),
                gold=math["inside"] if math else written,
                gold_text=written,
                level=LEVELS[name["level"]],
                subject=None,
            )
        )
    return checked(rows, path)
