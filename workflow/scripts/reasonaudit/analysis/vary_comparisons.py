"""Every comparison again under other choices: which verdicts flip, and how far the numbers move.

Leaving out questions selects easy ones, and bounds assume the worst, so no variant replaces the main
analysis; a difference that appears under one of them only is suggestive, not established.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.comparisons import (
    bootstrap_seed,
    compare_setting,
    correct_families,
    level_of,
    resample_setting,
)
from reasonaudit.analysis.estimate_curves import drawn_accuracy, draws_seed
from reasonaudit.analysis.frames import read_columns
from reasonaudit.analysis.resampling import generator
from reasonaudit.analysis.setting import Curve, Setting, curve_of, load_settings, regraded
from reasonaudit.analysis.variants import (
    EXPLORATORY,
    answered_by_all,
    best_case,
    by_level,
    random_ties,
    worst_case,
)
from reasonaudit.seeds import derive_seed
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.robustness import ROBUSTNESS
from reasonaudit.tables.step_answers import STEP_ANSWERS
from reasonaudit.tables.verdicts import VERDICTS

MAIN, DRAWN, SECOND_SEED = "main", "drawn", "second_seed"
_FEWEST = 2  # questions without which a variant says nothing


def vary_comparisons(
    *,
    questions: Iterable[str | Path],
    answers: Iterable[str | Path],
    verdicts: Iterable[str | Path],
    steps: Iterable[str | Path],
    dropped: str | Path | None,
    robustness: str | Path,
    pool: Mapping,
    grading: Mapping,
    statistics: Mapping,
    study_seed: int,
) -> None:
    """Write the robustness table, on generated tokens with the cost matched once.

    Args:
        questions, answers, verdicts, steps, dropped: paths of the stored tables; of the steps, only those
            of methods in which agents vote are used.
        robustness: path to write.
        pool: ``method`` and ``curve``.
        grading: ``verifier`` (the main one) and ``verifiers``.
        statistics: the section of the configuration.
    """
    settings = load_settings(questions=questions, answers=answers, dropped=dropped, baseline=pool["method"])
    judged = read_columns(
        verdicts,
        VERDICTS,
        ["model", "dataset", "method", "run", "question_id", "sample_index", "verifier", "accepted"],
    )
    by_cell = dict(iter(judged.groupby(["model", "dataset", "verifier"], sort=True)))
    agents = read_columns(
        steps,
        STEP_ANSWERS,
        [*STEP_ANSWERS.key, "sample_index", "role", "round", "canonical", "readable", "correct"],
    )
    agents = dict(iter(agents[agents["role"] == "agent"].groupby(["model", "dataset"], sort=True)))
    rows: list[dict] = []
    for setting in settings:
        regradings = {
            name: by_cell[setting.model, setting.dataset, name]
            for name in grading["verifiers"]
            if name != grading["verifier"] and (setting.model, setting.dataset, name) in by_cell
        }
        voters = agents.get((setting.model, setting.dataset))
        variants = _variants(setting, regradings, voters, pool, statistics, study_seed)
        for variant, varied, curve, matching in variants:
            rows += [
                row | {"variant": variant}
                for row in _compare(varied, curve, matching, pool["curve"], statistics, study_seed)
            ]
    alpha = level_of(statistics["confidence"])
    for variant in dict.fromkeys(row["variant"] for row in rows):
        own = [row for row in rows if row["variant"] == variant]
        correct_families(own, statistics["families"], alpha=alpha)
    write_table(robustness, list(_against_base(rows)), ROBUSTNESS)


def _variants(
    setting: Setting,
    regradings: Mapping,
    voters: pd.DataFrame | None,
    pool: Mapping,
    statistics: Mapping,
    study_seed: int,
) -> Iterator[tuple[str, Setting, Curve, str]]:
    """(name, setting, curve, matching) of the main analysis and of every variant."""
    ties, unreadable = statistics["ties"], statistics["unreadable"]

    def exact(varied: Setting, ties: str = ties, unreadable: str = unreadable) -> tuple[Setting, Curve, str]:
        return varied, curve_of(varied.pool, ties=ties, unreadable=unreadable), "fixed"

    yield MAIN, *exact(setting)
    yield "answered_by_all", *exact(answered_by_all(setting))
    for name, part in by_level(setting).items():
        yield name, *exact(part)
    yield "best_case", *exact(best_case(setting))
    yield "worst_case", *exact(worst_case(setting))
    if voters is not None:
        rng = generator(derive_seed(study_seed, "ties", setting.model, setting.dataset))
        yield "debate_ties_random", *exact(random_ties(setting, voters, rng))
    for rule in (rule for rule in ("split", "first", "none") if rule != ties):
        yield f"ties_{rule}", *exact(setting, ties=rule)
    for rule in (rule for rule in ("abstain", "wrong") if rule != unreadable):
        yield f"unreadable_{rule}", *exact(setting, unreadable=rule)
    for repetition, name in enumerate((DRAWN, SECOND_SEED)):
        curve = _drawn(setting, pool["curve"], statistics, draws_seed(study_seed, setting, repetition))
        yield name, setting, curve, "grid"
    for name, accepted in regradings.items():
        yield f"verifier_{name}", *exact(regraded(setting, accepted, pool["method"]))


def _drawn(setting: Setting, grid: Sequence[int], statistics: Mapping, seed: int) -> Curve:
    """The drawn curve at the printed N, in the form of an exact one (zero at other N, which are not used)."""
    accuracy, _ = drawn_accuracy(setting, grid, statistics, seed)
    size = setting.pool.votes.shape[2]
    filled = np.zeros((1, len(setting.questions), size))
    filled[0][:, np.asarray(grid) - 1] = accuracy
    nothing = np.zeros_like(filled)
    return Curve(filled, nothing, nothing)


def _compare(
    setting: Setting, curve: Curve, matching: str, grid: Sequence[int], statistics: Mapping, study_seed: int
) -> list[dict]:
    n = len(setting.questions)
    if n < _FEWEST:
        keys = {"model": setting.model, "dataset": setting.dataset, "n_questions": n, "matching": matching}
        return [
            keys | {"method": name, "cost_basis": "generated", "flag": "too_few_questions"}
            for name in setting.methods
        ]
    only = {"generated"} & setting.pool.tokens.keys()
    lean = replace(
        setting,
        pool=replace(setting.pool, tokens={basis: setting.pool.tokens[basis] for basis in only}),
        methods={
            name: replace(data, tokens={b: t for b, t in data.tokens.items() if b in only})
            for name, data in setting.methods.items()
        },
    )
    draws = resample_setting(
        lean,
        curve,
        of_dataset=setting.questions,
        resamples=statistics["resamples"],
        seed=bootstrap_seed(study_seed, setting.dataset),
    )
    rows, _ = compare_setting(
        lean,
        curve,
        draws,
        bases=["generated"],
        matchings=[matching],
        grid=grid,
        confidence=statistics["confidence"],
    )
    return rows


def _against_base(rows: Sequence[dict]) -> Iterator[dict]:
    of_variant = {(row["model"], row["dataset"], row["method"], row["variant"]): row for row in rows}
    for row in rows:
        variant = row["variant"]
        if variant == MAIN:
            continue
        base_name = DRAWN if variant == SECOND_SEED else MAIN
        base = of_variant[row["model"], row["dataset"], row["method"], base_name]
        exploratory = variant.startswith(EXPLORATORY)
        both = row.get("difference") is not None and base.get("difference") is not None
        columns = ("model", "dataset", "method", "variant", "n_questions", "difference", "low", "high", "p")
        yield {name: row.get(name) for name in columns} | {
            "p_holm_setting": None if exploratory else row.get("p_holm_setting"),
            "verdict": "exploratory" if exploratory else row["verdict"],
            "base": base_name,
            "base_difference": base.get("difference"),
            "base_verdict": base["verdict"],
            "shift": row["difference"] - base["difference"] if both else None,
            "flips": row["verdict"] != base["verdict"] if both and not exploratory else None,
            "exploratory": exploratory,
            "flag": row.get("flag"),
        }
