"""Study 3 in words: the profiles, what selection recovers, and what the robustness battery shows."""

from pathlib import Path

import pandas as pd

from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.selection import SELECTION
from reasonaudit.tables.verifier_profiles import VERIFIER_PROFILES
from reasonaudit.tables.verifier_suite import VERIFIER_SUITE


def write_verifier_summary(
    *,
    suite: str | Path,
    summary: str | Path,
    profiles: str | Path | None = None,
    selection: str | Path | None = None,
) -> None:
    """Write a Markdown text from the tables of the study; parts that were not configured are left out."""
    lines = ["# Verifiers by language", ""]
    if profiles is not None:
        lines += _profiles(read_frame(profiles, VERIFIER_PROFILES))
    if selection is not None:
        lines += _selection(read_frame(selection, SELECTION))
    lines += _suite(read_frame(suite, VERIFIER_SUITE))
    path = Path(summary)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8")


def _profiles(frame: pd.DataFrame) -> list[str]:
    lines = []
    for (problem_set, model), rows in frame.groupby(["problem_set", "model"], sort=True):
        lines += [f"## {model} on {problem_set} ({rows['languages'].iloc[0]})", ""]
        lines += [f"- {sentence}" for sentence in rows["sentence"]]
        lines.append("")
    return lines


def _selection(frame: pd.DataFrame) -> list[str]:
    lines = ["## Selection across languages", ""]
    for (problem_set, model), rows in frame.groupby(["problem_set", "model"], sort=True):
        whole = rows[rows["language"] == "all"]
        local = whole[whole["rule"] == "local_majority"].iloc[0]
        best = whole[whole["reported"].astype(bool)].iloc[0]
        lines.append(
            f"- {model} on {problem_set}: accuracy {local['accuracy']:.3f} by local majority, "
            f"{best['accuracy']:.3f} with the support of sibling languages (difference "
            f"{best['difference']:+.3f} [{best['difference_low']:+.3f}, {best['difference_high']:+.3f}]), "
            f"ceiling {best['ceiling']:.3f}. Fixed {best['fixed']} of {best['opportunities']} opportunities "
            f"against {best['regressions']} regressions (sign test p {best['p_sign']:.2g}); "
            f"{best['fixed_cross_lingual']} of the fixes need the siblings. "
            f"Borrowed answers: {best['borrowed']}."
        )
    return [*lines, ""]


def _suite(frame: pd.DataFrame) -> list[str]:
    """One line a verifier: errors over all items, by whether it got the answer or the reply."""
    frame = frame[(frame["scope"] == "all") & (frame["language"] == "VLB")]
    lines = [
        "## Robustness battery",
        "",
        "| verifier | given | items | FNR | FPR | VLB(Err) | highest Err in | timed out |",
        "| :-- | :-- | --: | --: | --: | --: | :-- | --: |",
    ]
    for row in frame.sort_values(["given", "verifier"]).itertuples():
        right, wrong = row.n_correct, row.n - row.n_correct
        lines.append(
            f"| {row.verifier} | {row.given} | {row.n} | {_share(row.false_negatives, right)} | "
            f"{_share(row.false_positives, wrong)} | {_number(row.err)} | "
            f"{'' if pd.isna(row.highest_err_language) else row.highest_err_language} | {row.timed_out} |"
        )
    return [*lines, ""]


def _share(count: int, of: int) -> str:
    return f"{count / of:.3f}" if of else ""


def _number(value: float) -> str:
    return "" if pd.isna(value) else f"{value:.3f}"
