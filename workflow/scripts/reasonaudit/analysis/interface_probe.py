"""Format artefact against capability: the same problems under an ordinary and a plain-numeric prompt.

Within one condition the gap in mean reward between the best and the worst language is split exactly:
reward(l) = trusted accuracy(l) - P(false negative, l) + P(false positive, l), so the gap is the difference
in trusted accuracy (capability) plus the difference in reward error (format). Between the conditions, what
the plain prompt removes from VLB(err) is the format artefact, and the accuracy gap that remains under it is
the capability difference.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.displayed_rates import displayed_difference, displayed_spread, half_up
from reasonaudit.analysis.language_bias import rates_of, spread
from reasonaudit.analysis.resampling import divide, percentile_interval, resampled_sums
from reasonaudit.analysis.verdict_counts import (
    CORRECT,
    FALSE_NEGATIVE,
    FALSE_POSITIVE,
    Counts,
    N,
    count_verdicts,
    pooled_samples,
    with_verdicts,
)
from reasonaudit.errors import DataError
from reasonaudit.seeds import derive_seed
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.interface_probe import INTERFACE_PROBE
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.verdicts import VERDICTS

ORDINARY, PLAIN, CHANGE = "ordinary", "plain_numeric", "change"
SPREADS = ("average_accuracy", "accuracy_gap", "vlb_err", "vlb_fnr")
Paths = str | Path | Iterable[str | Path]


def probe_interface(
    *,
    questions: Paths,
    answers: Paths,
    verdicts: Paths,
    probe: str | Path,
    probes: Sequence[Mapping],
    verifiers: Sequence[str],
    trusted: str,
    seed: int,
    resamples: int = 4000,
    confidence: float = 0.95,
) -> None:
    """Read graded samples of both conditions, write interface_probe.

    Args:
        probes: each {name, ordinary: {datasets, method}, plain_numeric: {datasets, method}}; the two
            conditions differ in the data sets, in the method, or in both.

    Raises:
        DataError: the two conditions share no problem.
    """
    asked, given = read_frame(questions, QUESTIONS), read_frame(answers, ANSWERS)
    stored = read_frame(verdicts, VERDICTS)
    rows = []
    for entry in probes:
        judged = {}
        for condition in (ORDINARY, PLAIN):
            samples = pooled_samples(
                asked,
                given,
                datasets=entry[condition]["datasets"],
                method=entry[condition]["method"],
                problem_set=entry["name"],
            )
            judged[condition] = with_verdicts(samples, stored, trusted=trusted)
        models = sorted(set(judged[ORDINARY]["model"]) & set(judged[PLAIN]["model"]))
        for model in models:
            for verifier in verifiers:
                pair = {
                    condition: frame[(frame["model"] == model) & (frame["verifier"] == verifier)]
                    for condition, frame in judged.items()
                }
                found = probe_rows(
                    pair[ORDINARY],
                    pair[PLAIN],
                    seed=derive_seed(seed, "interface_probe", entry["name"], model),
                    resamples=resamples,
                    confidence=confidence,
                )
                keys = {"probe": entry["name"], "model": model, "verifier": verifier}
                rows += [{**keys, **row} for row in found]
    write_table(probe, rows, INTERFACE_PROBE)


def probe_rows(
    ordinary: pd.DataFrame, plain: pd.DataFrame, *, seed: int, resamples: int, confidence: float = 0.95
) -> list[dict]:
    """Rows of interface_probe without their keys, for one model and verifier.

    Args:
        ordinary, plain: rows of ``with_verdicts``. Only problems and languages that both conditions have
            are compared, and both are resampled together.

    Raises:
        DataError: nothing is shared.
    """
    shared = set(ordinary["parallel_id"]) & set(plain["parallel_id"])
    languages = set(ordinary["language"]) & set(plain["language"])
    kept = [
        frame[frame["parallel_id"].isin(shared) & frame["language"].isin(languages)]
        for frame in (ordinary, plain)
    ]
    if any(frame.empty for frame in kept):
        raise DataError(
            "the two prompts of an interface probe share no problem",
            hint="both conditions need the same parallel_id values",
        )
    counts = [count_verdicts(frame) for frame in kept]
    draws = _joint_draws(counts, seed, resamples)
    rows = [
        _condition_row(condition, count, draw, frame, confidence)
        for condition, count, draw, frame in zip((ORDINARY, PLAIN), counts, draws, kept, strict=True)
    ]
    return [*rows, _change_row(rows, draws, confidence)]


def summaries_of(rates: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Average accuracy, accuracy gap, VLB(err) and VLB(fnr) over the last axis (languages)."""
    return {
        "average_accuracy": rates["trusted_accuracy"].mean(axis=-1),
        "accuracy_gap": spread(rates["trusted_accuracy"]),
        "vlb_err": spread(rates["err"]),
        "vlb_fnr": spread(rates["fnr"]),
    }


