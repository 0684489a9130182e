"""Tokens that judges generate, beside the tokens of the solvers that they judge."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from reasonaudit.analysis.judge_gates import judged_cells
from reasonaudit.analysis.judged_samples import read_judged
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.injections import ORIGINAL_KEY
from reasonaudit.tables.judge_cost import JUDGE_COST
from reasonaudit.tables.parquet import read_frame, write_table

Paths = str | Path | Iterable[str | Path]


def measure_judge_cost(
    *, answers: Paths, judged_samples: Paths, judge_cost: str | Path, judges: Mapping[str, Mapping]
) -> None:
    """Write the table of judge costs.

    Args:
        judges: judge -> its section of the configuration.
    """
    graded = read_frame(answers, ANSWERS, [*ORIGINAL_KEY, "correct", "generated_tokens"])
    write_table(judge_cost, cost_rows(graded, read_judged(judged_samples), judges), JUDGE_COST)


def cost_rows(answers: pd.DataFrame, judged: pd.DataFrame, judges: Mapping[str, Mapping]) -> list[dict]:
    """Rows of the judge_cost table, each solver and all together, natural samples only.

    Where one token count is unknown (generations from elsewhere), the costs that need it are missing.
    """
    natural = judged[judged["condition"] == "natural"]
    rows = []
    for judge in sorted(judges):
        settings = judges[judge]
        votes = natural[natural["judge"] == judge]
        if not settings.get("natural", True) or votes.empty:
            continue
        pool = answers[judged_cells(answers, settings)]
        if settings.get("max_samples") is not None:
            pool = pool[pool["sample_index"] < settings["max_samples"]]
        for model in ["all", *sorted(pool["model"].unique())]:
            mine = votes if model == "all" else votes[votes["model"] == model]
            samples = pool if model == "all" else pool[pool["model"] == model]
            if len(mine):
                rows.append({"judge": judge, "model": model} | _costs(mine, samples))
    return rows


def _costs(votes: pd.DataFrame, samples: pd.DataFrame) -> dict:
    judgements = int(votes["votes"].sum())
    tokens = _total(votes["tokens"])
    everything = _total(samples["generated_tokens"])
    judged = _total(samples.loc[samples["correct"].astype(bool), "generated_tokens"])
    return {
        "judged_samples": len(votes),
        "judgements": judgements,
        "judge_tokens": tokens,
        "mean_tokens": _ratio(tokens, judgements),
        "tokens_per_sample": _ratio(tokens, len(votes)),
        "solver_tokens": everything,
        "solver_tokens_judged": judged,
        "per_solver_token": _ratio(tokens, everything),
        "per_judged_token": _ratio(tokens, judged),
    }


def _total(tokens: pd.Series) -> int | None:
    return None if tokens.isna().any() else int(tokens.sum())


def _ratio(part: int | None, whole: int | None) -> float | None:
    return part / whole if part is not None and whole else None
