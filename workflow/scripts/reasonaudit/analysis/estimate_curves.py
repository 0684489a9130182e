"""From the stored pools to the table of the sampling baseline."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from reasonaudit.analysis.compare_methods import resampled_settings
from reasonaudit.analysis.comparisons import Draws, bootstrap_seed
from reasonaudit.analysis.curve import drawn_curve
from reasonaudit.analysis.resampling import bootstrap_means, generator, percentile_interval
from reasonaudit.analysis.setting import Curve, Setting, load_settings, mean_tokens, one_pool
from reasonaudit.seeds import derive_seed
from reasonaudit.tables.curves import CURVES
from reasonaudit.tables.parquet import write_table


def estimate_curves(
    *,
    questions: Iterable[str | Path],
    answers: Iterable[str | Path],
    dropped: str | Path | None,
    curves: str | Path,
    pool: Mapping,
    statistics: Mapping,
    study_seed: int,
) -> None:
    """Write the exact curve at every N and the drawn one at the printed N, for every model and data set.

    Arguments as in ``compare_methods``; ``curves`` is the path to write.
    """
    settings = load_settings(questions=questions, answers=answers, dropped=dropped, baseline=pool["method"])
    rows = []
    for setting, curve, draws in resampled_settings(settings, statistics, study_seed):
        rows += _exact_rows(setting, curve, draws, pool["curve"], statistics["confidence"])
        rows += _drawn_rows(setting, pool["curve"], statistics, study_seed)
    write_table(curves, rows, CURVES)


def drawn_accuracy(
    setting: Setting, grid: Sequence[int], statistics: Mapping, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Accuracy and generated tokens of every question from random draws, arrays (n, len(grid)).

    Outcome and cost come from the same draws; runs are averaged. Tokens are zero where unknown.
    """
    runs, n, size = setting.pool.votes.shape
    tokens = setting.pool.tokens.get("generated", np.zeros((runs, n, size)))
    accuracy, spent = np.zeros((n, len(grid))), np.zeros((n, len(grid)))
    rng = generator(seed)
    for r in range(runs):
        for i in range(n):
            right, cost = drawn_curve(
                one_pool(setting.pool, r, i, unreadable=statistics["unreadable"]),
                tokens[r, i],
                grid,
                draws=statistics["draws"],
                rng=rng,
                ties=statistics["ties"],
            )
            accuracy[i] += right / runs
            spent[i] += cost / runs
    return accuracy, spent


def draws_seed(study_seed: int, setting: Setting, repetition: int = 0) -> int:
    """Seed of a setting's random draws; ``repetition`` 1 is the second seed of the stability check."""
    return derive_seed(study_seed, "draws", setting.model, setting.dataset, repetition)


def _exact_rows(
    setting: Setting, curve: Curve, draws: Draws, grid: Sequence[int], confidence: float
) -> list[dict]:
    low, high = percentile_interval(draws.curve, confidence)
    accuracy, ties, silent = (a.mean(axis=(0, 1)) for a in (curve.accuracy, curve.ties, curve.silent))
    means = {basis: float(mean_tokens(setting.pool, basis).mean()) for basis in setting.pool.tokens}
    rows = []
    for i in range(len(accuracy)):
        row = _keys(setting, "exact", i + 1) | {
            "on_grid": i + 1 in grid,
            "accuracy": float(accuracy[i]),
            "low": float(low[i]),
            "high": float(high[i]),
            "tie_share": float(ties[i]),
            "abstain_share": float(silent[i]),
        }
        if "generated" in means:
            limits = percentile_interval(draws.chain["generated"], confidence)
            row["tokens"] = (i + 1) * means["generated"]
            row["tokens_low"], row["tokens_high"] = ((i + 1) * float(limit) for limit in limits)
        if "total" in means:
            row["total_tokens"] = (i + 1) * means["total"]
            if means["generated"] > 0:
                row["input_output_ratio"] = means["total"] / means["generated"] - 1
        rows.append(row)
    return rows


def _drawn_rows(setting: Setting, grid: Sequence[int], statistics: Mapping, study_seed: int) -> list[dict]:
    accuracy, spent = drawn_accuracy(setting, grid, statistics, draws_seed(study_seed, setting))
    estimates = bootstrap_means(
        np.hstack([accuracy, spent]),
        resamples=statistics["resamples"],
        seed=bootstrap_seed(study_seed, setting.dataset),
        confidence=statistics["confidence"],
    )
    known = "generated" in setting.pool.tokens
    rows = []
    for place, n in enumerate(grid):
        right, cost = estimates[place], estimates[len(grid) + place]
        row = _keys(setting, "drawn", n) | {
            "on_grid": True,
            "accuracy": right.value,
            "low": right.low,
            "high": right.high,
        }
        if known:
            row |= {"tokens": cost.value, "tokens_low": cost.low, "tokens_high": cost.high}
        rows.append(row)
    return rows


def _keys(setting: Setting, estimator: str, n: int) -> dict:
    return {
        "model": setting.model,
        "dataset": setting.dataset,
        "estimator": estimator,
        "n": int(n),
        "n_questions": len(setting.questions),
        "runs": setting.pool.votes.shape[0],
    }
