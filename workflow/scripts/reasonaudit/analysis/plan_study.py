"""How many questions and runs a difference needs, from the variance components of a finished run.

A mean paired difference over n questions and R runs has variance (s_q^2 + s_r^2 / R) / n. It is found at
level alpha with the wanted power if it is (z_{1 - alpha/2} + z_power) standard errors or more. More runs help
as far as the runs' share of the variance goes, more questions always.
"""

import math
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
from scipy import stats

from reasonaudit.analysis.comparisons import level_of
from reasonaudit.analysis.frames import read_columns
from reasonaudit.tables.comparisons import COMPARISONS
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.plan import PLAN
from reasonaudit.tables.run_variance import RUN_VARIANCE

ONE_RUN = "measured in one run: how much further runs would help is unknown"
NO_VARIANCE = "no difference between the questions was measured, so nothing can be planned from this"


def plan_study(
    *,
    comparisons: str | Path,
    run_variance: str | Path,
    plan: str | Path,
    statistics: Mapping,
    goals: Mapping,
) -> None:
    """Write the plan.

    Args:
        comparisons, run_variance: tables of a finished run.
        plan: path to write.
        statistics: ``confidence``.
        goals: ``differences`` (shares, such as 0.05), ``power``, ``runs``.
    """
    tests = _tests(read_columns(comparisons, COMPARISONS, list(COMPARISONS.columns)))
    rows = []
    for measured in read_columns(run_variance, RUN_VARIANCE, list(RUN_VARIANCE.columns)).to_dict("records"):
        cell = {name: measured[name] for name in ("model", "dataset", "method")}
        family = tests.get(tuple(cell.values()), 1)
        for runs in goals["runs"] if measured["runs"] > 1 else [1]:
            variance = expected_variance(measured, runs)
            for difference in goals["differences"]:
                needed = [
                    questions_needed(
                        variance,
                        difference,
                        alpha=level_of(statistics["confidence"]) / m,
                        power=goals["power"],
                    )
                    for m in (1, family)
                ]
                rows.append(
                    cell
                    | {
                        "target_difference": difference,
                        "runs": runs,
                        "power": goals["power"],
                        "variance": variance,
                        "questions": needed[0],
                        "tests": family,
                        "questions_holm": needed[1],
                        "questions_measured": measured["n_questions"],
                        "runs_measured": measured["runs"],
                        "note": _note(variance, measured["runs"]),
                    }
                )
    write_table(plan, rows, PLAN)


def expected_variance(measured: Mapping, runs: int) -> float:
    """Variance of a question's difference with ``runs`` runs; with one run measured, what was measured."""
    if pd.isna(measured["variance_runs"]):
        return float(measured["variance"])
    return float(measured["variance_questions"] + measured["variance_runs"] / runs)


def questions_needed(variance: float, difference: float, *, alpha: float, power: float) -> int | None:
    """Questions at which a true mean ``difference`` is found with ``power``; None without a variance."""
    if not variance > 0:
        return None
    z = stats.norm.ppf(1 - alpha / 2) + stats.norm.ppf(power)
    return math.ceil(z * z * variance / (difference * difference))


def _note(variance: float, runs_measured: int) -> str | None:
    if not variance > 0:
        return NO_VARIANCE
    return ONE_RUN if runs_measured == 1 else None


def _tests(frame: pd.DataFrame) -> dict[tuple[str, str, str], int]:
    """Size of the Holm family that each comparison belongs to."""
    fixed = frame[(frame["cost_basis"] == "generated") & (frame["matching"] == "fixed")]
    fixed = fixed[fixed["difference"].notna()]
    size = fixed.groupby(["model", "dataset", "family"])["method"].transform("size")
    keys = fixed[["model", "dataset", "method"]].itertuples(index=False, name=None)
    return dict(zip(keys, size.astype(int).tolist(), strict=True))
