"""Acceptance of injected errors by kind of edit, by size, and by place in the chain."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.edit_slices import SIZE_BINS
from reasonaudit.figures.style import (
    colour_of,
    empty_note,
    marker_of,
    new_figure,
    percent_axis,
    readable_name,
    save_figure,
)
from reasonaudit.tables.acceptance import ACCEPTANCE
from reasonaudit.tables.parquet import read_frame

CONDITIONS = {
    "intermediate_error": "wrong number in the chain",
    "boxed_only": "only the answer wrong",
    "consistent_error": "same wrong answer throughout",
}
SLICES = {"edit_kind": "kind of edit", "relative_size": "change, relative", "position": "place in the chain"}
KINDS = {
    "plus_minus": "plus or\nminus 1, 2",
    "digit_transposition": "digits\nswapped",
    "single_digit": "one digit\nchanged",
}


def draw_acceptance_by_edit(*, acceptance: str | Path, paths: Sequence[str | Path], strategy: str) -> None:
    """Draw one row a condition, one column a way of slicing, one series a judge."""
    frame = read_frame(acceptance, ACCEPTANCE)
    frame = frame[(frame["strategy"] == strategy) & frame["slice"].isin(list(SLICES))]
    frame = frame[frame["condition"].isin(list(CONDITIONS))]
    frame = frame.drop_duplicates(["judge", "condition", "slice", "level"])
    judges = sorted(set(frame["judge"]))
    if not judges:
        figure, (panel,) = new_figure(4.2, 2.4)
        empty_note(panel, "no injected errors were judged")
        save_figure(figure, paths)
        return
    figure, panels = new_figure(7.6, 6.6, len(CONDITIONS), len(SLICES), sharey=True)
    grid = np.array(panels).reshape(len(CONDITIONS), len(SLICES))
    for i, (condition, title) in enumerate(CONDITIONS.items()):
        for j, (name, label) in enumerate(SLICES.items()):
            panel = grid[i, j]
            rows = frame[(frame["condition"] == condition) & (frame["slice"] == name)]
            if rows.empty:
                panel.set_axis_off()
                continue
            levels = _levels(name, set(rows["level"]))
            for judge in judges:
                _series(panel, rows[rows["judge"] == judge].set_index("level"), judge, judges, levels)
            counts = rows.groupby("level")["n"].max()
            panel.set_xticks(
                range(len(levels)),
                [f"{KINDS.get(level, readable_name(level))}\nn = {counts[level]}" for level in levels],
                fontsize=7,
            )
            panel.set_xlim(-0.5, len(levels) - 0.5)
            panel.set_ylim(-0.03, 1.03)
            panel.grid(axis="x", visible=False)
            percent_axis(panel.yaxis)
            panel.set_title(label if i == 0 else "")
            if j == 0:
                panel.set_ylabel(f"accepted\n({title})", fontsize=8)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(judges)))
    save_figure(figure, paths)


def _levels(name: str, present: set[str]) -> list[str]:
    order = {"edit_kind": list(KINDS), "relative_size": list(SIZE_BINS)}.get(name, sorted(present))
    return [level for level in order if level in present]


def _series(panel, rows: pd.DataFrame, judge: str, judges: Sequence[str], levels: Sequence[str]) -> None:
    offset = (list(judges).index(judge) - (len(judges) - 1) / 2) * min(0.18, 0.6 / len(judges))
    at = [i for i, level in enumerate(levels) if level in rows.index]
    rows = rows.loc[[levels[i] for i in at]]
    rate = rows["rate"].to_numpy(float)
    bars = np.clip([rate - rows["low"], rows["high"] - rate], 0, None)
    panel.errorbar(
        np.array(at) + offset,
        rate,
        yerr=bars,
        fmt=marker_of(judge, judges),
        color=colour_of(judge, judges),
        capsize=2,
        elinewidth=1,
        markersize=4,
        label=judge,
    )
