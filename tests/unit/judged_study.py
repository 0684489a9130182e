"""A made-up judge study of any size whose tables fit together: questions, answers, judgements, injections.

It has the right shapes and known parameters, and no claim to resemble a model. Everything follows from
the seed; tables are built by column, so that the paper's 133,434 judged items take seconds.
"""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pyarrow as pa

CONDITIONS = ("clean", "intermediate_error", "truncated", "boxed_only", "consistent_error")
KEY = ["model", "dataset", "method", "run", "question_id", "sample_index"]


@dataclass
class JudgedStudy:
    """Tables of a study and the plain values that its rules take."""

    questions: pd.DataFrame
    answers: pd.DataFrame
    judgements: pa.Table
    panel: pd.DataFrame
    injections: pd.DataFrame
    judges: dict
    datasets: dict
    solvers: dict
    statistics: dict = field(default_factory=lambda: {"resamples": 400, "confidence": 0.95})


def judged_study(
    *,
    solvers: dict[str, float],
    datasets: dict[str, dict],
    judges: dict[str, dict],
    questions: int = 12,
    samples: int = 8,
    panel_per_cell: int = 6,
    seed: int = 7,
) -> JudgedStudy:
    """Make a study.

    Args:
        solvers: model -> mean probability that a sample is correct.
        datasets: data set -> its settings (language, parallel, origin).
        judges: judge -> {condition: probability of a yes}, ``natural`` among them, and ``missing``, the
            share of votes without a verdict (half of them stopped by length).
    """
    rng = np.random.default_rng(seed)
    asked = pd.DataFrame(
        [
            {
                "dataset": dataset,
                "question_id": f"q{i}",
                "language": settings["language"],
                "parallel_id": f"p{i}",
                "question": f"What is {i}?",
                "gold": str(i),
                "draw_index": i,
            }
            for dataset, settings in datasets.items()
            for i in range(questions)
        ]
    )
    answers = _answers(rng, solvers, list(datasets), questions, samples)
    correct = answers[answers["correct"]]
    panel = correct.groupby(["model", "dataset"]).head(panel_per_cell)[KEY].reset_index(drop=True)
    parts = []
    for judge, rates in judges.items():
        parts.append(_votes(rng, judge, correct[KEY], "natural", rates))
        parts += [_votes(rng, judge, panel, condition, rates) for condition in CONDITIONS]
    return JudgedStudy(
        questions=asked,
        answers=answers,
        judgements=pa.concat_tables(parts),
        panel=panel.assign(draw_order=np.arange(len(panel))),
        injections=_injections(rng, panel),
        judges={judge: {"votes": 3, "natural": True, "injected": True} for judge in judges},
        datasets=datasets,
        solvers={
            model: {
                "generation": "earlier" if i % 2 == 0 else "current",
                "checkpoint": model.split("@")[0],
                "mode": "",
                "max_tokens": 1024 * (i + 1),
            }
            for i, model in enumerate(solvers)
        },
    )


def small_study(**changes) -> JudgedStudy:
    """Two solvers, two parallel data sets in two languages, two judges."""
    arguments = {
        "solvers": {"older": 0.4, "newer": 0.7},
        "datasets": {
            "maths-en": {"language": "en", "parallel": "maths", "origin": "original"},
            "maths-tr": {"language": "tr", "parallel": "maths", "origin": "translated"},
        },
        "judges": {
            "blind": dict.fromkeys(("natural", *CONDITIONS), 0.9) | {"missing": 0.05},
            "sharp": {"natural": 0.8, "clean": 0.8, "missing": 0.02}
            | {"intermediate_error": 0.2, "truncated": 0.5, "boxed_only": 0.05, "consistent_error": 0.1},
        },
    }
    return judged_study(**(arguments | changes))


def _answers(rng, solvers: dict, datasets: list[str], questions: int, samples: int) -> pd.DataFrame:
    frames = []
    for model, rate in solvers.items():
        for dataset in datasets:
            chance = rng.beta(2 * rate, 2 * (1 - rate), size=questions).repeat(samples)
            right = rng.random(questions * samples) < chance
            frames.append(
                pd.DataFrame(
                    {
                        "model": model,
                        "dataset": dataset,
                        "method": "self_consistency",
                        "run": 0,
                        "question_id": np.repeat([f"q{i}" for i in range(questions)], samples),
                        "sample_index": np.tile(np.arange(samples), questions),
                        "readable": True,
                        "correct": right,
                        "generated_tokens": rng.integers(100, 900, size=questions * samples),
                        "calls": 1,
                        "stopped_by_length": ~right & (rng.random(questions * samples) < 0.1),
                    }
                )
            )
    return pd.concat(frames, ignore_index=True)


def _votes(rng, judge: str, keys: pd.DataFrame, condition: str, rates: dict, votes: int = 3) -> pa.Table:
    rows = keys.loc[keys.index.repeat(votes)].reset_index(drop=True)
    size = len(rows)
    missing = rng.random(size) < rates.get("missing", 0.0)
    yes = rng.random(size) < rates[condition]
    verdict = np.where(missing, "missing", np.where(yes, "yes", "no"))
    columns = {"judge": [judge] * size}
    columns |= {name: rows[name].to_numpy() for name in KEY}
    columns |= {
        "condition": [condition] * size,
        "vote": np.tile(np.arange(votes), len(keys)),
        "verdict": verdict,
        "stop_reason": np.where(missing & (rng.random(size) < 0.5), "length", "stop"),
        "tokens": rng.integers(500, 3000, size=size),
    }
    return pa.table(columns)


def _injections(rng, panel: pd.DataFrame) -> pd.DataFrame:
    frames = []
    for condition in CONDITIONS:
        numeric = condition in CONDITIONS[1:2] + CONDITIONS[3:]
        size = len(panel)
        frames.append(
            panel.assign(
                condition=condition,
                draw_order=np.arange(size),
                applied=True,
                menu=rng.choice(["plus_minus", "digit_transposition", "single_digit"], size=size)
                if numeric
                else None,
                relative_size=rng.choice([0.005, 0.05, 0.5, 5.0], size=size) if numeric else None,
                position_share=rng.uniform(0.4, 0.7, size=size) if numeric else None,
                text="",
            )
        )
    return pd.concat(frames, ignore_index=True)
