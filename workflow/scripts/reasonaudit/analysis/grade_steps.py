"""The answer stated by every call that holds one, graded on the same path as the methods' answers."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path

from reasonaudit.answers.answer_rules import ANSWER_ROLES, Answered
from reasonaudit.answers.policies import policy_from
from reasonaudit.errors import DataError
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.parquet import read_table, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.step_answers import STEP_ANSWERS
from reasonaudit.verifiers.grading import Grader

_CELL = ("model", "dataset", "method", "run", "question_id")
_TAKEN = ("canonical", "readable", "correct", "stopped_by_length")
_NEEDED = [
    *_CELL,
    "sample_index",
    "call_index",
    "role",
    "round",
    "max_tokens",
    "prompt_tokens",
    "completion_tokens",
    "stop_reason",
    "text",
]


def grade_steps(
    *,
    questions: str | Path | Iterable[str | Path],
    calls: str | Path | Iterable[str | Path],
    steps: str | Path,
    verifier: str,
    policy: Mapping[str, object] | None = None,
) -> None:
    """Write the step answers of one method.

    Args:
        questions, calls: paths of the stored tables.
        steps: path to write.
        verifier: decides ``correct``.
        policy: plain values of ``answers.policies.Policy``.

    Raises:
        DataError: calls for a question that is not in the questions.
    """
    asked = (
        read_table(questions, QUESTIONS).select(["dataset", "question_id", "language", "gold"]).to_pylist()
    )
    known = {(row["dataset"], row["question_id"]): row for row in asked}
    # The rule is never applied: every call is its own answer here.
    grader = Grader("last_call", verifier, [verifier], policy_from(dict(policy or {})))
    rows = []
    stored = read_table(calls, CALLS).select(_NEEDED).to_pylist()
    for key, group in groupby(stored, key=lambda call: tuple(call[name] for name in _CELL)):
        names = dict(zip(_CELL, key, strict=True))
        question = known.get((names["dataset"], names["question_id"]))
        if question is None:
            raise DataError(
                "calls for a question that is not among the sampled ones",
                where=", ".join(f"{name} {value}" for name, value in names.items()),
                hint="the questions changed after generation; run again so that the calls follow",
            )
        for call in group:
            if call["role"] in ANSWER_ROLES:
                answered = Answered(call, call["sample_index"], (call,))
                graded, _ = grader.one(names, answered, question["gold"], question["language"])
                place = {name: call[name] for name in ("call_index", "sample_index", "role", "round")}
                rows.append(names | place | {name: graded[name] for name in _TAKEN})
    write_table(steps, rows, STEP_ANSWERS)
