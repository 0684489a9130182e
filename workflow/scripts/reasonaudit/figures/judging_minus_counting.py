"""What asking the model to pick costs against counting its own samples, by size of the model."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from matplotlib.ticker import FixedLocator, NullLocator

from reasonaudit.figures.style import (
    colour_of,
    empty_note,
    label_of,
    marker_of,
    new_figure,
    save_figure,
)
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.pick_vs_count import PICK_VS_COUNT


def draw_judging_minus_counting(
    *,
    pick_vs_count: str | Path,
    paths: Iterable[str | Path],
    methods: Mapping[str, Mapping],
    models: Mapping[str, Mapping],
    datasets: Mapping[str, Mapping],
) -> None:
    """One series a data set and picking method; models of known size on a scale, else side by side."""
    frame = read_frame(pick_vs_count, PICK_VS_COUNT)
    figure, (axes,) = new_figure(6.0, 3.8)
    if frame.empty:
        empty_note(axes, "no method picks among its own samples")
        save_figure(figure, paths)
        return
    present = [name for name in models if (frame["model"] == name).any()]
    sizes = [models[name].get("size_b") for name in present]
    scaled = all(sizes) and len(set(sizes)) > 1
    series = [
        (dataset, method)
        for dataset in datasets
        for method in methods
        if ((frame["dataset"] == dataset) & (frame["method"] == method)).any()
    ]
    several = len({method for _, method in series}) > 1
    names = [f"{dataset} {method}" for dataset, method in series]
    axes.axhline(0, color="black", linestyle="--", linewidth=0.9)
    for number, (dataset, method) in enumerate(series):
        part = frame[(frame["dataset"] == dataset) & (frame["method"] == method)].set_index("model")
        own = [name for name in present if name in part.index]
        own.sort(key=lambda name: models[name]["size_b"] if scaled else present.index(name))
        # Series stand beside each other, so that intervals do not cover one another.
        aside = number - (len(series) - 1) / 2
        if scaled:
            across = [models[name]["size_b"] * 1.03**aside for name in own]
        else:
            across = [present.index(name) + 0.08 * aside for name in own]
        middle = [100 * part.loc[name, "difference"] for name in own]
        below = [100 * (part.loc[name, "difference"] - part.loc[name, "low"]) for name in own]
        above = [100 * (part.loc[name, "high"] - part.loc[name, "difference"]) for name in own]
        label = label_of(dataset, datasets) + (f", {label_of(method, methods)}" if several else "")
        axes.errorbar(
            across,
            middle,
            yerr=[below, above],
            fmt=f"-{marker_of(names[number], names)}" if scaled else marker_of(names[number], names),
            color=colour_of(names[number], names),
            elinewidth=1,
            capsize=2,
            label=label,
        )
    if scaled:
        axes.set_xscale("log")
        ticks = sorted(set(sizes))
        axes.xaxis.set_major_locator(FixedLocator(ticks))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_xticks(ticks, [f"{size:g}B" for size in ticks])
        axes.set_xlim(min(ticks) / 1.25, max(ticks) * 1.25)
        axes.set_xlabel("model size (parameters)")
    else:
        axes.set_xticks(range(len(present)), [label_of(name, models) for name in present])
        axes.set_xlim(-0.6, len(present) - 0.4)
        axes.set_xlabel("model")
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, -5), max(high, 5))
    axes.set_ylabel("model picks minus counting votes\n(percentage points)")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=min(len(series), 3))
    save_figure(figure, paths)
