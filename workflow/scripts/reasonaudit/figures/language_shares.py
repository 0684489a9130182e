"""Which language chains and judgements are written in, by writer and data set."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.figures.style import PALETTE, empty_note, new_figure, percent_axis, save_figure
from reasonaudit.tables.chain_language import CHAIN_LANGUAGE
from reasonaudit.tables.parquet import read_frame

CLASSES = {
    "target": ("language of the question", PALETTE["blue"]),
    "english": ("English", PALETTE["orange"]),
    "mixed": ("mixed or another language", PALETTE["purple"]),
    "none": ("no prose", "#CCCCCC"),
}


def draw_language_shares(*, chain_language: str | Path, paths: Sequence[str | Path]) -> None:
    """Draw stacked shares, one bar a writer, part and data set; judgements are pooled over solvers."""
    frame = read_frame(chain_language, CHAIN_LANGUAGE)
    bars = _bars(frame[frame["judge"] == "none"])
    figure, (panel,) = new_figure(6.8, max(2.2, 1.1 + 0.26 * len(bars)))
    if not bars:
        empty_note(panel, "no chain was read")
        save_figure(figure, paths)
        return
    for y, counts in enumerate(bars.values()):
        left = 0.0
        for name, (_, colour) in CLASSES.items():
            share = counts.get(name, 0) / sum(counts.values())
            panel.barh(y, share, left=left, color=colour, height=0.7, edgecolor="white", linewidth=0.5)
            left += share
    labels = [f"{label} (n = {sum(counts.values())})" for label, counts in bars.items()]
    panel.set_yticks(range(len(bars)), labels)
    panel.set_ylim(len(bars) - 0.4, -0.6)
    panel.set_xlim(0, 1)
    panel.grid(visible=False)
    panel.set_xlabel("share of texts")
    percent_axis(panel.xaxis)
    handles = [panel.barh([np.nan], [0], color=colour, label=label) for label, colour in CLASSES.values()]
    figure.legend(handles=handles, loc="outside lower center", ncols=2)
    save_figure(figure, paths)


def _bars(frame: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Label of the bar -> class -> texts, solvers first, then judges."""
    solver = frame["writer"] == "solver"
    names = frame["model"].where(solver, "judge " + frame["writer"])
    parts = np.where(frame["part"] == "hidden", ", thinking", "")
    order = np.where(solver, "0", "1")
    label = order + names.astype(str) + parts + ", " + frame["dataset"].astype(str)
    counts = frame.groupby([label, "language_class"])["n"].sum()
    bars: dict[str, dict[str, int]] = {}
    for (place, name), n in counts.items():
        bars.setdefault(place[1:], {})[name] = int(n)
    return bars
