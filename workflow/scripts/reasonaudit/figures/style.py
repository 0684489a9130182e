"""How every figure looks and how it is saved.

Colours are Okabe and Ito's, which stay apart under every common colour blindness. Files are the same
bytes for the same content: no dates, no versions, fixed SVG ids.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

PALETTE = {
    "black": "#000000",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "green": "#009E73",
    "yellow": "#F0E442",
    "blue": "#0072B2",
    "vermillion": "#D55E00",
    "purple": "#CC79A7",
    "grey": "#7F7F7F",
}
# In the order in which series take them; yellow is too faint for thin lines on white.
SERIES = tuple(PALETTE[name] for name in ("blue", "vermillion", "green", "orange", "purple", "sky", "black"))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")
LANGUAGES = {
    "en": "English",
    "ja": "Japanese",
    "zh": "Chinese",
    "tr": "Turkish",
    "pt": "Portuguese",
    "de": "German",
    "es": "Spanish",
    "fr": "French",
    "ru": "Russian",
    "bn": "Bengali",
    "sw": "Swahili",
    "te": "Telugu",
    "th": "Thai",
    "ko": "Korean",
    "ar": "Arabic",
    "vi": "Vietnamese",
    "it": "Italian",
    "id": "Indonesian",
    "ms": "Malay",
}
_RC = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "reasonaudit",
    "savefig.dpi": 160,
    "figure.dpi": 160,
}
# Texts and legends take their look when they are made, so it is set once for the process.
mpl.rcParams.update(_RC)

_METADATA = {
    ".pdf": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None},
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
}


def new_figure(
    width: float, height: float, rows: int = 1, columns: int = 1, **subplots
) -> tuple[Figure, list[Axes]]:
    """A figure of ``width`` x ``height`` inches and its axes, row by row.

    Needs no display. ``subplots`` go to Figure.subplots.
    """
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **subplots)
    return figure, list(axes.ravel())


def save_figure(figure: Figure, paths: str | Path | Iterable[str | Path]) -> None:
    """Write a figure under each path, in the format its suffix names (.pdf, .png, .svg), all or nothing."""
    if isinstance(paths, (str, Path)):
        paths = [paths]
    for path in map(Path, paths):
        if path.suffix not in _METADATA:
            raise ValueError(f"a figure is saved as .pdf, .png or .svg, not {path.name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
        try:
            figure.savefig(temporary, format=path.suffix[1:], metadata=_METADATA[path.suffix])
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def colour_of(name: str, names: Sequence[str]) -> str:
    """The colour of a series, by its place in the list of all series."""
    return SERIES[list(names).index(name) % len(SERIES)]


def marker_of(name: str, names: Sequence[str]) -> str:
    """The marker of a series, by its place in the list of all series."""
    return MARKERS[list(names).index(name) % len(MARKERS)]


def readable_name(name: str) -> str:
    """``chain_of_thought`` -> ``Chain of thought``; hyphens of model names stay."""
    text = name.replace("_", " ")
    return text[:1].upper() + text[1:]


def label_of(name: str, given: Mapping[str, Mapping]) -> str:
    """The label that the configuration gives a model, data set or method; else its name, readable."""
    label = given.get(name, {}).get("label")
    return label or (readable_name(name) if "_" in name else name)


def shared_legend(figure: Figure, axes: Sequence[Axes], columns: int = 4) -> None:
    """One legend below all panels, each label once; the figure grows by its height."""
    entries = {}
    for panel in axes:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            entries.setdefault(label, handle)
    if not entries:
        return
    # No more columns than the width holds: about 0.065 inches a character at this font size.
    longest = max(map(len, entries))
    fitting = max(1, int(figure.get_figwidth() / (0.065 * longest + 0.5)))
    columns = min(columns, fitting, len(entries))
    lines = -(-len(entries) // columns)
    figure.set_figheight(figure.get_figheight() + 0.2 * lines + 0.1)
    figure.legend(entries.values(), entries.keys(), loc="outside lower center", ncols=columns)


def language_name(code: str) -> str:
    """English name of a language code, or the code itself."""
    return LANGUAGES.get(code, code)


def percent_axis(axis) -> None:
    """Tick labels of shares (0.25) as percent (25%)."""
    axis.set_major_formatter(PercentFormatter(xmax=1, decimals=0))


def share_limits(axes: Axes, least: float = 0.1, margin: float = 0.015) -> None:
    """Keep the y axis of shares within 0 and 1, but for a margin, and at least ``least`` wide."""
    low, high = axes.get_ylim()
    low, high = max(low, -margin), min(high, 1 + margin)
    if high - low < least:
        low = min(max((low + high - least) / 2, -margin), 1 + margin - least)
        high = low + least
    axes.set_ylim(low, high)


def empty_note(axes: Axes, text: str) -> None:
    """Say in an empty panel why it is empty."""
    axes.text(0.5, 0.5, text, ha="center", va="center", transform=axes.transAxes, color=PALETTE["grey"])
    axes.set_xticks([])
    axes.set_yticks([])
    axes.grid(False)
