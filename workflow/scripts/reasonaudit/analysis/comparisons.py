"""A method against repeated sampling at the method's own cost, paired by question.

With m_i the method's outcome on question i and A_i(N) the probability that the majority of N chains is right,
d_i = m_i - sum_N w_N A_i(N), where the weights w match the mean cost (``matching``). Runs are averaged within
a question before anything else, so questions are the unit of resampling.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from reasonaudit.analysis.matching import match_cost, mixture, rematched_baseline
from reasonaudit.analysis.multiplicity import holm_by_family
from reasonaudit.analysis.paired_tests import paired_t_p, wilson_interval
from reasonaudit.analysis.resampling import (
    divide,
    percentile_interval,
    resampled_sums,
    two_sided_p,
    variance,
)
from reasonaudit.analysis.setting import Curve, MethodData, Setting, mean_tokens
from reasonaudit.seeds import derive_seed

OTHER_FAMILY = "added"  # methods that the config puts in no family
P_DISAGREEMENT = "p_disagreement"
Z_HALF = 1.96  # times the standard error: detected in half of all studies
Z_80 = 2.80  # detected in 80%


@dataclass(frozen=True)
class Draws:
    """Everything about one setting in every resample of its questions (all arrays start with B).

    Attributes:
        curve: (B, K) mean accuracy of N chains.
        chain: cost basis -> (B,) mean cost of a chain.
        accuracy: method -> (B,); cost: (method, basis) -> (B,).
    """

    curve: np.ndarray
    chain: Mapping[str, np.ndarray]
    accuracy: Mapping[str, np.ndarray]
    cost: Mapping[tuple[str, str], np.ndarray]


def resample_setting(
    setting: Setting, curve: Curve, *, of_dataset: Sequence[str], resamples: int, seed: int
) -> Draws:
    """Resample the questions of a setting.

    The resamples are those of the data set's questions (``of_dataset``), so that all models share them;
    a question that this setting has dropped counts for nothing.
    """
    columns: dict[tuple, np.ndarray] = {("present",): np.ones(len(setting.questions))}
    size = curve.accuracy.shape[2]
    mean_curve = curve.accuracy.mean(axis=0)
    columns |= {("curve", i): mean_curve[:, i] for i in range(size)}
    for basis in setting.pool.tokens:
        columns["chain", basis] = mean_tokens(setting.pool, basis)
    for name, data in setting.methods.items():
        columns["accuracy", name] = data.correct.mean(axis=0)
        for basis in data.tokens:
            columns["cost", name, basis] = mean_tokens(data, basis)
    place = {question: i for i, question in enumerate(of_dataset)}
    totals = np.zeros((len(of_dataset), len(columns)))
    totals[[place[q] for q in setting.questions]] = np.column_stack(list(columns.values()))
    sums = resampled_sums(totals, resamples=resamples, seed=seed)
    means = divide(sums, sums[:, :1])
    drawn = dict(zip(columns, means.T, strict=True))
    return Draws(
        curve=means[:, 1 : size + 1],
        chain={key[1]: draw for key, draw in drawn.items() if key[0] == "chain"},
        accuracy={key[1]: draw for key, draw in drawn.items() if key[0] == "accuracy"},
        cost={key[1:]: draw for key, draw in drawn.items() if key[0] == "cost"},
    )


def bootstrap_seed(study_seed: int, dataset: str) -> int:
    """All analyses of a data set's questions share their resamples."""
    return derive_seed(study_seed, "bootstrap", dataset)


def compare_setting(
    setting: Setting,
    curve: Curve,
    draws: Draws,
    *,
    bases: Sequence[str],
    matchings: Sequence[str],
    grid: Sequence[int],
    confidence: float,
) -> tuple[list[dict], dict[tuple[str, str, str], np.ndarray]]:
    """Rows of the comparisons table without the corrected p, and the resampled differences of each.

    Returns:
        (rows, differences): differences maps (method, basis, matching) to (B,), compared rows only.
    """
    mean_curve = curve.accuracy.mean(axis=0)
    rows, differences = [], {}
    for name, data in setting.methods.items():
        for basis in bases:
            if basis not in data.tokens or basis not in setting.pool.tokens:
                continue
            cost, chain = mean_tokens(data, basis).mean(), mean_tokens(setting.pool, basis).mean()
            shared = _method_columns(setting, data, draws, name, basis, confidence)
            for matching in matchings:
                match = match_cost(cost, chain, mean_curve.shape[1], grid if matching == "grid" else None)
                row = {**shared, "matching": matching, "matched_n": match.matched_n, "flag": match.flag}
                rows.append(row)
                if match.weights is None:
                    continue
                paired = data.correct.mean(axis=0) - mixture(mean_curve, match.weights)
                if matching == "rematched":
                    rival, clamped = rematched_baseline(
                        draws.cost[name, basis], draws.chain[basis], draws.curve
                    )
                    row["clamped_share"] = float(clamped.mean())
                else:
                    rival = mixture(draws.curve, match.weights)
                drawn = draws.accuracy[name] - rival
                differences[name, basis, matching] = drawn
                row |= _difference_columns(paired, drawn, matching, confidence)
                row["baseline_accuracy"] = row["accuracy"] - row["difference"]
    return rows, differences


