"""The planner: questions and runs from variance components."""

import math

import numpy as np
import pytest
from scipy import stats

from reasonaudit.analysis.plan_study import expected_variance, plan_study, questions_needed
from reasonaudit.tables.comparisons import COMPARISONS
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.plan import PLAN
from reasonaudit.tables.run_variance import RUN_VARIANCE

GOALS = {"differences": [0.05, 0.1], "power": 0.8, "runs": [1, 4]}


def written(folder, *, runs=2, **measured):
    keys = {"model": "m", "dataset": "d"}
    rows = [
        {
            **keys,
            "method": method,
            "cost_basis": "generated",
            "matching": "fixed",
            "family": "paper",
            "n_questions": 150,
            "runs": runs,
            "accuracy": 0.5,
            "difference": 0.0,
            "verdict": "indistinguishable",
        }
        for method in ("a", "b", "c", "d", "e", "f", "g")
    ]
    write_table(folder / "comparisons.parquet", rows, COMPARISONS)
    variance = {**keys, "method": "a", "n_questions": 150, "runs": runs, **measured}
    write_table(folder / "run_variance.parquet", [variance], RUN_VARIANCE)
    plan_study(
        comparisons=folder / "comparisons.parquet",
        run_variance=folder / "run_variance.parquet",
        plan=folder / "plan.parquet",
        statistics={"confidence": 0.95},
        goals=GOALS,
    )
    return read_frame(folder / "plan.parquet", PLAN)


def test_the_published_design():
    # Paper 1: 150 questions with a standard error of 2.6 points see 2.80 x 2.6 = 7.3 points with 80% power.
    variance = 150 * 0.026**2
    assert questions_needed(variance, 2.8016 * 0.026, alpha=0.05, power=0.8) == 150
    # ... and at Holm's first step of seven tests 3.53 standard errors.
    assert questions_needed(variance, 3.5316 * 0.026, alpha=0.05 / 7, power=0.8) == pytest.approx(150, abs=1)


def test_the_planned_study_has_the_power():
    variance, difference = 0.2, 0.1
    n = questions_needed(variance, difference, alpha=0.05, power=0.8)
    rng = np.random.default_rng(1)
    means = rng.normal(difference, math.sqrt(variance / n), 20_000)
    found = np.abs(means) > stats.norm.ppf(0.975) * math.sqrt(variance / n)
    assert found.mean() == pytest.approx(0.8, abs=4 * math.sqrt(0.16 / 20_000))


def test_more_runs_take_their_share_of_the_variance_away(tmp_path):
    table = written(tmp_path, variance=0.15, variance_questions=0.1, variance_runs=0.1)
    row = table.set_index(["target_difference", "runs"])
    assert row.loc[(0.05, 1), "variance"] == pytest.approx(0.2)
    assert row.loc[(0.05, 4), "variance"] == pytest.approx(0.125)
    assert row.loc[(0.05, 1), "questions"] == math.ceil(2.80159**2 * 0.2 / 0.0025)
    assert row.loc[(0.05, 4), "questions"] < row.loc[(0.05, 1), "questions"]
    assert row.loc[(0.1, 1), "questions"] == pytest.approx(row.loc[(0.05, 1), "questions"] / 4, abs=1)
    assert (row["tests"] == 7).all()
    assert (row["questions_holm"] > row["questions"]).all()
    assert row["note"].isna().all()


def test_one_run_says_what_it_cannot_know(tmp_path):
    table = written(tmp_path, runs=1, variance=0.15)
    assert set(table["runs"]) == {1}
    assert table["note"].str.contains("one run").all()
    assert table["variance"].tolist() == [0.15, 0.15]


def test_nothing_to_plan_from(tmp_path):
    table = written(tmp_path, variance=0.0, variance_questions=0.0, variance_runs=0.0)
    assert table["questions"].isna().all()
    assert table["note"].str.contains("nothing can be planned").all()
    assert questions_needed(float("nan"), 0.1, alpha=0.05, power=0.8) is None
    assert expected_variance({"variance": 0.3, "variance_runs": None}, 1) == 0.3
