"""How often judges approve each condition, and paired differences on the same originals.

The main interval resamples problems, because up to six originals share a question and translations share
a problem. The exact McNemar test and the bootstrap over originals stand beside it for comparison with
the paper; both treat originals as independent.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.edit_slices import SLICES, edit_slices
from reasonaudit.analysis.judged_samples import read_judged
from reasonaudit.analysis.paired_tests import mcnemar_exact, wilson_interval
from reasonaudit.analysis.problems import problem_labels
from reasonaudit.analysis.resampling import divide, generator, percentile_interval, resampled_sums
from reasonaudit.audit.strategies import STRATEGIES
from reasonaudit.seeds import derive_seed
from reasonaudit.tables.acceptance import ACCEPTANCE
from reasonaudit.tables.injections import INJECTIONS, ORIGINAL_KEY
from reasonaudit.tables.parquet import read_table, to_frame, write_table
from reasonaudit.tables.questions import QUESTIONS

Paths = str | Path | Iterable[str | Path]
KEY = list(ORIGINAL_KEY)
NONE = "none"
# Which paired differences are taken: against the unedited chain, and the one that shows whether verdicts
# follow the agreement of chain and answer.
AGAINST = {"consistent_error": ("clean", "boxed_only")}


def measure_acceptance(
    *,
    questions: Paths,
    injections: Paths,
    judged_samples: Paths,
    acceptance: str | Path,
    datasets: Mapping[str, Mapping],
    statistics: Mapping,
    seed: int,
) -> None:
    """Write the acceptance table of a study, natural samples and injected conditions.

    Args:
        datasets: data set -> {parallel: name or None}.
        statistics: resamples and confidence.
    """
    asked = to_frame(
        read_table(questions, QUESTIONS).select(["dataset", "question_id", "language", "parallel_id"])
    )
    asked["problem"] = problem_labels(asked, datasets)
    columns = [*KEY, "condition", "menu", "relative_size", "position_share"]
    edits = to_frame(read_table(injections, INJECTIONS).select(columns))
    judged = read_judged(judged_samples)
    judged = judged[judged["condition"] != "step_labels"].merge(
        asked[["dataset", "question_id", "language", "problem"]],
        on=["dataset", "question_id"],
        validate="m:1",
    )
    rows = acceptance_rows(judged, edits, statistics, derive_seed(seed, "acceptance"))
    write_table(acceptance, rows, ACCEPTANCE)


def acceptance_rows(judged: pd.DataFrame, edits: pd.DataFrame, statistics: Mapping, seed: int) -> list[dict]:
    """Rows of the acceptance table.

    Args:
        judged: judged_samples with the columns language and problem.
        edits: key, condition, menu, relative_size and position_share of the injected errors.
    """
    # Numbers in the order of the labels are compared faster than the labels.
    judged = judged.assign(problem=pd.factorize(judged["problem"], sort=True)[0])
    rows = []
    for judge, part in judged.groupby("judge", sort=True):
        natural = part[part["condition"] == "natural"]
        panel = part[part["condition"] != "natural"]
        for strategy in STRATEGIES:
            comparisons = [
                *_natural_comparisons(natural, strategy),
                *_panel_comparisons(panel, edits, strategy),
            ]
            head = {"judge": judge, "strategy": strategy}
            rows += [head | row for row in _measured(comparisons, statistics, seed)]
    return rows


@dataclass(frozen=True)
class _Comparison:
    """One row of the table: approvals of some samples, perhaps beside those under another condition.

    Attributes:
        approved: (samples,) under the condition.
        reference: (samples,) of the same originals under ``against``; None for no comparison.
        problems: (samples,) number of each sample's problem.
    """

    condition: str
    slice: str
    level: str
    against: str
    approved: np.ndarray
    reference: np.ndarray | None
    problems: np.ndarray


def _natural_comparisons(natural: pd.DataFrame, strategy: str) -> Iterator[_Comparison]:
    approved = natural[f"approved_{strategy}"].to_numpy(bool)
    problems = natural["problem"].to_numpy()
    groups = {name: natural[name].astype(str) for name in ("language", "dataset", "model")}
    groups["model_language"] = groups["model"] + " / " + groups["language"]
    for name, level, kept in _levels(groups, len(natural)):
        yield _Comparison("natural", name, level, NONE, approved[kept], None, problems[kept])


def _panel_comparisons(panel: pd.DataFrame, edits: pd.DataFrame, strategy: str) -> Iterator[_Comparison]:
    if panel.empty:
        return
    wide = panel.pivot(
        index=[*KEY, "language", "problem"], columns="condition", values=f"approved_{strategy}"
    ).reset_index()
    problems = wide["problem"].to_numpy()
    conditions = [c for c in wide.columns if c not in (*KEY, "language", "problem")]
    for condition in conditions:
        groups = {name: wide[name].astype(str) for name in ("language", "dataset", "model")}
        log = edits[edits["condition"] == condition].reset_index(drop=True)
        log = log[KEY].join(edit_slices(log))
        cut = wide[KEY].merge(log, on=KEY, how="left", validate="1:1")
        groups |= {name: cut[name] for name in SLICES}
        approved = wide[condition].to_numpy(bool)
        against = [NONE] if condition == "clean" else AGAINST.get(condition, ("clean",))
        for name, level, kept in _levels(groups, len(wide)):
            for other in against:
                reference = None if other not in conditions else wide[other].to_numpy(bool)[kept]
                yield _Comparison(condition, name, level, other, approved[kept], reference, problems[kept])


def _levels(groups: Mapping[str, pd.Series], length: int) -> Iterator[tuple[str, str, np.ndarray]]:
    """(slice, level, mask) of everything, then of each level of each grouping; None is no level."""
    if length:
        yield "overall", "all", np.ones(length, dtype=bool)
    for name, labels in groups.items():
        for level in sorted(set(labels.dropna())):
            yield name, level, (labels == level).to_numpy(bool)


def _measured(comparisons: list[_Comparison], statistics: Mapping, seed: int) -> Iterator[dict]:
    if not comparisons:
        return
    labels = np.unique(np.concatenate([c.problems for c in comparisons]))
    totals = np.column_stack([part for c in comparisons for part in _totals(c, labels)])
    sums = resampled_sums(totals, resamples=statistics["resamples"], seed=seed)
    for place, comparison in enumerate(comparisons):
        size, accepted, before = sums[:, 3 * place : 3 * place + 3].T
        confidence = statistics["confidence"]
        low, high = percentile_interval(divide(accepted, size), confidence)
        yield (
            _row(comparison, statistics, seed)
            | {"low": float(low), "high": float(high)}
            | (
                _interval("difference", divide(accepted - before, size), confidence)
                if comparison.reference is not None
                else {}
            )
        )


def _totals(comparison: _Comparison, labels: np.ndarray) -> Iterator[np.ndarray]:
    """Per problem: samples, accepted, and accepted under the other condition."""
    place = np.searchsorted(labels, comparison.problems)
    yield np.bincount(place, minlength=len(labels)).astype(float)
    for approved in (comparison.approved, comparison.reference):
        weights = np.zeros(len(place)) if approved is None else approved
        yield np.bincount(place, weights=weights, minlength=len(labels))


def _row(comparison: _Comparison, statistics: Mapping, seed: int) -> dict:
    n, accepted = len(comparison.approved), int(comparison.approved.sum())
    confidence = statistics["confidence"]
    wilson = wilson_interval(accepted, n, confidence)
    row = {
        "condition": comparison.condition,
        "slice": comparison.slice,
        "level": comparison.level,
        "against": comparison.against,
        "n": n,
        "accepted": accepted,
        "rate": accepted / n,
        "wilson_low": wilson[0],
        "wilson_high": wilson[1],
        "clusters": len(np.unique(comparison.problems)),
    }
    if comparison.reference is None:
        return row
    b = int((comparison.reference & ~comparison.approved).sum())
    c = int((comparison.approved & ~comparison.reference).sum())
    draws = paired_draws(b, c, n, resamples=statistics["resamples"], seed=seed)
    return row | {
        "difference": (c - b) / n,
        "b": b,
        "c": c,
        "p_mcnemar": mcnemar_exact(b, c),
        **_interval("originals", draws, confidence),
    }


def paired_draws(b: int, c: int, n: int, *, resamples: int, seed: int) -> np.ndarray:
    """Bootstrap draws of a paired difference (c - b) / n, from its counts alone.

    Resampling n originals with differences -1 (b times), +1 (c times) and 0 is a multinomial draw.
    """
    counts = generator(seed).multinomial(n, np.array([b, c, n - b - c]) / n, size=resamples)
    return (counts[:, 1] - counts[:, 0]) / n


def _interval(name: str, draws: np.ndarray, confidence: float) -> dict:
    low, high = percentile_interval(draws, confidence)
    return {f"{name}_low": float(low), f"{name}_high": float(high)}
