"""Acceptance and CoT-Pass@n at equal numbers of correct samples: is a small gap only saturation?"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.figures.style import (
    colour_of,
    empty_note,
    marker_of,
    new_figure,
    percent_axis,
    save_figure,
)
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.saturation import SATURATION

MEASURES = {
    "acceptance": ("acceptance", "acceptance_low", "acceptance_high", "correct samples accepted"),
    "cot_pass": ("cot_pass_at_n", "cot_pass_low", "cot_pass_high", "questions that keep a sample"),
}


def draw_saturation(*, saturation: str | Path, paths: Sequence[str | Path], strategy: str) -> None:
    """Draw generations where the study names them, else all solvers together; one row a judge."""
    frame = read_frame(saturation, SATURATION)
    frame = frame[frame["strategy"] == strategy]
    group = "generation" if (frame["group"] == "generation").any() else "all"
    frame = frame[frame["group"] == group]
    judges, names = (sorted(set(frame[column])) for column in ("judge", "name"))
    if not judges:
        figure, (panel,) = new_figure(4.2, 2.4)
        empty_note(panel, "no natural samples were judged")
        save_figure(figure, paths)
        return
    bins = sorted(set(zip(frame["correct_from"], frame["correct_to"], strict=True)))
    figure, panels = new_figure(6.4, 0.8 + 2.2 * len(judges), len(judges), 2, sharex=True, sharey=True)
    grid = np.array(panels).reshape(len(judges), 2)
    for i, judge in enumerate(judges):
        for j, (value, low, high, label) in enumerate(MEASURES.values()):
            panel = grid[i, j]
            for name in names:
                rows = frame[(frame["judge"] == judge) & (frame["name"] == name)]
                _series(panel, rows.set_index("correct_from"), (value, low, high), name, names, bins)
            panel.set_title(label if i == 0 else "")
            panel.set_xticks(range(len(bins)), [f"{a}-{b}" for a, b in bins])
            panel.set_xlim(-0.5, len(bins) - 0.5)
            panel.set_ylim(-0.03, 1.03)
            percent_axis(panel.yaxis)
    for panel in grid[-1]:
        panel.set_xlabel("correct samples of the question (c)")
    for judge, panel in zip(judges, grid[:, 0], strict=True):
        panel.set_ylabel(f"share (judge {judge})")
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(names)))
    save_figure(figure, paths)


def _series(panel, rows: pd.DataFrame, columns: tuple, name: str, names: Sequence[str], bins: list) -> None:
    value, low, high = columns
    at = [i for i, (first, _) in enumerate(bins) if first in rows.index]
    rows = rows.loc[[bins[i][0] for i in at]]
    middle = rows[value].to_numpy(float)
    offset = (list(names).index(name) - (len(names) - 1) / 2) * min(0.15, 0.5 / len(names))
    panel.errorbar(
        np.array(at) + offset,
        middle,
        yerr=np.clip([middle - rows[low], rows[high] - middle], 0, None),
        fmt=marker_of(name, names),
        color=colour_of(name, names),
        linestyle="-",
        linewidth=1,
        capsize=2,
        label=name,
    )
