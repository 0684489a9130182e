"""Pass@k and CoT-Pass@k of every question of one cell, at every k of the ladder."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from reasonaudit.analysis.pass_at_k import pass_at_k
from reasonaudit.analysis.question_counts import k_ladder


@dataclass(frozen=True)
class CellCurve:
    """One model x data set x method under one judge and strategy.

    Attributes:
        n: samples a question (the smallest, where questions differ).
        ks: the ladder, none above n.
        problems: (questions,) index of each question's problem.
        passes, cots, credited: (questions, ks) Pass@k, CoT-Pass@k, and CoT-Pass@k had every stopped
            judgement been an approval; means over runs.
    """

    model: str
    dataset: str
    method: str
    n: int
    ks: list[int]
    problems: np.ndarray
    passes: np.ndarray
    cots: np.ndarray
    credited: np.ndarray

    @property
    def questions(self) -> int:
        """Number of questions."""
        return len(self.problems)

    def sums(self, k: int) -> np.ndarray:
        """Sums over questions of Pass@k, CoT-Pass@k and credited CoT-Pass@k."""
        column = self.ks.index(k)
        return np.array([part[:, column].sum() for part in (self.passes, self.cots, self.credited)])

    @property
    def gaps(self) -> np.ndarray:
        """(questions, ks) Pass@k minus CoT-Pass@k."""
        return self.passes - self.cots

    def problem_totals(self, column: int, problems: int) -> np.ndarray:
        """(problems,) sum of the gap at one k over the questions of each problem."""
        return np.bincount(self.problems, weights=self.gaps[:, column], minlength=problems)


def cell_curve(
    key: tuple[str, str, str],
    counts: pd.DataFrame,
    strategy: str,
    ladder: list[int] | None,
    place: dict[str, int],
) -> CellCurve:
    """The curve of one cell.

    Args:
        key: model, dataset, method.
        counts: the cell's rows of ``question_counts`` under one judge.
        ladder: values of k, or None for 1, 2, 4 ... n.
        place: problem -> index.
    """
    n = int(counts["n"].min())
    ks = [k for k in (ladder or k_ladder(n)) if k <= n]
    samples = counts["n"].to_numpy()
    columns = [counts[c].to_numpy() for c in ("c", f"approved_{strategy}", f"credited_{strategy}")]
    questions, row = np.unique(counts["question_id"].to_numpy(dtype=str), return_inverse=True)
    runs = np.bincount(row)
    means = []
    for correct in columns:
        values = _pass_at_k(samples, correct, ks)
        sums = np.zeros((len(questions), len(ks)))
        np.add.at(sums, row, values)
        means.append(sums / runs[:, None])
    problems = np.zeros(len(questions), dtype=np.int64)
    problems[row] = [place[problem] for problem in counts["problem"]]
    return CellCurve(*key, n, ks, problems, *means)


def _pass_at_k(n: np.ndarray, c: np.ndarray, ks: list[int]) -> np.ndarray:
    """(rows, ks), computed once for each distinct pair of n and c."""
    pairs, row = np.unique(np.column_stack([n, c]), axis=0, return_inverse=True)
    values = np.array([[pass_at_k(int(a), int(b), k) for k in ks] for a, b in pairs], dtype=float)
    return values.reshape(len(pairs), len(ks))[row.ravel()]
