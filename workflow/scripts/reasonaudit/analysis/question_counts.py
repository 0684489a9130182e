"""Samples, correct samples and approved samples of every question: what Pass@k and CoT-Pass@k need."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from reasonaudit.analysis.judge_gates import judged_cells
from reasonaudit.audit.strategies import STRATEGIES

QUESTION_KEY = ["model", "dataset", "method", "run", "question_id"]
COUNTED = [f"{kind}_{strategy}" for kind in ("approved", "credited") for strategy in STRATEGIES]


def question_counts(
    answers: pd.DataFrame, judged: pd.DataFrame, problems: Mapping, judges: Mapping[str, Mapping]
) -> pd.DataFrame:
    """One row per judge, cell, run and question, in key order.

    Args:
        answers: key and ``correct`` of every sample.
        judged: judged_samples; only the natural versions count here.
        problems: (dataset, question_id) -> label of the problem.
        judges: judge -> its section of the configuration.

    Returns:
        judge, the question's key, problem, n, c, and the counts approved_* and credited_*.
    """
    natural = judged[judged["condition"] == "natural"]
    parts = []
    for judge, settings in judges.items():
        if not settings.get("natural", True):
            continue
        pool = answers[judged_cells(answers, settings)]
        if settings.get("max_samples") is not None:
            pool = pool[pool["sample_index"] < settings["max_samples"]]
        samples = pool.assign(correct=pool["correct"].astype(bool)).groupby(QUESTION_KEY)["correct"]
        counts = samples.agg(n="size", c="sum")
        approvals = natural[natural["judge"] == judge].groupby(QUESTION_KEY)[COUNTED].sum()
        counts = counts.join(approvals).fillna(dict.fromkeys(COUNTED, 0)).reset_index()
        parts.append(counts.assign(judge=judge))
    columns = ["judge", *QUESTION_KEY, "problem", "n", "c", *COUNTED]
    if not parts:
        return pd.DataFrame(columns=columns)
    frame = pd.concat(parts, ignore_index=True)
    keys = zip(frame["dataset"], frame["question_id"], strict=True)
    frame["problem"] = [problems[key] for key in keys]
    whole = dict.fromkeys(("n", "c", *COUNTED), np.int64)
    return frame.astype(whole).sort_values(["judge", *QUESTION_KEY], ignore_index=True)[columns]


def k_ladder(n: int) -> list[int]:
    """1, 2, 4 ... up to n, and n itself."""
    ladder = [1]
    while ladder[-1] * 2 <= n:
        ladder.append(ladder[-1] * 2)
    return ladder if ladder[-1] == n else [*ladder, n]
