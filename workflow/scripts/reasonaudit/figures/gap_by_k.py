"""The gap between Pass@k and CoT-Pass@k against k, one panel a judge."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from reasonaudit.figures.style import (
    colour_of,
    empty_note,
    marker_of,
    new_figure,
    percent_axis,
    save_figure,
)
from reasonaudit.tables.cot_pass import COT_PASS
from reasonaudit.tables.parquet import read_frame

MOST_LINES = 8


def draw_gap_by_k(*, cot_pass: str | Path, paths: Sequence[str | Path], strategy: str) -> None:
    """Draw generations where the study names them, else solvers, with their intervals."""
    frame = read_frame(cot_pass, COT_PASS)
    frame = frame[frame["strategy"] == strategy]
    level = "generation" if (frame["level"] == "generation").any() else "solver"
    frame = frame[frame["level"] == level]
    judges, names = (sorted(set(frame[column])) for column in ("judge", "model"))
    names = names[:MOST_LINES]
    figure, panels = new_figure(
        max(4.0, 2.6 * len(judges) + 0.8), 3.0, 1, max(1, len(judges)), sharex=True, sharey=True
    )
    if not judges:
        empty_note(panels[0], "no natural samples were judged")
        save_figure(figure, paths)
        return
    for panel, judge in zip(panels, judges, strict=True):
        for name in names:
            _curve(panel, frame[(frame["judge"] == judge) & (frame["model"] == name)], name, names)
        panel.set_xscale("log", base=2)
        ticks = sorted(set(frame["k"]))
        panel.set_xticks(ticks, [str(k) for k in ticks])
        panel.minorticks_off()
        panel.set_title(f"judge {judge}")
        panel.set_xlabel("k (samples drawn)")
        panel.set_ylim(min(0.0, float(frame["low"].min())) - 0.005, 1.05 * float(frame["high"].max()) + 0.005)
        percent_axis(panel.yaxis)
    panels[0].set_ylabel("Pass@k - CoT-Pass@k")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(names)), title=level)
    save_figure(figure, paths)


def _curve(panel, rows: pd.DataFrame, name: str, names: Sequence[str]) -> None:
    rows = rows.sort_values("k")
    colour = colour_of(name, names)
    panel.plot(rows["k"], rows["gap"], marker=marker_of(name, names), color=colour, label=name)
    panel.fill_between(rows["k"], rows["low"], rows["high"], color=colour, alpha=0.15, linewidth=0)
