"""False-negative rate by language: one panel a verifier, one series a model."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.figures.style import (
    colour_of,
    empty_note,
    language_name,
    marker_of,
    new_figure,
    percent_axis,
    readable_name,
    save_figure,
)
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.reward_errors import REWARD_ERRORS


def draw_fnr_by_language(
    *, reward_errors: str | Path, paths: Sequence[str | Path], problem_set: str | None = None
) -> None:
    """Draw reward_errors (one problem set; None takes the first) to ``paths``."""
    frame = read_frame(reward_errors, REWARD_ERRORS)
    frame = frame[frame["metric"] == "profile"]
    chosen = problem_set or (sorted(set(frame["problem_set"])) or [None])[0]
    frame = frame[frame["problem_set"] == chosen]
    models, verifiers = (sorted(set(frame[name])) for name in ("model", "verifier"))
    languages = sorted(set(frame["language"]))
    columns = min(3, max(1, len(verifiers)))
    rows = max(1, -(-len(verifiers) // columns))
    width = max(2.6, 0.9 + 0.42 * len(languages)) * columns
    figure, axes = new_figure(max(width, 4.2), 2.5 * rows + 0.5, rows, columns, sharey=True)
    for place, panel in enumerate(axes):
        if place >= len(verifiers):
            panel.set_axis_off()
            if not verifiers:
                panel.set_axis_on()
                empty_note(panel, "no verifier was audited")
            continue
        of_verifier = frame[frame["verifier"] == verifiers[place]]
        for model in models:
            _series(panel, of_verifier[of_verifier["model"] == model], model, models, languages)
        panel.set_title(readable_name(verifiers[place]))
        panel.set_xticks(range(len(languages)), languages)
        panel.set_xlim(-0.5, len(languages) - 0.5)
        panel.set_ylim(-0.03, 1.03)
        panel.axhline(0.3, color="#7F7F7F", linewidth=0.8, linestyle=":")
        percent_axis(panel.yaxis)
        if place % columns == 0:
            panel.set_ylabel("FNR (of right answers)")
        if place >= len(verifiers) - columns:
            panel.set_xlabel("language of the question")
    if models:
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(models)))
    spoken = ", ".join(f"{code} {language_name(code)}" for code in languages)
    figure.suptitle(f"False-negative rate by language, {chosen} ({spoken})" if languages else "", fontsize=9)
    save_figure(figure, paths)


def _series(panel, rows: pd.DataFrame, model: str, models: Sequence[str], languages: Sequence[str]) -> None:
    rows = rows.set_index("language").reindex(languages)
    offset = (list(models).index(model) - (len(models) - 1) / 2) * min(0.16, 0.7 / max(len(models), 1))
    x = np.arange(len(languages)) + offset
    y = rows["fnr"].astype(float).to_numpy()
    below = y - rows["fnr_low"].astype(float).to_numpy()
    above = rows["fnr_high"].astype(float).to_numpy() - y
    panel.errorbar(
        x,
        y,
        yerr=np.clip(np.nan_to_num(np.vstack([below, above])), 0, None),
        fmt=marker_of(model, models),
        color=colour_of(model, models),
        elinewidth=1,
        capsize=2,
        linestyle="none",
        label=model,
    )
    for place in np.flatnonzero(np.isnan(y)):
        # An undefined rate is not zero: say so where its marker would stand.
        panel.text(
            x[place], 0.02, "n/a", fontsize=6, ha="center", color=colour_of(model, models), rotation=90
        )
