"""A judge against human labels: does it reject erroneous chains and approve correct ones?

Scored as the harmonic mean of both accuracies, so that a judge that always says yes scores 0.
(Zheng et al., "ProcessBench: Identifying Process Errors in Mathematical Reasoning".)
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.judged_samples import read_judged
from reasonaudit.analysis.resampling import divide, percentile_interval, resampled_sums
from reasonaudit.audit.strategies import STRATEGIES
from reasonaudit.seeds import derive_seed
from reasonaudit.tables.injections import ORIGINAL_KEY
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.step_labels import STEP_LABELS
from reasonaudit.tables.step_truth import STEP_TRUTH

Paths = str | Path | Iterable[str | Path]


def measure_step_truth(
    *, step_labels: Paths, judged_samples: Paths, step_truth: str | Path, statistics: Mapping, seed: int
) -> None:
    """Write the table of judges against human step labels.

    Args:
        statistics: resamples and confidence.
    """
    labels = read_frame(step_labels, STEP_LABELS, [*ORIGINAL_KEY, "problem", "label", "consistent"])
    judged = read_judged(judged_samples)
    rows = step_truth_rows(labels, judged, statistics, derive_seed(seed, "step_truth"))
    write_table(step_truth, rows, STEP_TRUTH)


def step_truth_rows(labels: pd.DataFrame, judged: pd.DataFrame, statistics: Mapping, seed: int) -> list[dict]:
    """Rows for every judge, data set (and all together) and strategy.

    Chains of one problem are resampled together.
    """
    judged = judged[judged["condition"] == "step_labels"]
    both = judged.merge(labels, on=list(ORIGINAL_KEY), validate="m:1")
    rows = []
    for judge, mine in both.groupby("judge", sort=True):
        for dataset in [*sorted(mine["dataset"].unique()), "all"]:
            part = mine if dataset == "all" else mine[mine["dataset"] == dataset]
            for strategy in STRATEGIES:
                head = {"judge": judge, "dataset": dataset, "strategy": strategy}
                rows.append(head | _row(part, f"approved_{strategy}", statistics, seed))
    return rows


def _row(part: pd.DataFrame, column: str, statistics: Mapping, seed: int) -> dict:
    kept = part[part["consistent"].astype(bool)]
    erroneous = (kept["label"] >= 0).to_numpy()
    approved = kept[column].to_numpy(bool)
    counts = np.column_stack([erroneous, erroneous & ~approved, ~erroneous, ~erroneous & approved])
    labels, place = np.unique(kept["problem"].to_numpy(str), return_inverse=True)
    totals = np.zeros((len(labels), 4))
    np.add.at(totals, place, counts)
    sums = resampled_sums(totals, resamples=statistics["resamples"], seed=seed)
    low, high = percentile_interval(_score(sums), statistics["confidence"])
    wrong, rejected, right, accepted = (int(value) for value in counts.sum(axis=0))
    return {
        "erroneous": wrong,
        "rejected": rejected,
        "accuracy_erroneous": rejected / wrong if wrong else None,
        "correct": right,
        "approved": accepted,
        "accuracy_correct": accepted / right if right else None,
        "harmonic_mean": harmonic_mean(rejected / wrong, accepted / right) if wrong and right else None,
        "low": float(low),
        "high": float(high),
        "inconsistent": int((~part["consistent"].astype(bool)).sum()),
    }


def harmonic_mean(accuracy_on_erroneous: float, accuracy_on_correct: float) -> float:
    """2ab / (a + b); 0 where both are 0."""
    total = accuracy_on_erroneous + accuracy_on_correct
    return 2 * accuracy_on_erroneous * accuracy_on_correct / total if total else 0.0


def _score(sums: np.ndarray) -> np.ndarray:
    wrong, rejected, right, accepted = sums.T
    one, other = divide(rejected, wrong), divide(accepted, right)
    total = one + other
    score = divide(2 * one * other, total)
    return np.where(total == 0, 0.0, score)
