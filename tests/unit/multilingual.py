"""Made-up samples in several languages, from the counts or the answers that a test states."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.verdict_counts import Counts
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.verdicts import VERDICTS


def counts_of(cells: Mapping[str, Sequence[Sequence[int] | None]]) -> Counts:
    """Counts from language -> per problem (n, correct, false negatives, false positives) or None."""
    languages = tuple(sorted(cells))
    problems = len(cells[languages[0]])
    array = np.zeros((problems, len(languages), 4), dtype=np.int64)
    present = np.zeros((problems, len(languages)), dtype=bool)
    for column, language in enumerate(languages):
        for row, cell in enumerate(cells[language]):
            if cell is not None:
                array[row, column], present[row, column] = cell, True
    names = tuple(f"p{i:03d}" for i in range(problems))
    return Counts(names, languages, array, present, np.zeros(len(languages), dtype=np.int64))


def spread_counts(k: int, problems: int, correct: int, missed: int) -> list[tuple[int, int, int, int]]:
    """``correct`` right samples, the first ``missed`` of them false negatives, filled problem by problem."""
    cells = []
    for _ in range(problems):
        here = min(k, correct)
        lost = min(here, missed)
        cells.append((k, here, lost, 0))
        correct, missed = correct - here, missed - lost
    return cells


def judged_samples(
    cells: Mapping[str, Sequence[Sequence[tuple[bool, bool]]]], *, timed_out: Sequence[tuple] = ()
) -> pd.DataFrame:
    """Rows as of ``with_verdicts`` from language -> problem -> samples (trusted, accepted)."""
    rows = []
    for language, problems in cells.items():
        for problem, samples in enumerate(problems):
            for sample, (trusted, accepted) in enumerate(samples):
                late = (language, problem, sample) in timed_out
                rows.append(
                    {
                        "language": language,
                        "parallel_id": f"p{problem:03d}",
                        "question_id": f"{language}{problem}",
                        "sample_index": sample,
                        "readable": True,
                        "trusted_accepted": trusted,
                        "accepted": accepted,
                        "decided": not late,
                    }
                )
    return pd.DataFrame(rows)


def write_pools(
    folder: Path,
    answers: Mapping[str, Mapping[str, Sequence[Sequence[str | None]]]],
    golds: Sequence[str],
    *,
    verifiers: Mapping[str, object],
    method: str = "self_consistency",
) -> dict[str, list[str]]:
    """Questions, answers and verdicts of pools, as files.

    Args:
        answers: model -> language -> problem -> extracted answer of each sample (None: unreadable).
        golds: one a problem.
        verifiers: name -> function (extracted, gold) -> bool; ``trusted`` decides ``correct``.

    Returns:
        Table name -> paths.
    """
    paths: dict[str, list[str]] = {"questions": [], "answers": [], "verdicts": []}
    languages = sorted({language for of in answers.values() for language in of})
    for language in languages:
        rows = [
            {
                "dataset": f"sums-{language}",
                "question_id": f"{language}-{i:03d}",
                "language": language,
                "parallel_id": f"{i:03d}",
                "question": f"{language} {i}?",
                "gold": gold,
                "draw_index": i,
            }
            for i, gold in enumerate(golds)
        ]
        paths["questions"].append(_write(folder / f"questions-{language}.parquet", rows, QUESTIONS))
    for model, of_language in answers.items():
        for language, problems in of_language.items():
            given, verdicts = [], []
            for i, samples in enumerate(problems):
                for sample, extracted in enumerate(samples):
                    key = {
                        "model": model,
                        "dataset": f"sums-{language}",
                        "method": method,
                        "run": 0,
                        "question_id": f"{language}-{i:03d}",
                        "sample_index": sample,
                    }
                    accepted = {
                        name: extracted is not None and bool(verify(extracted, golds[i]))
                        for name, verify in verifiers.items()
                    }
                    canonical = None if extracted is None else "".join(c for c in extracted if c.isdigit())
                    given.append(
                        {
                            **key,
                            "extracted": extracted,
                            "written": extracted,
                            "canonical": canonical,
                            "readable": extracted is not None,
                            "correct": accepted["trusted"],
                            "calls": 1,
                            "stopped_by_length": False,
                        }
                    )
                    verdicts += [
                        {**key, "verifier": name, "accepted": value, "timed_out": False}
                        for name, value in accepted.items()
                    ]
            stem = f"{model}-{language}-{method}.parquet"
            paths["answers"].append(_write(folder / f"answers-{stem}", given, ANSWERS))
            paths["verdicts"].append(_write(folder / f"verdicts-{stem}", verdicts, VERDICTS))
    return paths


def _write(path: Path, rows, schema) -> str:
    write_table(path, rows, schema)
    return str(path)
