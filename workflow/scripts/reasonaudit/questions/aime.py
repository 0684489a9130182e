"""AIME and AMC as they go around: JSON lines with a problem and a whole number, under several names.

Some files repeat each problem once a sample, and some end the problem with an instruction of another
tool; both are undone, since samples and instructions are this project's.
"""

import re
from pathlib import Path

from reasonaudit.errors import DataError
from reasonaudit.questions.looks import wrong_format
from reasonaudit.questions.rows import checked, plain_number, plain_value, read_records, row

PROBLEM = ("problem", "question", "Question", "prompt")
ANSWER = ("answer", "Answer", "expected_answer")
_INSTRUCTION = re.compile(r"\n\s*Please reason step by step, and put your final answer within \\boxed\{\}\.$")
_DEGREES = re.compile(r"\s*(\^\s*\{?\s*\\circ\s*\}?|°)$")  # some files keep the sign, some do not


def load(path: str | Path, *, language: str, columns: dict | None = None) -> list[dict]:
    """The distinct problems; ids are the source's where it has any, else places among them.

    Raises:
        DataError: other fields, or a gold that is no whole number.
    """
    rows: dict[str, dict] = {}
    for place, record in read_records(path):
        problem = next((record[name] for name in PROBLEM if name in record), None)
        answer = next((record[name] for name in ANSWER if name in record), None)
        if not isinstance(problem, str) or answer is None:
            raise wrong_format(path, "aime", f"{place} has no problem, or no answer")
        written = plain_value(answer, place=place, name="answer")
        gold = plain_number(_DEGREES.sub("", written))
        if gold is None or "." in gold:
            if "unique_id" in record or "####" in written:
                raise wrong_format(path, "aime", f"the answer in {place} is no whole number")
            raise DataError(f"the answer is no whole number: {written!r}", where=place)
        question = _INSTRUCTION.sub("", problem.strip()).strip()
        known = rows.get(question)
        if known and known["gold"] != gold:
            raise DataError(
                f"the same problem has the answers {known['gold']} and {gold}",
                where=place,
                hint="one of them is wrong",
            )
        if known is None:
            own = record.get("id")
            name = str(len(rows)) if own is None else plain_value(own, place=place, name="id")
            rows[question] = row(question_id=name, question=question, gold=gold, gold_text=str(answer))
    return checked(rows.values(), path)
