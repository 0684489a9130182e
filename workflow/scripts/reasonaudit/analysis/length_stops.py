"""What length stops do to the gap, on the side of the solver and of the judge; and the budget ladder."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from reasonaudit.analysis.judge_gates import judged_cells
from reasonaudit.analysis.judged_samples import read_judged
from reasonaudit.audit.strategies import STRATEGIES
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.budget_ladder import BUDGET_LADDER
from reasonaudit.tables.cot_pass import COT_PASS
from reasonaudit.tables.injections import ORIGINAL_KEY
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.stops import STOPS

Paths = str | Path | Iterable[str | Path]
CELL = ["model", "dataset", "method"]


def measure_stops(
    *,
    answers: Paths,
    judged_samples: Paths,
    cot_pass: Paths,
    stops: str | Path,
    budget_ladder: str | Path,
    judges: Mapping[str, Mapping],
    solvers: Mapping[str, Mapping],
) -> None:
    """Write the tables of length stops and of the budget ladder.

    Args:
        judges: judge -> its section of the configuration.
        solvers: model -> {checkpoint, mode, max_tokens}: entries that share a checkpoint are the same
            model at other budgets or in other modes.
    """
    graded = read_frame(answers, ANSWERS, [*ORIGINAL_KEY, "stopped_by_length"])
    curves = read_frame(cot_pass, COT_PASS)
    rows = stop_rows(graded, read_judged(judged_samples), curves, judges)
    write_table(stops, rows, STOPS)
    write_table(budget_ladder, ladder_rows(rows, curves, solvers), BUDGET_LADDER)


def stop_rows(
    answers: pd.DataFrame, judged: pd.DataFrame, cot_pass: pd.DataFrame, judges: Mapping[str, Mapping]
) -> list[dict]:
    """Rows of the stops table, one a cell, judge and strategy."""
    natural = judged[judged["condition"] == "natural"]
    votes = natural.groupby(["judge", *CELL])[["votes", "stopped", "missing"]].sum()
    whole = at_n(cot_pass[cot_pass["level"] == "cell"]).set_index(["judge", *CELL, "strategy"])
    rows = []
    for judge in sorted(judges):
        settings = judges[judge]
        if not settings.get("natural", True):
            continue
        pool = answers[judged_cells(answers, settings)]
        if settings.get("max_samples") is not None:
            pool = pool[pool["sample_index"] < settings["max_samples"]]
        for cell, samples in pool.groupby(CELL, sort=True):
            given = votes.loc[(judge, *cell)] if (judge, *cell) in votes.index else None
            counts = dict.fromkeys(("votes", "stopped", "missing"), 0) if given is None else given.to_dict()
            stopped = int(samples["stopped_by_length"].astype(bool).sum())
            for strategy in STRATEGIES:
                curve = whole.loc[(judge, *cell, strategy)]
                gap, credited = float(curve["gap"]), float(curve["credited_gap"])
                rows.append(
                    dict(zip(CELL, cell, strict=True))
                    | {
                        "judge": judge,
                        "strategy": strategy,
                        "samples": len(samples),
                        "solver_stopped": stopped,
                        "solver_stop_share": stopped / len(samples),
                        "judgements": int(counts["votes"]),
                        "judge_stopped": int(counts["stopped"]),
                        "judge_stop_share": _share(counts["stopped"], counts["votes"]),
                        "missing": int(counts["missing"]),
                        "missing_share": _share(counts["missing"], counts["votes"]),
                        "gap": gap,
                        "credited_gap": credited,
                        "share_from_stops": _share(gap - credited, gap),
                    }
                )
    return rows


def ladder_rows(stops: list[dict], cot_pass: pd.DataFrame, solvers: Mapping[str, Mapping]) -> list[dict]:
    """Rows of the budget ladder: every cell whose token budget is known, in the order of its rungs."""
    cells = cot_pass[cot_pass["level"] == "cell"]
    key = [*CELL, "judge", "strategy"]
    whole = at_n(cells).set_index(key)
    first = cells[cells["k"] == 1].set_index(key)["pass_at_k"]
    rows = []
    for stop in stops:
        label = solvers.get(stop["model"]) or {}
        if label.get("max_tokens") is None:
            continue
        place = tuple(stop[name] for name in key)
        curve = whole.loc[place]
        rows.append(
            {
                "checkpoint": label.get("checkpoint") or stop["model"],
                "mode": label.get("mode") or "",
                "max_tokens": label["max_tokens"],
                "pass_at_1": float(first.loc[place]),
                "n": int(curve["n"]),
                "pass_at_n": float(curve["pass_at_k"]),
                "cot_pass_at_n": float(curve["cot_pass_at_k"]),
                **{name: float(curve[name]) for name in ("gap", "low", "high")},
                **{name: stop[name] for name in (*key, "solver_stop_share", "judge_stop_share")},
            }
        )
    ladder = ("checkpoint", "mode", "dataset")
    budgets: dict[tuple, set] = {}
    for row in rows:
        budgets.setdefault(tuple(row[name] for name in ladder), set()).add(row["max_tokens"])
    return [row | {"rungs": len(budgets[tuple(row[name] for name in ladder)])} for row in rows]


def at_n(cot_pass: pd.DataFrame) -> pd.DataFrame:
    """The rows of the largest k of each curve."""
    curve = ["level", *CELL, "judge", "strategy"]
    return cot_pass.loc[cot_pass.groupby(curve)["k"].idxmax()]


def _share(part: float, whole: float) -> float | None:
    return float(part / whole) if whole else None
