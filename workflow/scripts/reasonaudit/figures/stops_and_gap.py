"""How much of the gap length stops may make: gap against the share of stopped judgements and samples."""

from collections.abc import Sequence
from pathlib import Path

from reasonaudit.figures.style import (
    colour_of,
    empty_note,
    marker_of,
    new_figure,
    percent_axis,
    save_figure,
)
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.stops import STOPS

SIDES = {
    "judge_stop_share": "judgements stopped by length",
    "solver_stop_share": "samples stopped by length",
}


def draw_stops_and_gap(*, stops: str | Path, paths: Sequence[str | Path], strategy: str) -> None:
    """Draw every cell; the line below a mark reaches to the gap had stopped judgements been approvals."""
    frame = read_frame(stops, STOPS)
    frame = frame[(frame["strategy"] == strategy) & frame["judge_stop_share"].notna()]
    judges = sorted(set(frame["judge"]))
    figure, panels = new_figure(6.6, 3.2, 1, 2, sharey=True)
    if not judges:
        for panel in panels:
            empty_note(panel, "no natural samples were judged")
        save_figure(figure, paths)
        return
    for panel, (side, label) in zip(panels, SIDES.items(), strict=True):
        for judge in judges:
            rows = frame[frame["judge"] == judge]
            colour = colour_of(judge, judges)
            panel.vlines(rows[side], rows["credited_gap"], rows["gap"], color=colour, linewidth=1, alpha=0.7)
            panel.plot(
                rows[side], rows["gap"], marker_of(judge, judges), color=colour, label=judge, alpha=0.85
            )
        panel.set_xlabel(label)
        percent_axis(panel.xaxis)
        percent_axis(panel.yaxis)
        panel.set_xlim(left=-0.01, right=max(0.05, 1.08 * float(frame[side].max())))
        panel.set_ylim(bottom=-0.01, top=max(0.05, 1.08 * float(frame["gap"].max())))
    panels[0].set_ylabel("Pass@n - CoT-Pass@n")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(judges)))
    save_figure(figure, paths)
