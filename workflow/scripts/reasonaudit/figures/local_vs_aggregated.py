"""Accuracy under local majority (open) and aggregation over sibling languages (filled), and the ceiling."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.lines import Line2D

from reasonaudit.figures.style import (
    PALETTE,
    colour_of,
    empty_note,
    marker_of,
    new_figure,
    percent_axis,
    save_figure,
)
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.selection import SELECTION

_OPEN = {"markersize": 8, "markerfacecolor": "none", "linestyle": "none"}
_FILLED = {"markersize": 4.5, "linestyle": "none"}
_CEILING = {"marker": "_", "markersize": 9, "color": PALETTE["grey"], "linestyle": "none"}


def draw_local_vs_aggregated(*, selection: str | Path, paths: Sequence[str | Path]) -> None:
    """Draw the selection table to ``paths``: one panel a problem set, one series a model."""
    frame = read_frame(selection, SELECTION)
    frame = frame[frame["language"] != "all"]
    sets, models = (sorted(set(frame[name])) for name in ("problem_set", "model"))
    widest = max((frame.loc[frame["problem_set"] == s, "language"].nunique() for s in sets), default=3)
    width = max(4.6, (1.4 + 0.62 * widest) * max(1, len(sets)))
    figure, axes = new_figure(width, 3.5 + 0.2 * len(models), 1, max(1, len(sets)), sharey=True)
    if not sets:
        empty_note(axes[0], "no problem set was selected from")
    for panel, problem_set in zip(axes, sets, strict=False):
        rows = frame[frame["problem_set"] == problem_set]
        languages = sorted(set(rows["language"]))
        for model in models:
            _model(panel, rows[rows["model"] == model], model, models, languages)
        panel.set_title(problem_set)
        panel.set_xticks(range(len(languages)), languages)
        panel.set_xlim(-0.5, len(languages) - 0.5)
        panel.set_xlabel("language of the question")
        percent_axis(panel.yaxis)
    axes[0].set_ylabel("accuracy")
    if sets:
        handles = _legend(models)
        columns = max(1, int(12 * width / (6 + max(map(len, models)))))
        figure.legend(handles=handles, loc="outside lower center", ncols=min(columns, len(handles)))
    save_figure(figure, paths)


def _model(panel, rows, model: str, models: Sequence[str], languages: Sequence[str]) -> None:
    local = rows[rows["rule"] == "local_majority"].set_index("language").reindex(languages)
    best = rows[rows["reported"].astype(bool)].set_index("language").reindex(languages)
    colour, marker = colour_of(model, models), marker_of(model, models)
    step = min(0.2, 0.7 / len(models))
    for place in range(len(languages)):
        x = place + (list(models).index(model) - (len(models) - 1) / 2) * step
        before, after = float(local["accuracy"].iloc[place]), float(best["accuracy"].iloc[place])
        ceiling = float(local["ceiling"].iloc[place])
        panel.plot([x, x], [min(before, after), ceiling], color=colour, linewidth=0.8, alpha=0.5)
        panel.plot(x, ceiling, **_CEILING)
        # Open under filled: where both agree, the filled marker shows inside the larger open ring.
        panel.plot(x, before, marker=marker, color=colour, **_OPEN)
        panel.plot(x, after, marker=marker, color=colour, **_FILLED)


def _legend(models: Sequence[str]) -> list[Line2D]:
    """One entry a model, then what open, filled and bar mean."""
    named = [
        Line2D([], [], marker=marker_of(m, models), color=colour_of(m, models), label=m, **_FILLED)
        for m in models
    ]
    black = PALETTE["black"]
    return [
        *named,
        Line2D([], [], marker="o", color=black, label="local majority", **_OPEN),
        Line2D([], [], marker="o", color=black, label="aggregated", **_FILLED),
        Line2D([], [], label="Pass@k ceiling", **_CEILING),
    ]
