"""Rollout diagnosis: reward errors of every verifier by language, for any model and set of languages.

The protocol follows "Multilingual Verifier Bias in RLVR" (Algorithm 1): a policy, its prompts by language,
k samples a prompt, a verifier under audit, and a trusted reward.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from reasonaudit.analysis.displayed_rates import displayed_spread, half_up
from reasonaudit.analysis.language_bias import (
    BIASES,
    MANY_DROPPED,
    RATES,
    biases,
    bootstrap_rates,
    contrasts,
    dominant_mode,
    permuted_rates,
    rates_of,
)
from reasonaudit.analysis.resampling import percentile_interval
from reasonaudit.analysis.verdict_counts import (
    Counts,
    N,
    count_verdicts,
    judged_by_audit,
)
from reasonaudit.seeds import derive_seed
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.reward_errors import REWARD_ERROR_CONTRASTS, REWARD_ERRORS, REWARD_ERRORS_DISPLAYED
from reasonaudit.tables.verdicts import VERDICTS

VLB = "VLB"
PROFILE = "profile"
Paths = str | Path | Iterable[str | Path]


def measure_reward_errors(
    *,
    questions: Paths,
    answers: Paths,
    verdicts: Paths,
    errors: str | Path,
    contrasts_to: str | Path,
    displayed: str | Path,
    problem_sets: Mapping[str, Sequence[str]],
    method: str,
    verifiers: Sequence[str],
    trusted: str,
    seed: int,
    resamples: int = 4000,
    permutations: int = 4000,
    confidence: float = 0.95,
    flag_fnr: float = 0.3,
    flag_vlb: float = 0.2,
) -> None:
    """Read graded samples, write reward_errors, reward_error_contrasts and reward_errors_displayed.

    Args:
        problem_sets: name -> data sets that hold the same problems, one language each.
        method: whose samples are audited.
        verifiers: under audit; ``trusted`` names the reference and needs not be among them.
        flag_fnr, flag_vlb: a language is flagged if its FNR and the VLB of the FNR exceed these.

    Raises:
        DataError: missing answers or verdicts.
    """
    profile_rows, contrast_rows = [], []
    for problem_set, model, verifier, judged in judged_by_audit(
        questions=read_frame(questions, QUESTIONS),
        answers=read_frame(answers, ANSWERS),
        verdicts=read_frame(verdicts, VERDICTS),
        problem_sets=problem_sets,
        method=method,
        verifiers=verifiers,
        trusted=trusted,
    ):
        audit = {"problem_set": problem_set, "model": model, "method": method, "verifier": verifier}
        counts = count_verdicts(judged)
        # One seed a model: every verifier sees the same resamples and permutations.
        draws = bootstrap_rates(
            counts, resamples=resamples, seed=derive_seed(seed, "bootstrap", problem_set, model)
        )
        permuted = permuted_rates(
            counts, permutations=permutations, seed=derive_seed(seed, "permutation", problem_set, model)
        )
        rows = profile(counts, draws, permuted, confidence=confidence, flag_fnr=flag_fnr, flag_vlb=flag_vlb)
        profile_rows += [{**audit, **row} for row in rows]
        contrast_rows += [
            {**audit, **row} for rate in BIASES for row in _contrast_rows(counts, draws, rate, confidence)
        ]
    write_table(errors, profile_rows, REWARD_ERRORS)
    write_table(contrasts_to, contrast_rows, REWARD_ERROR_CONTRASTS)
    write_table(displayed, displayed_view(profile_rows), REWARD_ERRORS_DISPLAYED)


def profile(
    counts: Counts,
    draws: dict[str, np.ndarray],
    permuted: dict[str, np.ndarray] | None = None,
    *,
    confidence: float = 0.95,
    flag_fnr: float = 0.3,
    flag_vlb: float = 0.2,
) -> list[dict]:
    """Rows of reward_errors without their keys: one a language, and one VLB row a rate."""
    observed = rates_of(counts.totals)
    bias = biases(counts, draws, permuted, confidence)
    limits = {rate: percentile_interval(draws[rate], confidence) for rate in RATES}
    undefined_draws = sum(np.isnan(draws[rate]) for rate in RATES) > 0
    vlb = bias["fnr"].value
    rows = []
    for place, language in enumerate(counts.languages):
        n, correct, missed, granted = (int(value) for value in counts.totals[place])
        dropped = int(undefined_draws[:, place].sum())
        row = {
            "language": language,
            "metric": PROFILE,
            **_count_columns(n, correct, missed, granted),
            "problems": int((counts.cells[:, place, N] > 0).sum()),
            "timed_out": int(counts.timed_out[place]),
            "fn_mass": missed / n if n else None,
            "fp_mass": granted / n if n else None,
            "flagged": bool(observed["fnr"][place] > flag_fnr and vlb > flag_vlb),
            "undefined": ", ".join(rate for rate in RATES if np.isnan(observed[rate][place])) or None,
            "dropped_resamples": dropped,
            "many_dropped": dropped > MANY_DROPPED * len(undefined_draws),
        }
        for rate in RATES:
            row[rate] = _number(observed[rate][place])
            row[f"{rate}_low"], row[f"{rate}_high"] = (_number(limit[place]) for limit in limits[rate])
        rows.append(row)
    n, correct, missed, granted = (int(value) for value in counts.totals.sum(axis=0))
    for rate in BIASES:
        found = bias[rate]
        unknown = [
            code for code, value in zip(counts.languages, observed[rate], strict=True) if np.isnan(value)
        ]
        rows.append(
            {
                "language": VLB,
                "metric": rate,
                **_count_columns(n, correct, missed, granted),
                "problems": int((counts.cells[:, :, N].sum(axis=1) > 0).sum()),
                "timed_out": int(counts.timed_out.sum()),
                "fn_mass": missed / n if n else None,
                "fp_mass": granted / n if n else None,
                rate: _number(found.value),
                f"{rate}_low": _number(found.low),
                f"{rate}_high": _number(found.high),
                # Names the languages that the rate is undefined in and that VLB therefore leaves out.
                "undefined": ", ".join(unknown) or None,
                "null_mean": _number(found.null_mean),
                "p_permutation": _number(found.p),
                "permutations": found.permutations,
                "highest_language": found.highest,
                "lowest_language": found.lowest,
                "dropped_resamples": found.dropped,
                "many_dropped": found.dropped > MANY_DROPPED * len(undefined_draws),
            }
        )
    return rows


def displayed_view(rows: Iterable[Mapping]) -> list[dict]:
    """Rows of reward_errors_displayed from rows of reward_errors (their counts, not their rates)."""
    audits: dict[tuple, list[dict]] = {}
    for row in rows:
        if row["metric"] != PROFILE:
            continue
        key = {name: row[name] for name in ("problem_set", "model", "method", "verifier")}
        n, correct = row["n"], row["trusted_correct"]
        missed, granted = row["false_negatives"], row["false_positives"]
        audits.setdefault(tuple(key.values()), []).append(
            {
                **key,
                "language": row["language"],
                "trusted_accuracy": half_up(correct, n),
                "fnr": half_up(missed, correct),
                "fpr": half_up(granted, n - correct),
                "err": half_up(missed + granted, n),
            }
        )
    shown = []
    for languages in audits.values():
        gap = {
            rate: displayed_spread(row[rate] for row in languages)
            for rate in ("trusted_accuracy", "fnr", "fpr", "err")
        }
        shown += [*languages, {**languages[0], "language": VLB, **gap}]
    return shown


def _count_columns(n: int, correct: int, missed: int, granted: int) -> dict:
    return {
        "n": n,
        "trusted_correct": correct,
        "false_negatives": missed,
        "false_positives": granted,
        "dominant_mode": dominant_mode(missed, granted),
    }


def _contrast_rows(counts: Counts, draws: dict[str, np.ndarray], rate: str, confidence: float) -> list[dict]:
    return [
        {
            "metric": rate,
            "language": found.language,
            "other_language": found.other,
            "difference": found.difference,
            "standard_error": _number(found.standard_error),
            "low": _number(found.low),
            "high": _number(found.high),
            "p_max_t": found.p,
            "dropped_resamples": found.dropped,
        }
        for found in contrasts(counts, draws, rate, confidence)
    ]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
