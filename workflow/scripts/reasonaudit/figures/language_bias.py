"""VLB of the false-negative rate by verifier and model, beside what permuted language labels give."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.lines import Line2D

from reasonaudit.figures.style import (
    PALETTE,
    colour_of,
    empty_note,
    marker_of,
    new_figure,
    readable_name,
    save_figure,
)
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.reward_errors import REWARD_ERRORS

_NULL = {
    "marker": "|",
    "markersize": 11,
    "markeredgewidth": 1.6,
    "color": PALETTE["grey"],
    "linestyle": "none",
}


def draw_language_bias(*, reward_errors: str | Path, paths: Sequence[str | Path]) -> None:
    """Draw the VLB rows of reward_errors to ``paths``: one panel a problem set, one row a verifier."""
    frame = read_frame(reward_errors, REWARD_ERRORS)
    frame = frame[(frame["language"] == "VLB") & (frame["metric"] == "fnr")]
    sets, models = (sorted(set(frame[name])) for name in ("problem_set", "model"))
    verifiers = sorted(set(frame["verifier"]), reverse=True)
    height = 1.6 + max(0.34, 0.17 * len(models)) * max(1, len(verifiers)) + 0.18 * len(models)
    width = 1.4 + 3.4 * max(1, len(sets))
    figure, axes = new_figure(width, height, 1, max(1, len(sets)), sharey=True)
    if not sets:
        empty_note(axes[0], "no verifier was audited")
        save_figure(figure, paths)
        return
    for panel, problem_set in zip(axes, sets, strict=True):
        for model in models:
            rows = frame[(frame["problem_set"] == problem_set) & (frame["model"] == model)]
            _series(panel, rows.set_index("verifier").reindex(verifiers), model, models)
        panel.set_title(problem_set)
        panel.set_xlim(-0.03, 1.03)
        panel.set_ylim(-0.6, len(verifiers) - 0.4)
        panel.set_yticks(range(len(verifiers)), [readable_name(name) for name in verifiers])
        panel.set_xlabel("VLB(FNR): largest minus smallest language")
    handles = [
        Line2D([], [], marker=marker_of(m, models), color=colour_of(m, models), linestyle="none", label=m)
        for m in models
    ]
    handles.append(Line2D([], [], label="mean under permuted labels", **_NULL))
    columns = max(1, int(12 * width / (6 + max(map(len, [*models, "mean under permuted labels"])))))
    figure.legend(handles=handles, loc="outside lower center", ncols=min(columns, len(handles)))
    save_figure(figure, paths)


def _series(panel, rows, model: str, models: Sequence[str]) -> None:
    offset = ((len(models) - 1) / 2 - list(models).index(model)) * min(0.25, 0.8 / len(models))
    y = np.arange(len(rows)) + offset
    value, low, high, null = (
        rows[name].astype(float).to_numpy() for name in ("fnr", "fnr_low", "fnr_high", "null_mean")
    )
    panel.plot(null, y, **_NULL)
    panel.errorbar(
        value,
        y,
        xerr=np.clip(np.nan_to_num(np.vstack([value - low, high - value])), 0, None),
        fmt=marker_of(model, models),
        color=colour_of(model, models),
        elinewidth=1,
        capsize=2,
    )
    for place in np.flatnonzero(np.isnan(value)):
        panel.text(0.0, y[place], "undefined", fontsize=6, va="center", color=colour_of(model, models))
