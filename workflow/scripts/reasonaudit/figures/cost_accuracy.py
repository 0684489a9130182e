"""Accuracy against generated tokens: the sampling baseline as a curve, each method at its own cost."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd
from matplotlib.ticker import FuncFormatter, NullFormatter

from reasonaudit.figures.style import (
    MARKERS,
    PALETTE,
    SERIES,
    empty_note,
    label_of,
    new_figure,
    percent_axis,
    save_figure,
    share_limits,
    shared_legend,
)
from reasonaudit.tables.comparisons import COMPARISONS
from reasonaudit.tables.curves import CURVES
from reasonaudit.tables.parquet import read_frame

PANEL = (4.1, 3.1)  # inches
COLOURS = (*SERIES[1:], PALETTE["grey"])  # the first one is the baseline's


def draw_cost_accuracy(
    *,
    curves: str | Path,
    comparisons: str | Path,
    paths: Iterable[str | Path],
    methods: Mapping[str, Mapping],
    models: Mapping[str, Mapping],
    datasets: Mapping[str, Mapping],
) -> None:
    """One panel a setting: rows are models, columns data sets, in the order of the configuration."""
    line = read_frame(curves, CURVES).query("estimator == 'exact'")
    points = read_frame(comparisons, COMPARISONS).query("cost_basis == 'generated' and matching == 'fixed'")
    rows = [name for name in models if (line["model"] == name).any()]
    columns = [name for name in datasets if (line["dataset"] == name).any()]
    shown = [name for name in methods if (points["method"] == name).any()]
    down, across = max(len(rows), 1), max(len(columns), 1)
    figure, axes = new_figure(max(PANEL[0] * across, 5.5), PANEL[1] * down, down, across)
    for place, panel in enumerate(axes):
        if not rows or not columns:
            empty_note(panel, "no pool of samples")
            continue
        model, dataset = rows[place // len(columns)], columns[place % len(columns)]
        panel.set_title(f"{label_of(model, models)}, {label_of(dataset, datasets)}")
        here = line[(line["model"] == model) & (line["dataset"] == dataset)].sort_values("n")
        if here.empty or here["tokens"].isna().any():
            empty_note(panel, "no pool of samples" if here.empty else "token counts are unknown")
            continue
        _draw_baseline(panel, here)
        own = points[(points["model"] == model) & (points["dataset"] == dataset)]
        _draw_methods(panel, own, shown, methods)
        _axes(panel)
        if place // len(columns) == len(rows) - 1:
            panel.set_xlabel("mean generated tokens per question")
        if place % len(columns) == 0:
            panel.set_ylabel("accuracy")
    shared_legend(figure, axes)
    save_figure(figure, paths)


def _draw_baseline(panel, here: pd.DataFrame) -> None:
    blue = PALETTE["blue"]
    panel.fill_between(here["tokens"], here["low"], here["high"], color=blue, alpha=0.15, linewidth=0)
    panel.plot(here["tokens"], here["accuracy"], color=blue, label="majority of N samples", zorder=3)
    grid = here[here["on_grid"]]
    panel.plot(grid["tokens"], grid["accuracy"], ".", color=blue, markersize=4, zorder=3)
    for row in grid.to_dict("records"):
        panel.annotate(
            f"{row['n']}",
            (row["tokens"], row["accuracy"]),
            xytext=(0, 4),
            textcoords="offset points",
            ha="center",
            fontsize=6,
            color=blue,
            zorder=4,
        )


def _draw_methods(panel, own: pd.DataFrame, shown: list[str], methods: Mapping[str, Mapping]) -> None:
    of_method = {row["method"]: row for row in own.to_dict("records")}
    for place, name in enumerate(shown):
        if name not in of_method:
            continue
        row = of_method[name]
        panel.errorbar(
            row["tokens"],
            row["accuracy"],
            xerr=[[row["tokens"] - row["tokens_low"]], [row["tokens_high"] - row["tokens"]]],
            yerr=[[row["accuracy"] - row["accuracy_low"]], [row["accuracy_high"] - row["accuracy"]]],
            fmt=MARKERS[place % len(MARKERS)],
            color=COLOURS[place % len(COLOURS)],
            elinewidth=0.8,
            alpha=0.9,
            markeredgecolor="white",
            markeredgewidth=0.5,
            markersize=6,
            label=label_of(name, methods),
            zorder=5,
        )


def _axes(panel) -> None:
    panel.set_xscale("log")
    panel.xaxis.set_major_formatter(FuncFormatter(_thousands))
    low, high = panel.get_xlim()
    few = high / low < 30
    # Less than about one and a half decades hold too few powers of ten: label 2 and 5 as well.
    panel.xaxis.set_minor_formatter(FuncFormatter(_two_and_five) if few else NullFormatter())
    # Minor ticks are shorter; their labels shall stand on the same line.
    panel.tick_params(axis="x", which="minor", labelsize=panel.xaxis.get_ticklabels()[0].get_size(), pad=5)
    percent_axis(panel.yaxis)
    share_limits(panel)


def _thousands(value: float, _position) -> str:
    return f"{value:,.0f}"


def _two_and_five(value: float, position) -> str:
    return _thousands(value, position) if f"{value:e}"[0] in "25" else ""
