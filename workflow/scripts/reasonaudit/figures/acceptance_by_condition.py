"""Acceptance of unedited and of corrupted chains, side by side for every judge."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reasonaudit.figures.style import colour_of, empty_note, marker_of, new_figure, percent_axis, save_figure
from reasonaudit.tables.acceptance import ACCEPTANCE
from reasonaudit.tables.parquet import read_frame

CONDITIONS = {
    "clean": "unedited\n(right answer)",
    "intermediate_error": "wrong number\nin the chain\n(right answer)",
    "truncated": "last part\ndropped\n(right answer)",
    "boxed_only": "only the answer\nwrong",
    "consistent_error": "same wrong\nanswer\nthroughout",
}


def draw_acceptance_by_condition(
    *, acceptance: str | Path, paths: Sequence[str | Path], strategy: str
) -> None:
    """Draw the overall rates with their bootstrap intervals."""
    frame = read_frame(acceptance, ACCEPTANCE)
    frame = frame[(frame["slice"] == "overall") & (frame["strategy"] == strategy)]
    frame = frame[frame["condition"].isin(list(CONDITIONS))]
    frame = frame.drop_duplicates(["judge", "condition"]).set_index(["judge", "condition"])
    judges = sorted(set(frame.index.get_level_values("judge")))
    figure, (panel,) = new_figure(6.4, 3.6)
    shown = [c for c in CONDITIONS if any((judge, c) in frame.index for judge in judges)]
    for place, judge in enumerate(judges):
        rows = [frame.loc[(judge, c)] if (judge, c) in frame.index else None for c in shown]
        offset = (place - (len(judges) - 1) / 2) * min(0.18, 0.6 / len(judges))
        kept = [(x + offset, row) for x, row in enumerate(rows) if row is not None]
        rate = np.array([row["rate"] for _, row in kept])
        bars = np.clip(
            [rate - [row["low"] for _, row in kept], [row["high"] for _, row in kept] - rate], 0, None
        )
        panel.errorbar(
            [x for x, _ in kept],
            rate,
            yerr=bars,
            fmt=marker_of(judge, judges),
            color=colour_of(judge, judges),
            capsize=3,
            elinewidth=1.2,
            label=f"{judge} (n = {kept[0][1]['n']})",
        )
    if not judges:
        empty_note(panel, "no injected errors were judged")
        save_figure(figure, paths)
        return
    # Right answers stand on a shaded ground: a judge that reads the chain would drop within it.
    right = sum(c in ("clean", "intermediate_error", "truncated") for c in shown)
    panel.axvspan(-0.5, right - 0.5, color="#EEEEEE", zorder=0)
    panel.set_xlim(-0.5, len(shown) - 0.5)
    panel.set_xticks(range(len(shown)), [CONDITIONS[c] for c in shown])
    panel.set_ylim(-0.03, 1.03)
    panel.grid(axis="x", visible=False)
    percent_axis(panel.yaxis)
    panel.set_ylabel(f"accepted ({strategy} of the votes)")
    figure.legend(loc="outside lower center", ncols=min(3, len(judges)))
    save_figure(figure, paths)