def _joint_draws(counts: Sequence[Counts], seed: int, resamples: int) -> list[dict[str, np.ndarray]]:
    problems, languages = counts[0].present.shape
    both = np.concatenate([count.cells.reshape(problems, -1) for count in counts], axis=1)
    strata = np.unique(counts[0].present, axis=0, return_inverse=True)[1].reshape(-1)
    sums = resampled_sums(both, resamples=resamples, seed=seed, strata=strata)
    sums = sums.reshape(resamples, 2, languages, 4)
    return [summaries_of(rates_of(sums[:, place])) for place in range(2)]


def _condition_row(
    condition: str, counts: Counts, draws: Mapping[str, np.ndarray], frame: pd.DataFrame, confidence: float
) -> dict:
    rates = rates_of(counts.totals)
    found = summaries_of(rates)
    reward = rates["trusted_accuracy"] + _signed_error(counts)
    best, worst = int(np.argmax(reward)), int(np.argmin(reward))
    capability = float(rates["trusted_accuracy"][best] - rates["trusted_accuracy"][worst])
    gap = float(reward[best] - reward[worst])
    row = {
        "condition": condition,
        "records": len(frame),
        "problems": len(counts.problems),
        "failures": int(counts.timed_out.sum()) + int((~frame["readable"].astype(bool)).sum()),
        "record_weighted_accuracy": _number(
            divide(counts.totals[:, CORRECT].sum(), counts.totals[:, N].sum())
        ),
        "reward_gap": gap,
        "capability_part": capability,
        "format_part": gap - capability,
        "best_language": counts.languages[best],
        "worst_language": counts.languages[worst],
        "dropped_resamples": _dropped(draws),
        **_displayed(counts),
    }
    for name in SPREADS:
        low, high = percentile_interval(draws[name], confidence)
        row |= {name: _number(found[name]), f"{name}_low": _number(low), f"{name}_high": _number(high)}
    return row


def _change_row(
    rows: Sequence[Mapping], draws: Sequence[Mapping[str, np.ndarray]], confidence: float
) -> dict:
    """Ordinary minus plain-numeric, by the same resamples of the shared problems."""
    ordinary, plain = rows
    row = {
        "condition": CHANGE,
        "records": ordinary["records"] + plain["records"],
        "problems": ordinary["problems"],
        "failures": ordinary["failures"] + plain["failures"],
        "reward_gap": ordinary["reward_gap"] - plain["reward_gap"],
        "capability_part": ordinary["capability_part"] - plain["capability_part"],
        "format_part": ordinary["format_part"] - plain["format_part"],
    }
    dropped = np.zeros(len(draws[0]["vlb_fnr"]), dtype=bool)
    for name in SPREADS:
        difference = draws[0][name] - draws[1][name]
        dropped |= np.isnan(difference)
        low, high = percentile_interval(difference, confidence)
        values = (ordinary[name], plain[name])
        row |= {
            name: None if None in values else values[0] - values[1],
            f"{name}_low": _number(low),
            f"{name}_high": _number(high),
        }
    for name in ("displayed_accuracy_gap", "displayed_vlb_err", "displayed_vlb_fnr"):
        values = (ordinary[name], plain[name])
        row[name] = None if None in values else displayed_difference(*values)
    return {**row, "dropped_resamples": int(dropped.sum())}


def _signed_error(counts: Counts) -> np.ndarray:
    """P(false positive) - P(false negative) by language."""
    totals = counts.totals
    return divide(totals[:, FALSE_POSITIVE] - totals[:, FALSE_NEGATIVE], totals[:, N])


def _displayed(counts: Counts) -> dict:
    totals = [tuple(int(value) for value in row) for row in counts.totals]
    return {
        "displayed_accuracy_gap": displayed_spread(half_up(c, n) for n, c, _, _ in totals),
        "displayed_vlb_err": displayed_spread(half_up(fn + fp, n) for n, _, fn, fp in totals),
        "displayed_vlb_fnr": displayed_spread(half_up(fn, c) for _, c, fn, _ in totals),
    }


def _dropped(draws: Mapping[str, np.ndarray]) -> int:
    return int(sum(np.isnan(draws[name]) for name in SPREADS).astype(bool).sum())


def _number(value) -> float | None:
    return None if np.isnan(value) else float(value)
