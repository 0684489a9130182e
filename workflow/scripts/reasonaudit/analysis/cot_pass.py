"""Pass@k, CoT-Pass@k and the gap between them, with a bootstrap over problems.

CoT-Pass@k is Pass@k with the approved samples in place of the correct ones; at k = n the gap is the
share of questions that have a correct sample but no approved one. (Wen et al., "Reinforcement Learning
with Verifiable Rewards Implicitly Incentivizes Correct Reasoning in Base LLMs".)
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.cell_curves import CellCurve, cell_curve
from reasonaudit.analysis.judge_gates import check_not_above
from reasonaudit.analysis.judged_samples import read_judged
from reasonaudit.analysis.problems import membership_strata, problem_labels
from reasonaudit.analysis.question_counts import question_counts
from reasonaudit.analysis.resampling import percentile_interval, resampled_sums
from reasonaudit.audit.strategies import STRATEGIES
from reasonaudit.seeds import derive_seed
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.cot_pass import COT_PASS
from reasonaudit.tables.injections import ORIGINAL_KEY
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.questions import QUESTIONS

Paths = str | Path | Iterable[str | Path]
ALL = "all"


def measure_cot_pass(
    *,
    questions: Paths,
    answers: Paths,
    judged_samples: Paths,
    cot_pass: str | Path,
    judges: Mapping[str, Mapping],
    datasets: Mapping[str, Mapping],
    solvers: Mapping[str, Mapping],
    ladder: list[int] | None,
    statistics: Mapping,
    seed: int,
) -> None:
    """Write the cot_pass table of a study.

    Args:
        judges: judge -> its section of the configuration.
        datasets: data set -> {parallel: name or None}.
        solvers: model -> {generation: label or None}.
        ladder: values of k; None for 1, 2, 4 ... n. A k above n is left out: Pass@k is undefined there.
        statistics: resamples and confidence.

    Raises:
        GateError: CoT-Pass@k above Pass@k somewhere.
    """
    counts = read_counts(questions, answers, judged_samples, judges, datasets)
    rows = cot_pass_rows(counts, solvers, ladder, statistics, derive_seed(seed, "cot_pass"))
    write_table(cot_pass, rows, COT_PASS)


def read_counts(
    questions: Paths,
    answers: Paths,
    judged_samples: Paths,
    judges: Mapping[str, Mapping],
    datasets: Mapping[str, Mapping],
) -> pd.DataFrame:
    """``question_counts`` from the stored tables."""
    asked = read_frame(questions, QUESTIONS, ["dataset", "question_id", "parallel_id"])
    labels = problem_labels(asked, datasets)
    problems = dict(zip(zip(asked["dataset"], asked["question_id"], strict=True), labels, strict=True))
    graded = read_frame(answers, ANSWERS, [*ORIGINAL_KEY, "correct"])
    return question_counts(graded, read_judged(judged_samples), problems, judges)


def cot_pass_rows(
    counts: pd.DataFrame,
    solvers: Mapping[str, Mapping],
    ladder: list[int] | None,
    statistics: Mapping,
    seed: int,
) -> list[dict]:
    """Rows of the cot_pass table from ``question_counts``.

    Every judge, strategy and k sees the same resamples of problems. A solver's row weights its data sets
    by their questions, over those data sets that have the most samples; a generation's row is the mean
    over its solvers.
    """
    if counts.empty:
        return []
    asked = counts.drop_duplicates(["dataset", "question_id"])
    order, strata = membership_strata(asked["problem"], asked["dataset"])
    place = {problem: i for i, problem in enumerate(order)}
    rows = []
    for judge, part in counts.groupby("judge", sort=True):
        cells = list(part.groupby(["model", "dataset", "method"], sort=True))
        for strategy in STRATEGIES:
            curves = [cell_curve(key, cell, strategy, ladder, place) for key, cell in cells]
            lines = _lines(curves, solvers, strata, statistics["resamples"], seed)
            head = {"judge": judge, "strategy": strategy}
            rows += [head | row for row in _rows(lines, statistics["confidence"])]
    levels = [row for row in rows if row["level"] != "generation_difference"]
    check_not_above(
        np.array([row["pass_at_k"] for row in levels]),
        np.array([row["cot_pass_at_k"] for row in levels]),
        [f"{row['model']} {row['dataset']} {row['judge']} {row['strategy']} k={row['k']}" for row in levels],
    )
    return rows


@dataclass(frozen=True)
class _Line:
    """A row of the table before its interval.

    Attributes:
        values: Pass@k, CoT-Pass@k and credited CoT-Pass@k.
        problems: indices of the distinct problems asked.
        zero: the gap of every question is zero.
        draws: (resamples,) of the gap.
    """

    level: str
    model: str
    dataset: str
    method: str
    k: int
    n: int
    questions: int
    problems: frozenset
    values: np.ndarray
    zero: bool
    draws: np.ndarray


def _lines(
    curves: list[CellCurve], solvers: Mapping[str, Mapping], strata: np.ndarray, resamples: int, seed: int
) -> list[_Line]:
    """Cells, solvers, generations and their differences, of one judge and strategy."""
    columns = {(i, k): j for j, (i, k) in enumerate((i, k) for i, c in enumerate(curves) for k in c.ks)}
    totals = np.column_stack(
        [curves[i].problem_totals(curves[i].ks.index(k), len(strata)) for i, k in columns]
    )
    sums = resampled_sums(totals, resamples=resamples, seed=seed, strata=strata)

    def line(level: str, dataset: str, members: list[int], k: int) -> _Line:
        picked = [curves[i] for i in members]
        at = [columns[i, k] for i in members]
        questions = sum(curve.questions for curve in picked)
        return _Line(
            level,
            picked[0].model,
            dataset,
            picked[0].method,
            k,
            min(curve.n for curve in picked),
            questions,
            frozenset().union(*(curve.problems.tolist() for curve in picked)),
            sum(curve.sums(k) for curve in picked) / questions,
            not totals[:, at].any(),
            sums[:, at].sum(axis=1) / questions,
        )

    cells = [line("cell", curve.dataset, [i], k) for i, curve in enumerate(curves) for k in curve.ks]
    whole = [
        line("solver", ALL, members, k)
        for members in _solver_cells(curves)
        for k in sorted(set.intersection(*(set(curves[i].ks) for i in members)))
    ]
    by_generation: dict[tuple, list[_Line]] = {}
    for found in whole:
        label = (solvers.get(found.model) or {}).get("generation")
        if label is not None:
            by_generation.setdefault((found.method, found.k, label), []).append(found)
    means = {key: _mean(key[2], lines) for key, lines in sorted(by_generation.items())}
    differences = [
        _difference(means[one], means[other]) for one, other in combinations(means, 2) if one[:2] == other[:2]
    ]
    return [*cells, *whole, *means.values(), *differences]


def _solver_cells(curves: list[CellCurve]) -> list[list[int]]:
    """The cells of each solver that have its largest number of samples."""
    groups: dict[tuple, list[int]] = {}
    for i, curve in enumerate(curves):
        groups.setdefault((curve.model, curve.method), []).append(i)
    return [
        [i for i in members if curves[i].n == max(curves[j].n for j in members)]
        for members in groups.values()
    ]


def _mean(label: str, lines: list[_Line]) -> _Line:
    """A generation: the mean over its solvers."""
    return _Line(
        "generation",
        label,
        ALL,
        lines[0].method,
        lines[0].k,
        min(line.n for line in lines),
        sum(line.questions for line in lines),
        frozenset().union(*(line.problems for line in lines)),
        np.mean([line.values for line in lines], axis=0),
        all(line.zero for line in lines),
        np.mean([line.draws for line in lines], axis=0),
    )


def _difference(one: _Line, other: _Line) -> _Line:
    """One generation minus another, on the same resamples."""
    return replace(
        one,
        level="generation_difference",
        model=f"{one.model} - {other.model}",
        n=min(one.n, other.n),
        questions=one.questions + other.questions,
        problems=one.problems | other.problems,
        values=one.values - other.values,
        zero=one.zero and other.zero,
        draws=one.draws - other.draws,
    )


def _rows(lines: list[_Line], confidence: float) -> list[dict]:
    low, high = percentile_interval(np.column_stack([line.draws for line in lines]), confidence)
    rows = []
    for line, lo, hi in zip(lines, low, high, strict=True):
        passes, cot, credited = map(float, line.values)
        rows.append(
            {
                "level": line.level,
                "model": line.model,
                "dataset": line.dataset,
                "method": line.method,
                "k": line.k,
                "n": line.n,
                "questions": line.questions,
                "problems": len(line.problems),
                "pass_at_k": passes,
                "cot_pass_at_k": cot,
                "gap": passes - cot,
                "low": float(lo),
                "high": float(hi),
                "structural_zero": line.zero,
                "zero_upper": zero_upper(len(line.problems), confidence) if line.zero else None,
                "credited_cot_pass_at_k": credited,
                "credited_gap": passes - credited,
            }
        )
    return rows


def zero_upper(problems: int, confidence: float = 0.95) -> float:
    """Upper end of the exact interval of a share of which 0 of ``problems`` was seen: 1 - 0.025^(1/Q)."""
    return 1 - ((1 - confidence) / 2) ** (1 / problems)
