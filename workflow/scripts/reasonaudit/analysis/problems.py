"""Which problem a question asks: translations of one problem are one cluster of the bootstrap."""

from collections.abc import Mapping

import numpy as np
import pandas as pd


def problem_labels(questions: pd.DataFrame, datasets: Mapping[str, Mapping]) -> pd.Series:
    """Label of each question's problem.

    Args:
        questions: rows of the questions table.
        datasets: data set -> {parallel: name of its group of parallel data sets, or None}. The ids of
            data sets outside a group are their own.
    """
    groups = questions["dataset"].map(lambda name: (datasets.get(name) or {}).get("parallel") or name)
    return groups.astype(str) + "/" + questions["parallel_id"].astype(str)


def membership_strata(problems: pd.Series, datasets: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Problems in sorted order, and the stratum of each: in which data sets it is asked, and how often.

    Resampling within these strata keeps the number of questions of every data set as it is, and still
    moves all translations of a problem together.

    Args:
        problems, datasets: of each question.
    """
    counts = pd.crosstab(problems, datasets).sort_index()
    patterns = counts.apply(lambda row: " ".join(f"{d}={n}" for d, n in row.items() if n), axis=1)
    return counts.index.to_numpy(), np.asarray(patterns, dtype=object).astype(str)
