"""Tests of the graders on replies whose answer is known: every gold, written in many ways.

A grading bug lowers every method alike and is invisible in a comparison, so it is looked for here.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from reasonaudit.answers.policies import policy_from
from reasonaudit.tables.grader_validation import GRADER_VALIDATION
from reasonaudit.tables.parquet import read_table, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.verifiers.grading import Grader
from reasonaudit.verifiers.synthetic_replies import VARIATIONS

LISTED = 5  # failures that are listed for verifiers other than the main one


def validate_graders(
    *,
    questions: str | Path | Iterable[str | Path],
    output: str | Path,
    verifier: str = "trusted",
    verifiers: Sequence[str] = ("trusted",),
    policy: Mapping[str, object] | None = None,
) -> None:
    """Reads questions, has every verifier grade synthetic replies with their golds, writes the table.

    Args:
        questions: Parquet files.
        output: the table grader_validation.
        verifier: the main one, whose failures are all listed.
        verifiers: all that are tested; ``verifier`` is added if it is not among them.
        policy: plain values of ``answers.policies.Policy``.
    """
    asked = read_table(questions, QUESTIONS).to_pylist()
    write_table(output, validation_rows(asked, verifier, verifiers, policy), GRADER_VALIDATION)


def validation_rows(
    questions: Iterable[Mapping],
    verifier: str = "trusted",
    verifiers: Sequence[str] = ("trusted",),
    policy: Mapping[str, object] | None = None,
) -> list[dict]:
    """Rows of the table. A variation that applies to no gold of a data set has no row."""
    grader = Grader("last_call", verifier, verifiers, policy_from(dict(policy or {})))
    cells: dict[tuple[str, str, str, str], list[tuple[str, object]]] = {}
    for question in questions:
        dataset, language = question["dataset"], question["language"]
        for variation, write in VARIATIONS.items():
            reply = write(question["gold"], language)
            if reply is None:
                continue
            for name, (found, verdict) in grader.judge(reply, question["gold"], language).items():
                read = "nothing" if found is None else repr(found.text)
                label = f"{question['question_id']}: gold {question['gold']!r}, read {read}, {verdict.rule}"
                cells.setdefault((dataset, language, variation, name), []).append((label, verdict))
    return [_row(key, judged, listed=key[3] == verifier) for key, judged in sorted(cells.items())]


def _row(key: tuple[str, str, str, str], judged: list, listed: bool) -> dict:
    failed = [(label, verdict) for label, verdict in judged if not verdict.accepted]
    reasons = Counter(verdict.rule for _, verdict in failed)
    labels = [label for label, _ in failed]
    if not listed and len(labels) > LISTED:
        labels = [*labels[:LISTED], f"and {len(labels) - LISTED} more"]
    return {
        **dict(zip(GRADER_VALIDATION.key, key, strict=True)),
        "n": len(judged),
        "recovered": len(judged) - len(failed),
        "share": (len(judged) - len(failed)) / len(judged),
        "timed_out": sum(verdict.timed_out for _, verdict in judged),
        "reasons": "; ".join(f"{rule}: {count}" for rule, count in sorted(reasons.items())),
        "failures": " | ".join(labels),
    }
