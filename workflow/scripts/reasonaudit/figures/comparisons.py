"""Forest plot: the difference of every method from repeated sampling at equal cost."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd
from matplotlib.lines import Line2D

from reasonaudit.figures.style import PALETTE, empty_note, label_of, new_figure, save_figure
from reasonaudit.tables.comparisons import COMPARISONS
from reasonaudit.tables.parquet import read_frame

COLOURS = {
    "worse": PALETTE["vermillion"],
    "better": PALETTE["blue"],
    "indistinguishable": PALETTE["grey"],
}
MEANINGS = {
    "worse": "worse (Holm-corrected within the setting)",
    "better": "better (Holm-corrected within the setting)",
    "indistinguishable": "not distinguishable",
}
ROW = 0.2  # inches


def draw_comparisons(
    *,
    comparisons: str | Path,
    paths: Iterable[str | Path],
    methods: Mapping[str, Mapping],
    models: Mapping[str, Mapping],
    datasets: Mapping[str, Mapping],
) -> None:
    """One row a comparison, grouped by setting, with its interval and corrected p."""
    frame = read_frame(comparisons, COMPARISONS).query("cost_basis == 'generated' and matching == 'fixed'")
    lines = _lines(frame, methods, models, datasets)
    figure, (axes,) = new_figure(7.2, ROW * max(len(lines), 6) + 1.45)
    if not lines:
        empty_note(axes, "nothing was compared: no pool, or token counts are unknown")
        save_figure(figure, paths)
        return
    axes.axvline(0, color="black", linestyle="--", linewidth=0.9, zorder=1)
    beside = {"transform": axes.get_yaxis_transform(), "va": "center", "fontsize": 7, "clip_on": False}
    axes.text(1.01, 0, "corrected p", **beside)
    for place, (_, row) in enumerate(lines):
        if row is not None:
            _draw_row(axes, place, row, beside)
    axes.set_yticks(range(len(lines)), [text for text, _ in lines])
    for tick, (_, row) in zip(axes.get_yticklabels(), lines, strict=True):
        tick.set_fontweight("bold" if row is None else "normal")
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(
        "accuracy minus that of repeated sampling\nat the same generated tokens (percentage points)"
    )
    present = [verdict for verdict in COLOURS if (frame["verdict"] == verdict).any()]
    handles = [
        Line2D([], [], color=COLOURS[verdict], marker="o", markersize=5, label=MEANINGS[verdict])
        for verdict in present
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 3) or 1)
    save_figure(figure, paths)


def _lines(frame: pd.DataFrame, methods, models, datasets) -> list[tuple[str, dict | None]]:
    """(label, row) from top to bottom; a heading has no row."""
    lines: list[tuple[str, dict | None]] = []
    for model in models:
        for dataset in datasets:
            part = frame[(frame["model"] == model) & (frame["dataset"] == dataset)].set_index("method")
            if part.empty:
                continue
            lines.append((f"{label_of(model, models)}, {label_of(dataset, datasets)}", None))
            lines += [
                (label_of(method, methods), part.loc[method].to_dict())
                for method in methods
                if method in part.index
            ]
    return lines


def _draw_row(axes, place: int, row: dict, beside: dict) -> None:
    if row["verdict"] == "not_compared":
        axes.text(1.01, place, "costs more than the pool", color=PALETTE["grey"], **beside)
        return
    colour = COLOURS[row["verdict"]]
    axes.plot([100 * row["low"], 100 * row["high"]], [place, place], color=colour, linewidth=1.6, zorder=2)
    axes.plot([100 * row["difference"]], [place], "o", color=colour, markersize=5, zorder=3)
    p = row["p_holm_setting"]
    text = "< 0.001" if p < 0.001 else f"{p:.3f}"
    axes.text(1.01, place, text, color=colour, **beside)
