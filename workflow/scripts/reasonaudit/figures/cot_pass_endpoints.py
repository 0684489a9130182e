"""Pass@n and CoT-Pass@n of every solver and data set, one panel a judge."""

from collections.abc import Sequence
from pathlib import Path

from reasonaudit.figures.style import PALETTE, empty_note, new_figure, percent_axis, save_figure
from reasonaudit.tables.cot_pass import COT_PASS
from reasonaudit.tables.parquet import read_frame


def draw_cot_pass_endpoints(*, cot_pass: str | Path, paths: Sequence[str | Path], strategy: str) -> None:
    """Draw the end points of the curves (k = n): the distance between the two marks is the gap."""
    frame = read_frame(cot_pass, COT_PASS)
    frame = frame[(frame["strategy"] == strategy) & (frame["level"] == "cell")]
    if len(frame):
        frame = frame.loc[frame.groupby(["judge", "model", "dataset", "method"])["k"].idxmax()]
    judges = sorted(set(frame["judge"]))
    lines = sorted(set(zip(frame["dataset"], frame["model"], strict=True)), reverse=True)
    height = max(2.0, 0.9 + 0.24 * len(lines))
    figure, panels = new_figure(2.4 + 2.4 * max(1, len(judges)), height, 1, max(1, len(judges)), sharey=True)
    if not judges:
        empty_note(panels[0], "no natural samples were judged")
        save_figure(figure, paths)
        return
    for panel, judge in zip(panels, judges, strict=True):
        rows = frame[frame["judge"] == judge].set_index(["dataset", "model"])
        y = [i for i, line in enumerate(lines) if line in rows.index]
        rows = rows.loc[[lines[i] for i in y]]
        panel.hlines(y, rows["cot_pass_at_k"], rows["pass_at_k"], color=PALETTE["grey"], linewidth=1.5)
        # Hollow and larger, so that it stays visible around the other mark where the gap is zero.
        panel.plot(
            rows["pass_at_k"],
            y,
            "o",
            color=PALETTE["blue"],
            markerfacecolor="white",
            markersize=8,
            label="Pass@n",
        )
        panel.plot(
            rows["cot_pass_at_k"], y, "D", color=PALETTE["vermillion"], markersize=4, label="CoT-Pass@n"
        )
        panel.set_title(f"judge {judge}")
        panel.set_xlim(-0.03, 1.03)
        panel.set_xlabel("share of questions")
        percent_axis(panel.xaxis)
        panel.set_yticks(range(len(lines)), [f"{model}, {dataset}" for dataset, model in lines])
        panel.set_ylim(-0.6, len(lines) - 0.4)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=2)
    save_figure(figure, paths)