def correct_families(
    rows: list[dict], families: Mapping[str, Sequence[str]], *, alpha: float, power: float = 0.8
) -> None:
    """Add families, Holm-corrected p, detectable differences and verdicts to the rows, in place.

    A family is the methods that the config names together, in one setting and on one cost basis; methods
    in no family form their own. Across all settings the family has the same methods. Re-matched rows are
    a sensitivity check of the same comparison, not further tests, so they get no corrected p; their
    verdict is read at the raw p.
    """
    of_method = {method: family for family, methods in families.items() for method in methods}
    for row in rows:
        row["family"] = of_method.get(row["method"], OTHER_FAMILY)
        row["verdict"] = "not_compared"
    tested = [row for row in rows if row.get("difference") is not None]
    corrected = [row for row in tested if row["matching"] != "rematched"]
    everywhere = [(row["family"], row["cost_basis"], row["matching"]) for row in corrected]
    by_setting = [
        (row["model"], row["dataset"], *family) for row, family in zip(corrected, everywhere, strict=True)
    ]
    for column, source, family in (
        ("p_holm_setting", "p", by_setting),
        ("p_holm_all", "p", everywhere),
        ("p_t_holm_setting", "p_t", by_setting),
    ):
        adjusted = holm_by_family([row[source] for row in corrected], family)
        for row, value in zip(corrected, adjusted, strict=True):
            row[column] = value
    for row, family in zip(corrected, by_setting, strict=True):
        first_step = stats.norm.ppf(1 - alpha / (2 * by_setting.count(family)))
        row["detectable_holm"] = float((first_step + stats.norm.ppf(power)) * row["standard_error"])
    for row in tested:
        row["verdict"] = verdict(row["difference"], row.get("p_holm_setting", row["p"]), alpha)
        if row.get("p_t_holm_setting") is not None and (
            verdict(row["difference"], row["p_t_holm_setting"], alpha) != row["verdict"]
        ):
            row["flag"] = f"{row['flag']};{P_DISAGREEMENT}" if row["flag"] else P_DISAGREEMENT


def level_of(confidence: float) -> float:
    """The level of the tests that goes with a confidence: 0.05 with 0.95, without rounding dust."""
    return round(1 - confidence, 12)


def verdict(difference: float, p: float, alpha: float) -> str:
    """better, worse, or indistinguishable at level ``alpha``."""
    if p >= alpha:
        return "indistinguishable"
    return "better" if difference > 0 else "worse"


def largest_family(rows: Sequence[dict]) -> int:
    """Tests in the largest family across all settings; the smallest p must be able to carry them."""
    keys = [
        (row["family"], row["cost_basis"], row["matching"])
        for row in rows
        if row["matching"] != "rematched" and row["verdict"] != "not_compared"
    ]
    return max((keys.count(key) for key in set(keys)), default=0)


def _method_columns(
    setting: Setting, data: MethodData, draws: Draws, name: str, basis: str, confidence: float
) -> dict:
    runs = data.correct.shape[0]
    if runs == 1:
        # Plain right or wrong: unlike the bootstrap, this interval has a width at 0% and at 100% too.
        accuracy = wilson_interval(int(data.correct.sum()), data.correct.size, confidence)
    else:
        accuracy = percentile_interval(draws.accuracy[name], confidence)
    tokens = percentile_interval(draws.cost[name, basis], confidence)
    ratio = None
    if {"generated", "total"} <= data.tokens.keys():
        generated = float(data.tokens["generated"].sum())
        ratio = (float(data.tokens["total"].sum()) - generated) / generated if generated else None
    return {
        "model": setting.model,
        "dataset": setting.dataset,
        "method": name,
        "cost_basis": basis,
        "n_questions": len(setting.questions),
        "runs": runs,
        "accuracy": float(data.correct.mean()),
        "accuracy_low": float(accuracy[0]),
        "accuracy_high": float(accuracy[1]),
        "tokens": float(data.tokens[basis].mean()),
        "tokens_low": float(tokens[0]),
        "tokens_high": float(tokens[1]),
        "input_output_ratio": ratio,
    }


def _difference_columns(paired: np.ndarray, drawn: np.ndarray, matching: str, confidence: float) -> dict:
    low, high = percentile_interval(drawn, confidence)
    columns = {
        "difference": float(paired.mean()),
        "low": float(low),
        "high": float(high),
        "p": float(two_sided_p(drawn)),
    }
    if matching == "rematched":
        # The matched N moves with the resample, so no fixed differences exist to take a variance of.
        error = float(np.sqrt(variance(drawn[~np.isnan(drawn)])))
    else:
        error = float(np.sqrt(variance(paired) / len(paired)))
        columns["p_t"] = paired_t_p(paired)
    return columns | {
        "standard_error": error,
        "detectable_50": Z_HALF * error,
        "detectable_80": Z_80 * error,
    }
