r"""What the observed gap can mean: the largest gap that the judge could have shown.

From injected errors we know the share r of wrong chains that a judge approves. Had every approved chain
of the study been wrong, judging it again would reject it with probability 1 - r. Two readings:

    expected   rejections are independent between chains: a question whose a approved chains are all
               drawn has its gap with probability (1 - r)^a; for k of n samples the expectation of
               (1 - r)^J with J hypergeometric(n, a, k)
    largest    rejections of a question's chains go together, which makes losing all of them likeliest:
               gap = r * observed gap + (1 - r) * Pass@k

A judge that never notices the error (r = 1) could not have shown more than it did; a perfect judge
(r = 0) could have shown all of Pass@k.
"""

import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.cot_pass import read_counts
from reasonaudit.tables.acceptance import ACCEPTANCE
from reasonaudit.tables.cot_pass import COT_PASS
from reasonaudit.tables.judge_sensitivity import JUDGE_SENSITIVITY
from reasonaudit.tables.parquet import read_frame, write_table

Paths = str | Path | Iterable[str | Path]
# The natural samples that are judged have right answers, so only these conditions tell about them.
CONDITIONS = ("intermediate_error", "truncated")


def measure_sensitivity(
    *,
    questions: Paths,
    answers: Paths,
    judged_samples: Paths,
    acceptance: Paths,
    cot_pass: Paths,
    judge_sensitivity: str | Path,
    judges: Mapping[str, Mapping],
    datasets: Mapping[str, Mapping],
) -> None:
    """Write the sensitivity-corrected reading; arguments as for ``measure_cot_pass``."""
    counts = read_counts(questions, answers, judged_samples, judges, datasets)
    rows = sensitivity_rows(counts, read_frame(acceptance, ACCEPTANCE), read_frame(cot_pass, COT_PASS))
    write_table(judge_sensitivity, rows, JUDGE_SENSITIVITY)


def sensitivity_rows(counts: pd.DataFrame, acceptance: pd.DataFrame, cot_pass: pd.DataFrame) -> list[dict]:
    """Rows for every cell and solver, at each k."""
    overall = acceptance[(acceptance["slice"] == "overall") & acceptance["condition"].isin(CONDITIONS)]
    accepted = {key: rows.to_dict("records") for key, rows in overall.groupby(["judge", "strategy"])}
    by_solver = dict(list(counts.groupby(["judge", "model", "method"])))
    curves = cot_pass[cot_pass["level"].isin(["cell", "solver"])]
    rows = []
    for place, lines in curves.groupby(["judge", "model", "method", "level", "dataset", "strategy"]):
        judge, model, method, level, dataset, strategy = place
        solver = by_solver[judge, model, method]
        asked = [dataset] if level == "cell" else _datasets_at_n(solver)
        pool = _Pool(solver[solver["dataset"].isin(asked)], f"approved_{strategy}")
        for curve in lines.to_dict("records"):
            rows += [_row(curve, pool, wrong) for wrong in accepted.get((judge, strategy), ())]
    return rows


class _Pool:
    """Distinct pairs of samples and approved samples, and the weight of each in a mean over questions."""

    def __init__(self, counts: pd.DataFrame, column: str):
        question = counts.groupby(["dataset", "question_id"], sort=False).ngroup().to_numpy()
        runs = np.bincount(question)
        weight = 1 / runs[question] / len(runs)
        pairs, place = np.unique(counts[["n", column]].to_numpy(), axis=0, return_inverse=True)
        self.pairs = pairs.tolist()
        self.weights = np.bincount(place.ravel(), weights=weight)

    def expected_cot_pass(self, k: int, wrong_accepted: float) -> float:
        """CoT-Pass@k had every approved chain been wrong, rejections being independent."""
        values = [1 - all_rejected(n, a, k, wrong_accepted) for n, a in self.pairs]
        return math.fsum(np.array(values) * self.weights)


def _datasets_at_n(solver: pd.DataFrame) -> list[str]:
    """The data sets of a solver with its largest number of samples, as in its row of cot_pass."""
    smallest = solver.groupby("dataset")["n"].min()
    return list(smallest.index[smallest == smallest.max()])


def _row(curve: Mapping, pool: _Pool, accepted: Mapping) -> dict:
    k, r = int(curve["k"]), accepted["rate"]
    low, high = accepted["low"], accepted["high"]
    solved, observed = curve["pass_at_k"], curve["gap"]
    return {
        "model": curve["model"],
        "dataset": curve["dataset"],
        "method": curve["method"],
        "judge": accepted["judge"],
        "strategy": accepted["strategy"],
        "condition": accepted["condition"],
        "k": k,
        "wrong_accepted": r,
        "wrong_accepted_low": low,
        "wrong_accepted_high": high,
        "pass_at_k": solved,
        "observed_gap": observed,
        "expected_gap": solved - pool.expected_cot_pass(k, r),
        "largest_gap": largest_gap(solved, observed, r),
        # The more wrong chains are accepted, the smaller the gap could have been.
        "largest_gap_low": largest_gap(solved, observed, high),
        "largest_gap_high": largest_gap(solved, observed, low),
    }


def largest_gap(pass_at_k: float, observed_gap: float, wrong_accepted: float) -> float:
    """r * observed gap + (1 - r) * Pass@k."""
    return wrong_accepted * observed_gap + (1 - wrong_accepted) * pass_at_k


def all_rejected(n: int, approved: int, k: int, wrong_accepted: float) -> float:
    """P(no approval among k of n samples) if each of ``approved`` keeps its approval with probability r.

    The expectation of (1 - r)^J for J hypergeometric(n, approved, k).
    """
    drawn, weights = _approved_among_drawn(n, approved, k)
    return float(weights @ (1 - wrong_accepted) ** drawn)


@cache
def _approved_among_drawn(n: int, approved: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Possible numbers of approved samples among k drawn ones, and their probabilities."""
    drawn = range(max(0, k - (n - approved)), min(k, approved) + 1)
    total = math.comb(n, k)
    weights = [math.comb(approved, j) * math.comb(n - approved, k - j) / total for j in drawn]
    return np.array(drawn), np.array(weights)
