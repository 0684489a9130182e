"""The whole equal-cost analysis of a synthetic study, step by step as the workflow runs it."""

import time
from pathlib import Path

from reasonaudit.analysis.compare_methods import compare_methods
from reasonaudit.analysis.estimate_curves import estimate_curves
from reasonaudit.analysis.gates import check_integrity
from reasonaudit.analysis.judge_against_count import judge_against_count
from reasonaudit.analysis.plan_study import plan_study
from reasonaudit.analysis.rederivation import rederive_results
from reasonaudit.analysis.summary import write_summary
from reasonaudit.analysis.tabulate_mechanisms import tabulate_mechanisms
from reasonaudit.analysis.vary_comparisons import vary_comparisons

GOALS = {"differences": [0.02, 0.05], "power": 0.8, "runs": [1, 2]}
SUMMARISED = (
    "comparisons",
    "curves",
    "engagement",
    "robustness",
    "unreadable",
    "pick_vs_count",
    "transitions",
    "group_effects",
    "gates",
    "rederivation",
    "dropped",
)


def run_study(study, folder: Path, paths: dict[str, list[str]] | None = None) -> dict:
    """Run every step on the files of ``study``.

    Returns:
        {"paths": table -> file, "seconds": step -> wall time}.
    """
    stored = paths or study.write(folder)
    out = {
        name: folder / f"{name}.parquet"
        for name in (*SUMMARISED, "run_variance", "temperature_control", "pick_positions", "plan")
    }
    params = {
        "pool": study.pool,
        "methods": study.methods,
        "grading": study.grading,
        "statistics": study.statistics,
        "study_seed": 1,
        "cells": study.cells,
        "models": study.models,
        "datasets": study.datasets,
        "study": "synthetic",
        "goals": GOALS,
    }
    given = {**stored, "dropped": out["dropped"]}
    seconds = {}

    def step(function, inputs, outputs, names):
        start = time.perf_counter()
        function(
            **{name: given.get(name, out.get(name)) for name in inputs},
            **{name: out[name] for name in outputs},
            **{name: params[name] for name in names},
        )
        seconds[function.__name__] = time.perf_counter() - start

    step(
        check_integrity,
        ("questions", "calls", "answers", "verdicts"),
        ("gates", "dropped"),
        ("cells", "pool", "methods", "grading", "statistics"),
    )
    asked = ("questions", "answers", "dropped")
    step(estimate_curves, asked, ("curves",), ("pool", "statistics", "study_seed"))
    step(
        compare_methods,
        asked,
        ("comparisons", "group_effects", "run_variance", "temperature_control"),
        ("pool", "methods", "statistics", "study_seed"),
    )
    made = ("answers", "steps", "calls", "dropped")
    step(
        judge_against_count,
        made,
        ("pick_vs_count", "pick_positions"),
        ("methods", "statistics", "study_seed"),
    )
    step(
        rederive_results,
        (*made, "curves", "comparisons", "pick_vs_count"),
        ("rederivation",),
        ("pool", "statistics"),
    )
    step(
        tabulate_mechanisms,
        made,
        ("transitions", "engagement", "unreadable"),
        ("methods", "statistics", "study_seed"),
    )
    step(
        vary_comparisons,
        (*asked, "verdicts", "steps"),
        ("robustness",),
        ("pool", "grading", "statistics", "study_seed"),
    )
    step(plan_study, ("comparisons", "run_variance"), ("plan",), ("statistics", "goals"))
    start = time.perf_counter()
    write_summary(
        **{name: out[name] for name in SUMMARISED},
        summary=folder / "summary.md",
        **{name: params[name] for name in ("study", "methods", "models", "datasets", "statistics")},
    )
    seconds["write_summary"] = time.perf_counter() - start
    return {"paths": out, "seconds": seconds, "summary": folder / "summary.md"}
