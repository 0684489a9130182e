"""MGSM: one file a language, lines of question, tab, number; the same line is the same problem."""

from pathlib import Path

from reasonaudit.errors import DataError
from reasonaudit.questions.looks import wrong_format
from reasonaudit.questions.rows import checked, plain_number, read_lines, row


def load(path: str | Path, *, language: str, columns: dict | None = None) -> list[dict]:
    """All rows; ids are line numbers from 0. Quotes are part of the text, as there is no quoting.

    Raises:
        DataError: a line without exactly one tab, or whose gold is no number.
    """
    rows = []
    for number, (line_number, line) in enumerate(read_lines(path)):
        parts = line.split("\t")
        if len(parts) != 2:
            problem = f"line {line_number} has {len(parts) - 1} tabs, not 1"
            raise wrong_format(path, "mgsm", problem)
        gold = plain_number(parts[1].strip())
        if gold is None:
            raise DataError(f"the gold is no number: {parts[1]!r}", where=f"{path}, line {line_number}")
        rows.append(row(question_id=str(number), question=parts[0], gold=gold, gold_text=parts[1]))
    return checked(rows, path)
