"""Is the small gap of strong solvers just saturation? Acceptance at equal numbers of correct samples."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.cot_pass import read_counts
from reasonaudit.analysis.resampling import bootstrap_ratios
from reasonaudit.audit.strategies import STRATEGIES
from reasonaudit.seeds import derive_seed
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.saturation import SATURATION

Paths = str | Path | Iterable[str | Path]
BINS = ((1, 2), (3, 8), (9, 32), (33, 64))


def measure_saturation(
    *,
    questions: Paths,
    answers: Paths,
    judged_samples: Paths,
    saturation: str | Path,
    judges: Mapping[str, Mapping],
    datasets: Mapping[str, Mapping],
    solvers: Mapping[str, Mapping],
    statistics: Mapping,
    seed: int,
) -> None:
    """Write the saturation table; arguments as for ``measure_cot_pass``."""
    counts = read_counts(questions, answers, judged_samples, judges, datasets)
    write_table(
        saturation, saturation_rows(counts, solvers, statistics, derive_seed(seed, "saturation")), SATURATION
    )


def saturation_rows(
    counts: pd.DataFrame, solvers: Mapping[str, Mapping], statistics: Mapping, seed: int
) -> list[dict]:
    """Rows of the saturation table from ``question_counts``: all solvers, each generation, each solver."""
    solved = counts[counts["c"] > 0].reset_index(drop=True)
    rows = []
    for judge, part in solved.groupby("judge", sort=True):
        for group, name, members in _groups(part, solvers):
            for first, last in bins_up_to(int(part["c"].max())):
                kept = members[members["c"].between(first, last)]
                for strategy in STRATEGIES if len(kept) else ():
                    head = {"group": group, "name": name, "judge": judge, "strategy": strategy}
                    head |= {"correct_from": first, "correct_to": last}
                    rows.append(head | _row(kept, f"approved_{strategy}", statistics, seed))
    return rows


def bins_up_to(c: int) -> list[tuple[int, int]]:
    """The paper's bins of c, and doublings of the last one for larger pools."""
    bins = list(BINS)
    while bins[-1][1] < c:
        last = bins[-1][1]
        bins.append((last + 1, 2 * last))
    return bins


def _groups(part: pd.DataFrame, solvers: Mapping[str, Mapping]) -> Iterator[tuple[str, str, pd.DataFrame]]:
    yield "all", "all", part
    generation = part["model"].map(lambda model: (solvers.get(model) or {}).get("generation"))
    for label in sorted(set(generation.dropna())):
        yield "generation", label, part[generation == label]
    for model, members in part.groupby("model", sort=True):
        yield "model", model, members


def _row(kept: pd.DataFrame, column: str, statistics: Mapping, seed: int) -> dict:
    accepted, correct = kept[column].to_numpy(float), kept["c"].to_numpy(float)
    (rate, found), _ = bootstrap_ratios(
        np.column_stack([accepted, accepted > 0]),
        np.column_stack([correct, np.ones(len(kept))]),
        kept["problem"].to_numpy(str),
        resamples=statistics["resamples"],
        seed=seed,
        confidence=statistics["confidence"],
    )
    return {
        "questions": len(kept),
        "samples": int(correct.sum()),
        "accepted": int(accepted.sum()),
        "acceptance": rate.value,
        "acceptance_low": rate.low,
        "acceptance_high": rate.high,
        "cot_pass_at_n": found.value,
        "cot_pass_low": found.low,
        "cot_pass_high": found.high,
    }
