"""From verdicts to counts: per problem and language, how often verifier and trusted reward agree.

All of the verifier study's rates are quotients of four counts, so a (problems, languages, 4) array is all
that the bootstrap, the permutations and the profiles need.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from reasonaudit.errors import DataError

N, CORRECT, FALSE_NEGATIVE, FALSE_POSITIVE = range(4)
SAMPLE_KEY = ["model", "dataset", "method", "run", "question_id", "sample_index"]


@dataclass(frozen=True)
class Counts:
    """Agreement of one verifier with the trusted reward over shared problems.

    Attributes:
        problems: parallel ids, one a row.
        languages: codes, one a column.
        cells: (problems, languages, 4) whole numbers: samples, trusted-correct, false negatives, false
            positives. A problem that a language does not have is a cell of zeros.
        present: (problems, languages), whether the language has the problem at all.
        timed_out: (languages,), samples without a verdict of the verifier or of the trusted reward.
    """

    problems: tuple[str, ...]
    languages: tuple[str, ...]
    cells: np.ndarray
    present: np.ndarray
    timed_out: np.ndarray

    @property
    def totals(self) -> np.ndarray:
        """(languages, 4) sums over problems."""
        return self.cells.sum(axis=0)

    @property
    def strata(self) -> np.ndarray | None:
        """Which languages a problem is shared by: the bootstrap resamples within these strata.

        One stratum (None) where all languages share all problems, so that they are resampled jointly; one
        a language where no problem is shared.
        """
        labels = np.unique(self.present, axis=0, return_inverse=True)[1].reshape(-1)
        return labels if len(set(labels.tolist())) > 1 else None


def pooled_samples(
    questions: pd.DataFrame,
    answers: pd.DataFrame,
    *,
    datasets: Sequence[str],
    method: str,
    problem_set: str,
) -> pd.DataFrame:
    """The answers of one problem set with language, parallel_id and gold of their questions.

    Samples of all runs are one pool, in stored order (run, sample_index).

    Raises:
        DataError: a data set without answers, or two data sets in one language.
    """
    asked = questions[questions["dataset"].isin(datasets)]
    languages = asked.groupby("dataset")["language"].unique()
    spoken = [language for name in sorted(languages.index) for language in languages[name]]
    if len(set(spoken)) != len(spoken):
        raise DataError(
            f"problem set {problem_set} has a language twice: {', '.join(sorted(spoken))}",
            hint="a problem set holds one data set a language",
        )
    given = answers[answers["dataset"].isin(datasets) & (answers["method"] == method)]
    silent = sorted(set(datasets) - set(given["dataset"]))
    if silent:
        raise DataError(
            f"problem set {problem_set} has no answers of {method} for {', '.join(silent)}",
            hint="run the method on every data set of the problem set",
        )
    joined = given.merge(
        asked[["dataset", "question_id", "language", "parallel_id", "gold", "draw_index"]],
        on=["dataset", "question_id"],
        how="left",
        validate="many_to_one",
    )
    if joined["language"].isna().any():
        lost = joined.loc[joined["language"].isna(), "question_id"].iloc[0]
        raise DataError(f"answers to questions that were not sampled, such as {lost}", where=problem_set)
    joined.insert(0, "problem_set", problem_set)
    return joined.sort_values(SAMPLE_KEY, kind="stable").reset_index(drop=True)


def with_verdicts(samples: pd.DataFrame, verdicts: pd.DataFrame, *, trusted: str) -> pd.DataFrame:
    """Samples x verifiers: the columns accepted, timed_out, and those of the trusted reward beside them.

    Adds ``trusted_accepted`` and ``trusted_timed_out``. A time-out on either side makes ``decided`` False:
    it is an outcome to count, not a rejection.

    Raises:
        DataError: a sample without a verdict of the trusted verifier.
    """
    wanted = verdicts[[*SAMPLE_KEY, "verifier", "accepted", "rule", "timed_out"]]
    reference = wanted[wanted["verifier"] == trusted].rename(
        columns={"accepted": "trusted_accepted", "timed_out": "trusted_timed_out"}
    )
    judged = samples.merge(
        reference.drop(columns=["verifier", "rule"]), on=SAMPLE_KEY, how="left", validate="one_to_one"
    )
    if judged["trusted_accepted"].isna().any():
        raise DataError(
            f"{int(judged['trusted_accepted'].isna().sum())} samples have no verdict of {trusted}",
            where=str(samples["problem_set"].iloc[0]) if len(samples) else None,
            hint="grade again with the trusted verifier among the verifiers",
        )
    judged = judged.merge(wanted, on=SAMPLE_KEY, how="inner", validate="one_to_many")
    for name in ("trusted_accepted", "trusted_timed_out", "accepted", "timed_out"):
        judged[name] = judged[name].astype(bool)
    judged["decided"] = ~(judged["timed_out"] | judged["trusted_timed_out"])
    return judged


def count_verdicts(judged: pd.DataFrame) -> Counts:
    """Counts of one verifier; ``judged`` holds its rows of ``with_verdicts`` for one model."""
    problems = tuple(sorted(set(judged["parallel_id"])))
    languages = tuple(sorted(set(judged["language"])))
    row = judged["parallel_id"].map({p: i for i, p in enumerate(problems)}).to_numpy(dtype=np.int64)
    column = judged["language"].map({c: i for i, c in enumerate(languages)}).to_numpy(dtype=np.int64)
    decided = judged["decided"].to_numpy(dtype=bool)
    correct = judged["trusted_accepted"].to_numpy(dtype=bool) & decided
    accepted = judged["accepted"].to_numpy(dtype=bool) & decided
    marks = np.stack([decided, correct, correct & ~accepted, decided & ~correct & accepted], axis=1)
    cells = np.zeros((len(problems), len(languages), 4), dtype=np.int64)
    np.add.at(cells, (row, column), marks.astype(np.int64))
    present = np.zeros(cells.shape[:2], dtype=bool)
    present[row, column] = True
    timed_out = np.zeros(len(languages), dtype=np.int64)
    np.add.at(timed_out, column, (~decided).astype(np.int64))
    return Counts(problems, languages, cells, present, timed_out)


def judged_by_audit(
    *,
    questions: pd.DataFrame,
    answers: pd.DataFrame,
    verdicts: pd.DataFrame,
    problem_sets: Mapping[str, Sequence[str]],
    method: str,
    verifiers: Sequence[str],
    trusted: str,
):
    """Yields (problem set, model, verifier, judged samples) in the order of the configuration."""
    for problem_set, datasets in problem_sets.items():
        samples = pooled_samples(
            questions, answers, datasets=datasets, method=method, problem_set=problem_set
        )
        judged = with_verdicts(samples, verdicts, trusted=trusted)
        for model in sorted(set(samples["model"])):
            for verifier in verifiers:
                rows = judged[(judged["model"] == model) & (judged["verifier"] == verifier)]
                if len(rows) != (samples["model"] == model).sum():
                    raise DataError(
                        f"verifier {verifier} has verdicts for {len(rows)} of "
                        f"{(samples['model'] == model).sum()} samples of {model}",
                        where=problem_set,
                        hint="grade again with this verifier among the verifiers",
                    )
                yield problem_set, model, verifier, rows
