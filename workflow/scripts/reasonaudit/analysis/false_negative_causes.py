"""Cause table: which form of the answer accounts for the false negatives of each model and language."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from reasonaudit.analysis.answer_forms import form_of, recovered_by_stripping
from reasonaudit.analysis.verdict_counts import SAMPLE_KEY, judged_by_audit
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.false_negative_causes import FALSE_NEGATIVE_CAUSES
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.verdicts import VERDICTS

ALL = "all"
Paths = str | Path | Iterable[str | Path]


def explain_false_negatives(
    *,
    questions: Paths,
    answers: Paths,
    verdicts: Paths,
    causes: str | Path,
    problem_sets: Mapping[str, Sequence[str]],
    method: str,
    verifiers: Sequence[str],
    trusted: str,
    readmitting_verifier: str | None = "numeric",
) -> None:
    """Read graded samples, write false_negative_causes.

    Args:
        readmitting_verifier: whose acceptance of a false negative counts as readmitting it; its verdicts
            must be stored. None: no such column values.
    """
    stored = read_frame(verdicts, VERDICTS)
    rows = []
    for problem_set, model, verifier, judged in judged_by_audit(
        questions=read_frame(questions, QUESTIONS),
        answers=read_frame(answers, ANSWERS),
        verdicts=stored,
        problem_sets=problem_sets,
        method=method,
        verifiers=verifiers,
        trusted=trusted,
    ):
        keys = {"problem_set": problem_set, "model": model, "method": method, "verifier": verifier}
        missed = judged[judged["decided"] & judged["trusted_accepted"] & ~judged["accepted"]]
        if readmitting_verifier is not None:
            second = stored.loc[stored["verifier"] == readmitting_verifier, [*SAMPLE_KEY, "accepted"]]
            missed = missed.merge(
                second.rename(columns={"accepted": "readmitted"}), on=SAMPLE_KEY, how="left"
            )
            missed["readmitted"] = missed["readmitted"].fillna(False).astype(bool)
        keys["readmitting_verifier"] = readmitting_verifier
        rows += [{**keys, **row} for row in cause_rows(missed)]
    write_table(causes, rows, FALSE_NEGATIVE_CAUSES)


def cause_rows(missed: pd.DataFrame) -> list[dict]:
    """Rows of false_negative_causes without their keys.

    Args:
        missed: false negatives with the columns language, written, gold, rule, question_id and, where a
            second verifier judged them, readmitted. ``written`` is the answer with its brackets and units,
            ``rule`` the verifier's own word for why: one that found nothing to compare (``no_label``,
            ``no_number``) is itself the cause, whatever the form.
    """
    if missed.empty:
        return []
    missed = missed.assign(
        cause=[
            rule if isinstance(rule, str) and rule.startswith("no_") else form_of(written, gold)
            for written, gold, rule in zip(missed["written"], missed["gold"], missed["rule"], strict=True)
        ],
        stripped=[
            recovered_by_stripping(p, g) for p, g in zip(missed["written"], missed["gold"], strict=True)
        ],
    )
    rows = []
    for language, of_language in missed.groupby("language", sort=True):
        rows.append(_row(language, ALL, of_language, len(of_language)))
        rows += [
            _row(language, cause, of_cause, len(of_language))
            for cause, of_cause in of_language.groupby("cause", sort=True)
        ]
    return rows


def _row(language: str, cause: str, rows: pd.DataFrame, total: int) -> dict:
    first = rows.iloc[0]
    row = {
        "language": language,
        "cause": cause,
        "count": len(rows),
        "share": len(rows) / total,
        "stripped": int(rows["stripped"].sum()),
        "stripped_share": float(rows["stripped"].mean()),
        "example_prediction": first["written"],
        "example_gold": first["gold"],
        "example_question_id": first["question_id"],
    }
    if "readmitted" in rows:
        row["readmitted"] = int(rows["readmitted"].sum())
        row["readmitted_share"] = float(rows["readmitted"].mean())
    return row
