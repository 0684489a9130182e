"""The robustness battery: error of every verifier by form of the answer, and by language."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap

from reasonaudit.figures.style import (
    PALETTE,
    empty_note,
    language_name,
    new_figure,
    readable_name,
    save_figure,
)
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.verifier_suite import VERIFIER_SUITE, VERIFIER_SUITE_VARIANTS

_SHADES = LinearSegmentedColormap.from_list("error", ["#FFFFFF", PALETTE["orange"], PALETTE["vermillion"]])
_FAMILIES = ("correct", "format", "near_miss")


def draw_suite_errors(
    *, verifier_suite: str | Path, verifier_suite_variants: str | Path, paths: Sequence[str | Path]
) -> None:
    """Draw verifier_suite and verifier_suite_variants to ``paths``: forms left, languages right."""
    by_language = read_frame(verifier_suite, VERIFIER_SUITE)
    by_form = read_frame(verifier_suite_variants, VERIFIER_SUITE_VARIANTS)
    verifiers = sorted(set(by_language["verifier"]))
    if not verifiers:
        figure, axes = new_figure(4, 3)
        empty_note(axes[0], "no verifier was scored")
        save_figure(figure, paths)
        return
    forms = _by_form(by_form[by_form["given"] == "answer"])[verifiers]
    languages = by_language[(by_language["scope"] == "all") & (by_language["language"] != "VLB")]
    figure, axes = new_figure(
        5.2 + 0.9 * len(verifiers), 1.2 + 0.135 * len(forms), 1, 2, width_ratios=[1.1, 1]
    )
    image = _grid(axes[0], forms, [variant.replace("_", " ") for _, variant in forms.index], 6)
    axes[0].set_title("form of the bare answer", fontsize=9)
    for row in range(1, len(forms)):
        if forms.index[row][0] != forms.index[row - 1][0]:
            axes[0].axhline(row - 0.5, color=PALETTE["black"], linewidth=1)
    both = pd.concat({given: _by_language(languages, given)[verifiers] for given in ("answer", "reply")})
    _grid(axes[1], both, [f"{language_name(code)}, {_GIVEN[given]}" for given, code in both.index], 8)
    axes[1].axhline(len(both) / 2 - 0.5, color=PALETTE["black"], linewidth=1)
    axes[1].set_title("language", fontsize=9)
    bar = figure.colorbar(image, ax=axes, location="bottom", shrink=0.4, aspect=40, pad=0.01)
    bar.set_label("share of items judged against their label")
    save_figure(figure, paths)


_GIVEN = {"answer": "bare answer", "reply": "whole reply"}


def _by_form(rows: pd.DataFrame) -> pd.DataFrame:
    """(family, variant) x verifier, families in order."""
    sums = rows.groupby(["family", "variant", "verifier"])[["errors", "n", "timed_out"]].sum()
    share = (sums["errors"] / (sums["n"] - sums["timed_out"]).replace(0, np.nan)).unstack("verifier")
    return share.reindex(index=[key for family in _FAMILIES for key in share.index if key[0] == family])


def _by_language(rows: pd.DataFrame, given: str) -> pd.DataFrame:
    return rows[rows["given"] == given].pivot(index="language", columns="verifier", values="err")


def _grid(panel, values: pd.DataFrame, names: Sequence[str], size: int):
    data = values.astype(float).to_numpy()
    image = panel.imshow(data, aspect="auto", cmap=_SHADES, vmin=0, vmax=1, interpolation="nearest")
    panel.set_yticks(range(len(names)), names, fontsize=size)
    panel.set_xticks(
        range(data.shape[1]), [readable_name(name) for name in values.columns], rotation=40, ha="left"
    )
    panel.tick_params(axis="x", top=True, bottom=False, labeltop=True, labelbottom=False, labelsize=8)
    panel.grid(False)
    for row, column in np.ndindex(*data.shape):
        value = data[row, column]
        text = "-" if np.isnan(value) else f"{value:.0f}" if value in (0, 1) else f"{value:.2f}"
        panel.text(column, row, text, ha="center", va="center", fontsize=size - 1)
    return image
