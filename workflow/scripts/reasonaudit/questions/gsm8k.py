"""GSM8K: JSON lines with question and answer; the gold stands after #### at the end of the answer.

The chain before it holds calculator annotations (<<2*9=18>>), which are never read.
"""

from pathlib import Path

from reasonaudit.errors import DataError
from reasonaudit.questions.looks import wrong_format
from reasonaudit.questions.rows import checked, plain_number, read_records, row

MARK = "####"


def gold_of(answer: str) -> tuple[str, str] | None:
    """(gold, gold as written) of an answer field; None where the mark or a number after it is missing."""
    _, mark, written = answer.rpartition(MARK)
    gold = plain_number(written.strip().removeprefix("$").strip()) if mark else None
    return None if gold is None else (gold, written.strip())


def load(path: str | Path, *, language: str, columns: dict | None = None) -> list[dict]:
    """All rows; ids are places in the file, which are those of the public test set.

    Raises:
        DataError: not GSM8K, or an answer without a number after its mark.
    """
    rows = []
    for number, (place, record) in enumerate(read_records(path)):
        question, answer = record.get("question"), record.get("answer")
        if not isinstance(question, str) or not isinstance(answer, str) or MARK not in answer:
            raise wrong_format(path, "gsm8k", f"{place} has no question, or no answer with {MARK}")
        found = gold_of(answer)
        if found is None:
            raise DataError(f"no number follows {MARK}: {answer[-40:]!r}", where=place)
        rows.append(row(question_id=str(number), question=question, gold=found[0], gold_text=found[1]))
    return checked(rows, path)
