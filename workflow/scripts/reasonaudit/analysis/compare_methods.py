"""From stored answers to the comparison tables of a study."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from reasonaudit.analysis.comparisons import (
    Draws,
    bootstrap_seed,
    compare_setting,
    correct_families,
    largest_family,
    level_of,
    resample_setting,
)
from reasonaudit.analysis.group_effects import effects_by_group, groups_of
from reasonaudit.analysis.matching import match_cost, mixture
from reasonaudit.analysis.paired_tests import paired_t_p
from reasonaudit.analysis.resampling import percentile_interval, require_resamples, two_sided_p
from reasonaudit.analysis.run_variance import variance_components
from reasonaudit.analysis.setting import Curve, Setting, curve_of, load_settings, mean_tokens
from reasonaudit.tables.comparisons import COMPARISONS
from reasonaudit.tables.group_effects import GROUP_EFFECTS
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.run_variance import RUN_VARIANCE
from reasonaudit.tables.temperature_control import TEMPERATURE_CONTROL

GREEDY = "chain_of_thought"


def compare_methods(
    *,
    questions: Iterable[str | Path],
    answers: Iterable[str | Path],
    dropped: str | Path | None,
    comparisons: str | Path,
    group_effects: str | Path,
    run_variance: str | Path,
    temperature_control: str | Path,
    pool: Mapping,
    methods: Mapping[str, Mapping],
    statistics: Mapping,
    study_seed: int,
) -> None:
    """Compare every method with repeated sampling and write the four tables.

    Args:
        questions, answers, dropped: paths of the stored tables.
        comparisons, group_effects, run_variance, temperature_control: paths to write.
        pool: ``method`` (the baseline's name) and ``curve`` (the printed values of N).
        methods: name -> ``kind`` and ``self_inspection`` (see ``methods.catalog``).
        statistics: the section of the configuration.

    Raises:
        ConfigError: too few resamples for the number of tests.
        TableError: answers that are missing or stored twice.
    """
    settings = load_settings(questions=questions, answers=answers, dropped=dropped, baseline=pool["method"])
    rows, effects, components, control = [], {}, [], []
    for setting, curve, draws in resampled_settings(settings, statistics, study_seed):
        new, drawn = compare_setting(
            setting,
            curve,
            draws,
            # Everything else reads the fixed comparison on generated tokens, so it is always made.
            bases=list(dict.fromkeys(["generated", *statistics["cost_basis"]])),
            matchings=list(dict.fromkeys(["fixed", *statistics["matching"]])),
            grid=pool["curve"],
            confidence=statistics["confidence"],
        )
        rows += new
        for row in new:
            key = (row["method"], row["cost_basis"], row["matching"])
            if key in drawn and key[1:] == ("generated", "fixed"):
                effects[setting.model, setting.dataset, key[0]] = (row["difference"], drawn[key])
        components += _run_components(setting, curve)
        control += _temperature_row(setting, curve, draws, statistics["confidence"])
    alpha = level_of(statistics["confidence"])
    correct_families(rows, statistics["families"], alpha=alpha)
    require_resamples(statistics["resamples"], tests=max(largest_family(rows), 1), alpha=alpha)
    groups = effects_by_group(effects, groups_of(methods), confidence=statistics["confidence"])
    write_table(comparisons, rows, COMPARISONS)
    write_table(group_effects, groups, GROUP_EFFECTS)
    write_table(run_variance, components, RUN_VARIANCE)
    write_table(temperature_control, control, TEMPERATURE_CONTROL)


def resampled_settings(settings: Sequence[Setting], statistics: Mapping, study_seed: int):
    """Each setting with its curve and resamples; the resamples of a data set are the same for all models."""
    of_dataset: dict[str, dict[str, None]] = {}
    for setting in settings:
        of_dataset.setdefault(setting.dataset, {}).update(dict.fromkeys(setting.questions))
    for setting in settings:
        curve = curve_of(setting.pool, ties=statistics["ties"], unreadable=statistics["unreadable"])
        yield (
            setting,
            curve,
            resample_setting(
                setting,
                curve,
                of_dataset=list(of_dataset[setting.dataset]),
                resamples=statistics["resamples"],
                seed=bootstrap_seed(study_seed, setting.dataset),
            ),
        )


def _run_components(setting: Setting, curve: Curve) -> list[dict]:
    rows = []
    for name, data in setting.methods.items():
        if "generated" not in data.tokens or "generated" not in setting.pool.tokens:
            continue
        match = match_cost(
            mean_tokens(data, "generated").mean(),
            mean_tokens(setting.pool, "generated").mean(),
            curve.accuracy.shape[2],
        )
        if match.weights is None or data.correct.shape[0] != curve.accuracy.shape[0]:
            continue
        differences = data.correct - mixture(curve.accuracy, match.weights)
        keys = {"model": setting.model, "dataset": setting.dataset, "method": name}
        rows.append(keys | variance_components(differences))
    return rows


def _temperature_row(setting: Setting, curve: Curve, draws: Draws, confidence: float) -> list[dict]:
    if GREEDY not in setting.methods:
        return []
    greedy = setting.methods[GREEDY]
    paired = greedy.correct.mean(axis=0) - curve.accuracy.mean(axis=0)[:, 0]
    drawn = draws.accuracy[GREEDY] - draws.curve[:, 0]
    low, high = percentile_interval(drawn, confidence)
    tokens = [mean_tokens(data, "generated") for data in (greedy, setting.pool)]
    return [
        {
            "model": setting.model,
            "dataset": setting.dataset,
            "method": GREEDY,
            "n_questions": len(setting.questions),
            "greedy_accuracy": float(greedy.correct.mean()),
            "sampled_accuracy": float(curve.accuracy[:, :, 0].mean()),
            "greedy_tokens": None if tokens[0] is None else float(np.mean(tokens[0])),
            "sampled_tokens": None if tokens[1] is None else float(np.mean(tokens[1])),
            "difference": float(paired.mean()),
            "low": float(low),
            "high": float(high),
            "p": float(two_sided_p(drawn)),
            "p_t": paired_t_p(paired),
        }
    ]
