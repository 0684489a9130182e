"""Bootstrap intervals of the gap at k = n, with the bound of gaps that are zero throughout."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reasonaudit.figures.style import PALETTE, empty_note, new_figure, percent_axis, save_figure
from reasonaudit.tables.cot_pass import COT_PASS
from reasonaudit.tables.parquet import read_frame


def draw_gap_intervals(*, cot_pass: str | Path, paths: Sequence[str | Path], strategy: str) -> None:
    """Draw solvers and generations, one panel a judge.

    A hollow mark is a gap of zero on every question: resampling gives it no width, so the dotted line
    shows what its number of problems still allows.
    """
    frame = read_frame(cot_pass, COT_PASS)
    frame = frame[(frame["strategy"] == strategy) & frame["level"].isin(["solver", "generation"])]
    if len(frame):
        frame = frame.loc[frame.groupby(["judge", "level", "model", "method"])["k"].idxmax()]
    judges = sorted(set(frame["judge"]))
    keys = set(zip(frame["level"], frame["model"], strict=True))
    lines = [
        line for level in ("generation", "solver") for line in sorted(keys, reverse=True) if line[0] == level
    ]
    height = max(2.0, 1.2 + 0.26 * len(lines))
    figure, panels = new_figure(2.2 + 2.4 * max(1, len(judges)), height, 1, max(1, len(judges)), sharey=True)
    if not judges:
        empty_note(panels[0], "no natural samples were judged")
        save_figure(figure, paths)
        return
    for panel, judge in zip(panels, judges, strict=True):
        rows = frame[frame["judge"] == judge].set_index(["level", "model"])
        for y, line in enumerate(lines):
            if line in rows.index:
                _interval(panel, rows.loc[line], y, "blue" if line[0] == "solver" else "vermillion")
        panel.axvline(0, color=PALETTE["black"], linewidth=0.8)
        panel.set_title(f"judge {judge}")
        panel.set_xlabel("Pass@n - CoT-Pass@n")
        percent_axis(panel.xaxis)
        names = [f"mean, {name}" if level == "generation" else name for level, name in lines]
        panel.set_yticks(range(len(lines)), names)
        panel.set_ylim(-0.6, len(lines) - 0.4)
    save_figure(figure, paths)


def _interval(panel, row, y: int, colour: str) -> None:
    shade = PALETTE[colour]
    if row["structural_zero"]:
        panel.plot([0, row["zero_upper"]], [y, y], ":", color=shade, linewidth=1.2)
        panel.plot([0], [y], "o", markerfacecolor="white", color=shade)
        return
    bars = np.clip([[row["gap"] - row["low"]], [row["high"] - row["gap"]]], 0, None)
    panel.errorbar([row["gap"]], [y], xerr=bars, fmt="o", color=shade, capsize=3, elinewidth=1.2)
