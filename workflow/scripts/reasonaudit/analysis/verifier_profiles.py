"""One profile per model and verifier: what is wrong, where, and what to do first, in words and columns.

The order of the remedies is that of "Multilingual Verifier Bias in RLVR": first the answer interface (how
the final answer is written and parsed), then selection among the samples.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from reasonaudit.analysis.reward_errors import PROFILE, VLB
from reasonaudit.tables.false_negative_causes import FALSE_NEGATIVE_CAUSES
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.reward_errors import AUDIT_KEY, REWARD_ERRORS
from reasonaudit.tables.selection import SELECTION
from reasonaudit.tables.verifier_profiles import VERIFIER_PROFILES

INTERFACE, SELECT, STRICTER, NOTHING, NO_DATA = (
    "interface",
    "selection",
    "stricter_verifier",
    "none",
    "no_data",
)
# A reward error below this share of samples is not worth a change of interface.
NEGLIGIBLE_ERROR = 0.01


def profile_verifiers(
    *, errors: str | Path, causes: str | Path, profiles: str | Path, selection: str | Path | None = None
) -> None:
    """Read the tables of the study, write verifier_profiles; without selection it is not advised."""
    measured = read_frame(errors, REWARD_ERRORS)
    explained = read_frame(causes, FALSE_NEGATIVE_CAUSES)
    selected = read_frame([] if selection is None else selection, SELECTION)
    write_table(profiles, profile_rows(measured, explained, selected), VERIFIER_PROFILES)


def profile_rows(errors: pd.DataFrame, causes: pd.DataFrame, selection: pd.DataFrame) -> list[dict]:
    """Rows of verifier_profiles."""
    rows = []
    for key, of_audit in errors.groupby(list(AUDIT_KEY), sort=True):
        audit = dict(zip(AUDIT_KEY, key, strict=True))
        languages = of_audit[of_audit["metric"] == PROFILE].sort_values("language")
        bias = of_audit[of_audit["language"] == VLB].set_index("metric")
        mine = _matching(causes, audit)
        reported = _matching(selection, {name: audit[name] for name in AUDIT_KEY[:3]})
        reported = reported[reported["reported"].astype(bool) & (reported["language"] == "all")]
        rows.append({**audit, **_profile(audit["verifier"], languages, bias, mine, reported)})
    return rows


def _profile(
    verifier: str,
    languages: pd.DataFrame,
    bias: pd.DataFrame,
    causes: pd.DataFrame,
    reported: pd.DataFrame,
) -> dict:
    flagged = languages.loc[languages["flagged"].fillna(False).astype(bool), "language"].tolist()
    known = languages[languages["fnr"].notna()]
    worst = known.loc[known["fnr"].idxmax()] if (known["fnr"] > 0).any() else None
    row = {
        "languages": ", ".join(languages["language"]),
        "n": int(languages["n"].sum()),
        "dominant_mode": bias.loc["err", "dominant_mode"],
        "worst_language": None if worst is None else worst["language"],
        "worst_fnr": _number(known["fnr"].max()),
        **{f"vlb_fnr{part}": _number(bias.loc["fnr", f"fnr{part}"]) for part in ("", "_low", "_high")},
        "p_vlb_fnr": _number(bias.loc["fnr", "p_permutation"]),
        "vlb_fpr": _number(bias.loc["fpr", "fpr"]),
        **{f"vlb_err{part}": _number(bias.loc["err", f"err{part}"]) for part in ("", "_low", "_high")},
        "p_vlb_err": _number(bias.loc["err", "p_permutation"]),
        "flagged_languages": ", ".join(flagged) or None,
        **_main_cause(causes, None if worst is None else worst["language"]),
    }
    if len(reported):
        row["selection_opportunities"] = int(reported["opportunities"].iloc[0])
        row["selection_gap_closed"] = _number(reported["gap_closed"].iloc[0])
    mass = float(bias.loc["err", "fn_mass"] + bias.loc["err", "fp_mass"]) if row["n"] else 0.0
    row["next_step"] = next_step(
        samples=row["n"],
        flagged=flagged,
        dominant_mode=row["dominant_mode"],
        error_share=mass,
        opportunities=row.get("selection_opportunities", 0),
        gap_closed=row.get("selection_gap_closed"),
    )
    row["sentence"] = sentence(verifier, row, languages)
    return row


def next_step(
    *,
    samples: int,
    flagged: Sequence[str],
    dominant_mode: str,
    error_share: float,
    opportunities: int,
    gap_closed: float | None,
) -> str:
    """What to do first.

    A verifier that mostly grants undeserved rewards needs a stricter one. Otherwise the answer interface
    comes first wherever a language is flagged or errors are more than negligible, then selection where the
    siblings recover some of the gap.
    """
    if not samples:
        return NO_DATA
    if dominant_mode == "false_positive" and error_share > NEGLIGIBLE_ERROR:
        return STRICTER
    if flagged or error_share > NEGLIGIBLE_ERROR:
        return INTERFACE
    if opportunities and gap_closed is not None and gap_closed > 0:
        return SELECT
    return NOTHING


def sentence(verifier: str, row: Mapping, languages: pd.DataFrame) -> str:
    """The profile in words."""
    if not row["n"]:
        return f"{verifier}: no sample has a verdict, so nothing can be said."
    parts = [_what(verifier, row), _where(row, languages), _cause(row), _advice(row)]
    return " ".join(part for part in parts if part)


def _what(verifier: str, row: Mapping) -> str:
    if row["dominant_mode"] == "none":
        return f"{verifier} agrees with the trusted reward on all {row['n']} samples."
    kinds = {
        "false_negative": "mostly withholds deserved rewards (false negatives)",
        "false_positive": "mostly grants undeserved rewards (false positives)",
        "both": "withholds deserved and grants undeserved rewards equally often",
    }
    return f"{verifier} {kinds[row['dominant_mode']]}."


def _where(row: Mapping, languages: pd.DataFrame) -> str:
    undefined = languages.loc[languages["fnr"].isna(), "language"].tolist()
    unknown = f"No sample is right in {', '.join(undefined)}, so FNR is undefined there." if undefined else ""
    if row["worst_language"] is None or row["dominant_mode"] == "none":
        return unknown
    text = f"Its FNR is highest in {row['worst_language']} ({row['worst_fnr']:.3f})"
    if row["vlb_fnr"] is not None:
        text += f", with VLB(FNR) {row['vlb_fnr']:.3f}"
        if row["vlb_fnr_low"] is not None:
            text += f" [{row['vlb_fnr_low']:.3f}, {row['vlb_fnr_high']:.3f}]"
        if row["p_vlb_fnr"] is not None:
            text += f", permutation p {row['p_vlb_fnr']:.2g}"
    text += "."
    if row["flagged_languages"]:
        text += f" Flagged: {row['flagged_languages']}."
    return f"{text} {unknown}".strip()


def _cause(row: Mapping) -> str:
    if row["main_cause"] is None:
        return ""
    text = (
        f'There, the form "{row["main_cause"].replace("_", " ")}" accounts for '
        f"{row['main_cause_share']:.0%} of the false negatives"
    )
    if row["readmitted_share"]:
        text += f", and {row['readmitting_verifier']} would readmit {row['readmitted_share']:.0%}"
    return text + "."


def _advice(row: Mapping) -> str:
    advice = {
        INTERFACE: "First fix the answer interface: ask for a bare number"
        + (f", or fall back on {row['readmitting_verifier']}" if _readmits_most(row) else ""),
        STRICTER: "First use a stricter verifier: it rewards wrong answers",
        SELECT: "The rewards are sound; next use the sibling languages to select among the samples",
        NOTHING: "Nothing needs to change",
    }[row["next_step"]]
    opportunities = row.get("selection_opportunities")
    closed = row.get("selection_gap_closed")
    if row["next_step"] in (INTERFACE, STRICTER) and opportunities and closed is not None and closed > 0:
        advice += f"; then select across languages, which closes {closed:.0%} of the gap to the ceiling"
    elif row["next_step"] == SELECT:
        advice += f", which closes {closed:.0%} of the gap to the ceiling"
    return advice + "."


def _readmits_most(row: Mapping) -> bool:
    return (row["readmitted_share"] or 0) > 0.5


def _main_cause(causes: pd.DataFrame, language: str | None) -> dict:
    here = causes[causes["language"] == language] if language is not None else causes.iloc[:0]
    total, single = here[here["cause"] == "all"], here[here["cause"] != "all"]
    if single.empty:
        return dict.fromkeys(("main_cause", "main_cause_share", "readmitting_verifier", "readmitted_share"))
    first = single.sort_values(["count", "cause"], ascending=[False, True]).iloc[0]
    return {
        "main_cause": first["cause"],
        "main_cause_share": float(first["share"]),
        "readmitting_verifier": _text(total["readmitting_verifier"].iloc[0]),
        "readmitted_share": _number(total["readmitted_share"].iloc[0]),
    }


def _matching(frame: pd.DataFrame, values: Mapping[str, str]) -> pd.DataFrame:
    for name, value in values.items():
        frame = frame[frame[name] == value]
    return frame


def _number(value) -> float | None:
    return None if pd.isna(value) else float(value)


def _text(value) -> str | None:
    return None if pd.isna(value) else str(value)
