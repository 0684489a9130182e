"""Groups without a training signal: share of groups with zero reward variance, by verifier and grouping."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reasonaudit.figures.style import (
    PALETTE,
    SERIES,
    empty_note,
    new_figure,
    percent_axis,
    readable_name,
    save_figure,
)
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.reward_variance import REWARD_VARIANCE

_COLOURS = [colour for colour in SERIES if colour != PALETTE["black"]]


def draw_reward_variance(*, reward_variance: str | Path, paths: Sequence[str | Path]) -> None:
    """Draw reward_variance to ``paths``: one panel a problem set and model."""
    frame = read_frame(reward_variance, REWARD_VARIANCE)
    frame = frame[frame["zero_variance_share"].notna()]
    panels = sorted(set(zip(frame["problem_set"], frame["model"], strict=True)))
    columns = min(3, max(1, len(panels)))
    rows = max(1, -(-len(panels) // columns))
    verifiers = sorted(set(frame["verifier"]))
    figure, axes = new_figure(
        max(4.6, (1.2 + 0.75 * len(verifiers)) * columns), 2.9 * rows + 0.4, rows, columns, sharey=True
    )
    if not panels:
        empty_note(axes[0], "no group has two samples")
    groupings = _groupings(frame)
    for place, panel in enumerate(axes):
        if place >= len(panels):
            if panels:
                panel.set_axis_off()
            continue
        problem_set, model = panels[place]
        here = frame[(frame["problem_set"] == problem_set) & (frame["model"] == model)]
        width = 0.8 / len(groupings)
        for i, (grouping, language) in enumerate(groupings):
            rows_of = here[(here["grouping"] == grouping) & (here["language"] == language)]
            values = rows_of.set_index("verifier").reindex(verifiers)["zero_variance_share"].astype(float)
            x = np.arange(len(verifiers)) + (i - (len(groupings) - 1) / 2) * width
            label = language if grouping == "single_language" else readable_name(grouping).lower()
            panel.bar(x, values, width * 0.92, label=label, **_look(i, grouping))
        panel.set_title(f"{model}, {problem_set}")
        panel.set_xticks(
            range(len(verifiers)), [readable_name(v) for v in verifiers], rotation=30, ha="right"
        )
        panel.set_ylim(0, 1)
        percent_axis(panel.yaxis)
        if place % columns == 0:
            panel.set_ylabel("groups without reward variance")
    if panels:
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=min(7, len(labels)))
    save_figure(figure, paths)


def _look(place: int, grouping: str) -> dict:
    """Colours for languages (hatched when they come round again), black and grey for mixed groups."""
    if grouping != "single_language":
        return {"color": PALETTE["black" if grouping == "mixed_languages" else "grey"]}
    return {
        "color": _COLOURS[place % len(_COLOURS)],
        "hatch": "////" if place >= len(_COLOURS) else None,
        "edgecolor": "white",
        "linewidth": 0,
    }


def _groupings(frame) -> list[tuple[str, str]]:
    single = sorted(set(frame.loc[frame["grouping"] == "single_language", "language"]))
    mixed = [name for name in ("mixed_languages", "mixed_problems") if name in set(frame["grouping"])]
    return [*(("single_language", code) for code in single), *((name, "all") for name in mixed)]
