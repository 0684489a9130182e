"""Integrity of the judgements, checked before any table is made from them."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from reasonaudit.errors import GateError
from reasonaudit.tables.judge_calls import JUDGED_KEY

SAMPLE_KEY = list(JUDGED_KEY[1:7])
VOTES = "every judged sample has each of its votes exactly once"
NATURAL = "judges read exactly the answer-correct samples of their cells"
ORIGINALS = "every condition is judged on the same originals, those of the panel"
_SHOWN = 5


def check_judgements(
    judgements: pa.Table,
    answers: pd.DataFrame,
    panel: pd.DataFrame,
    judges: Mapping[str, Mapping],
    conditions: Sequence[str],
) -> list[dict]:
    """Rows of the gates table, all passed.

    Args:
        judgements: every vote of every judge.
        answers: keys and ``correct`` of every sample of the judged cells.
        panel: keys of the originals that are judged under every condition.
        judges: judge -> its section of the configuration.
        conditions: those of the injection; none where nothing is injected.

    Raises:
        GateError: names the first failing rows.
    """
    frame = pd.DataFrame({name: judgements.column(name).to_pandas() for name in (*JUDGED_KEY, "vote")})
    checks = (
        ("votes_per_item", VOTES, _votes_per_item(frame, judges)),
        ("natural_samples", NATURAL, _natural_samples(frame, answers, judges)),
        ("shared_originals", ORIGINALS, _shared_originals(frame, panel, judges, conditions)),
    )
    rows = []
    for name, meaning, found in checks:
        failures = list(found)
        if failures:
            raise GateError(
                f"gate {name} failed for {len(failures)} items: {meaning}",
                where="; ".join(failures[:_SHOWN]),
                hint="delete the judge_calls of the cells named and run again",
            )
        rows.append(
            {
                "gate": name,
                "meaning": meaning,
                "cells": len(frame.drop_duplicates(["judge", "model", "dataset", "method"])),
                "calls": len(frame),
                "failed": 0,
                "status": "passed",
            }
        )
    return rows


def check_not_above(pass_at_k: np.ndarray, cot_pass_at_k: np.ndarray, labels: list[str]) -> None:
    """A judge can only take correct samples away, so CoT-Pass@k never exceeds Pass@k.

    Raises:
        GateError: names the cells.
    """
    above = np.flatnonzero(cot_pass_at_k > pass_at_k + 1e-12)
    if len(above):
        raise GateError(
            f"CoT-Pass@k is above Pass@k in {len(above)} rows",
            where="; ".join(labels[i] for i in above[:_SHOWN]),
            hint="the judgements belong to other samples than the answers; run the judges again",
        )


def _votes_per_item(frame: pd.DataFrame, judges: Mapping) -> Iterator[str]:
    groups = frame.groupby(list(JUDGED_KEY), sort=True)["vote"]
    seen = groups.agg(["count", "nunique", "min", "max"])
    wanted = seen.index.get_level_values("judge").map(lambda judge: judges[judge]["votes"]).to_numpy()
    whole = (
        (seen["count"].to_numpy() == wanted)
        & (seen["nunique"].to_numpy() == wanted)
        & (seen["min"].to_numpy() == 0)
        & (seen["max"].to_numpy() == wanted - 1)
    )
    for key, count, votes in zip(seen.index[~whole], seen["count"][~whole], wanted[~whole], strict=True):
        yield f"{_named(key)}: {count} of {votes} votes"


def _natural_samples(frame: pd.DataFrame, answers: pd.DataFrame, judges: Mapping) -> Iterator[str]:
    correct = answers[answers["correct"].astype(bool)]
    natural = frame[frame["condition"] == "natural"]
    for judge, settings in judges.items():
        if not settings.get("natural", True):
            continue
        judged = natural[natural["judge"] == judge]
        expected = correct[judged_cells(correct, settings)]
        if settings.get("max_samples") is not None:
            expected = expected[expected["sample_index"] < settings["max_samples"]]
        yield from _differing(judge, "natural", expected, judged)


def _shared_originals(
    frame: pd.DataFrame, panel: pd.DataFrame, judges: Mapping, conditions: Sequence[str]
) -> Iterator[str]:
    injected = frame[~frame["condition"].isin(["natural", "step_labels"])]
    conditions = sorted({*conditions, *injected["condition"].unique()})
    for judge, settings in judges.items():
        if not settings.get("injected", True):
            continue
        expected = panel[judged_cells(panel, settings)]
        for condition in conditions:
            judged = injected[(injected["judge"] == judge) & (injected["condition"] == condition)]
            yield from _differing(judge, condition, expected, judged)


def judged_cells(frame: pd.DataFrame, settings: Mapping) -> np.ndarray:
    """Which rows belong to cells that the judge with these settings reads."""
    judged = settings.get("judged") or {}
    kept = np.ones(len(frame), dtype=bool)
    for column, key in (("model", "models"), ("dataset", "datasets"), ("method", "methods")):
        if judged.get(key) is not None:
            kept &= frame[column].isin(judged[key]).to_numpy()
    return kept


def _differing(judge: str, condition: str, expected: pd.DataFrame, judged: pd.DataFrame) -> Iterator[str]:
    left = pd.MultiIndex.from_frame(expected[SAMPLE_KEY]).unique()
    right = pd.MultiIndex.from_frame(judged[SAMPLE_KEY]).unique()
    for word, keys in (("not judged", left.difference(right)), ("not expected", right.difference(left))):
        for key in keys:
            yield f"{_named((judge, *key, condition))}: {word}"


def _named(key: tuple) -> str:
    return ", ".join(f"{name}={value}" for name, value in zip(JUDGED_KEY, key, strict=True))
