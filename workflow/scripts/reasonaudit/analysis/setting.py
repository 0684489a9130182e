"""One setting (a model on a data set) as arrays: the pool of the baseline and the answers of the methods.

Axes: R runs, n questions in the order in which they were drawn, K chains of the pool in stored order.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.curve import ABSTAIN, Pool, exact_curve
from reasonaudit.analysis.frames import read_columns
from reasonaudit.errors import TableError
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.dropped_questions import DROPPED_QUESTIONS
from reasonaudit.tables.questions import QUESTIONS

BASES = {"generated": "generated_tokens", "total": "total_tokens"}
_COLUMNS = [
    *ANSWERS.key,
    "canonical",
    "readable",
    "correct",
    "generated_tokens",
    "total_tokens",
    "stopped_by_length",
]


@dataclass(frozen=True)
class PoolData:
    """The baseline's chains, arrays (R, n, K).

    Attributes:
        votes: class of the answer within its question, or ABSTAIN.
        correct, truncated, readable: booleans.
        tokens: cost basis -> tokens of each chain; a basis whose counts are unknown is absent.
    """

    votes: np.ndarray
    correct: np.ndarray
    truncated: np.ndarray
    readable: np.ndarray
    tokens: Mapping[str, np.ndarray]


@dataclass(frozen=True)
class MethodData:
    """A method's answers, arrays (R, n); ``tokens`` as in PoolData."""

    correct: np.ndarray
    truncated: np.ndarray
    readable: np.ndarray
    tokens: Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Setting:
    """A model on a data set. ``levels`` is (n,), NaN where a question has none."""

    model: str
    dataset: str
    questions: tuple[str, ...]
    levels: np.ndarray
    pool: PoolData
    methods: Mapping[str, MethodData]

    def subset(self, keep: np.ndarray) -> "Setting":
        """The same setting on the questions where ``keep`` (n,) is true."""
        methods = {name: _take(data, keep) for name, data in self.methods.items()}
        kept = tuple(q for q, good in zip(self.questions, keep, strict=True) if good)
        return replace(
            self,
            questions=kept,
            levels=self.levels[keep],
            pool=_take(self.pool, keep),
            methods=methods,
        )


@dataclass(frozen=True)
class Curve:
    """The exact curve of every question; arrays (R, n, K), index N - 1 (see ``curve.ExactCurve``)."""

    accuracy: np.ndarray
    ties: np.ndarray
    silent: np.ndarray


def curve_of(pool: PoolData, *, ties: str, unreadable: str) -> Curve:
    """The exact curve of every question of a setting, run by run."""
    runs, n, size = pool.votes.shape
    points = np.zeros((3, runs, n, size))
    for r in range(runs):
        for i in range(n):
            exact = exact_curve(one_pool(pool, r, i, unreadable=unreadable), ties)
            points[:, r, i] = exact.accuracy, exact.ties, exact.silent
    return Curve(*points)


def one_pool(pool: PoolData, run: int, question: int, *, unreadable: str = "abstain") -> Pool:
    """The votes of one question in one run."""
    votes = pool.votes[run, question]
    if unreadable == "wrong":
        # One more class, numbered behind the others; its chains are never right.
        votes = np.where(votes == ABSTAIN, votes.max(initial=ABSTAIN) + 1, votes)
    cast = votes[votes != ABSTAIN]
    sizes = np.bincount(cast)
    right = np.bincount(cast, weights=pool.correct[run, question][votes != ABSTAIN])
    return Pool(tuple(votes.tolist()), tuple((right / np.maximum(sizes, 1)).tolist()))


def load_settings(
    *,
    questions: Iterable[str | Path],
    answers: Iterable[str | Path],
    dropped: str | Path | None,
    baseline: str,
) -> list[Setting]:
    """All settings of a study, in order of model and data set; settings without a pool are left out.

    Args:
        baseline: name of the method whose samples are the pool.

    Raises:
        TableError: an answer that is missing or stored twice.
    """
    asked = read_columns(questions, QUESTIONS, ["dataset", "question_id", "draw_index", "level"])
    asked = asked.sort_values(["dataset", "draw_index"], kind="stable")
    frame = read_columns(answers, ANSWERS, _COLUMNS)
    gone = (
        read_columns(dropped, DROPPED_QUESTIONS, ["model", "dataset", "question_id"])
        if dropped is not None
        else pd.DataFrame({"model": [], "dataset": [], "question_id": []})
    )
    left = {key: set(rows["question_id"]) for key, rows in gone.groupby(["model", "dataset"])}
    settings = []
    for (model, dataset), rows in frame.groupby(["model", "dataset"], sort=True):
        if baseline not in set(rows["method"]):
            continue
        of_dataset = asked[asked["dataset"] == dataset]
        of_dataset = of_dataset[~of_dataset["question_id"].isin(left.get((model, dataset), ()))]
        names = of_dataset["question_id"].tolist()
        methods = {
            method: _method_data(part, names, f"{model}, {dataset}, {method}")
            for method, part in rows.groupby("method", sort=True)
            # A further pool (at another temperature, say) has no one answer to a question to compare.
            if method != baseline and part["sample_index"].max() == 0
        }
        pool = _pool_data(rows[rows["method"] == baseline], names, f"{model}, {dataset}, {baseline}")
        levels = of_dataset["level"].astype("Float64").to_numpy(dtype=float, na_value=np.nan)
        settings.append(Setting(model, dataset, tuple(names), levels, pool, methods))
    return settings


def regraded(setting: Setting, accepted: pd.DataFrame, baseline: str) -> Setting:
    """The same setting with ``correct`` from other verdicts.

    Args:
        accepted: rows of one verifier in this setting: method, run, question_id, sample_index, accepted.

    Raises:
        TableError: verdicts that do not cover every answer.
    """
    names = list(setting.questions)
    parts = dict(iter(accepted.groupby("method")))

    def correct(method: str, shape: tuple[int, ...]) -> np.ndarray:
        where = f"{setting.model}, {setting.dataset}, {method}"
        grid, _ = _grid(parts.get(method, accepted.iloc[:0]), names, where)
        if len(grid) != np.prod(shape):
            raise TableError(f"{len(grid)} verdicts for {np.prod(shape)} answers", where=where)
        return grid["accepted"].to_numpy(dtype=bool).reshape(shape)

    methods = {
        name: replace(data, correct=correct(name, data.correct.shape))
        for name, data in setting.methods.items()
    }
    pool = replace(setting.pool, correct=correct(baseline, setting.pool.correct.shape))
    return replace(setting, pool=pool, methods=methods)


def mean_tokens(data: PoolData | MethodData, basis: str) -> np.ndarray | None:
    """(n,) tokens of a question (of one chain, for a pool), mean over runs and chains; None if unknown."""
    if basis not in data.tokens:
        return None
    tokens = data.tokens[basis]
    return tokens.mean(axis=0) if tokens.ndim == 2 else tokens.mean(axis=(0, 2))


def class_codes(canonical: Sequence[str | None], readable: Sequence[bool]) -> np.ndarray:
    """Number of each answer's class in order of appearance; ABSTAIN where it cannot be read."""
    places: dict[str, int] = {}
    return np.array(
        [
            places.setdefault(answer, len(places)) if good and isinstance(answer, str) else ABSTAIN
            for answer, good in zip(canonical, readable, strict=True)
        ],
        dtype=np.int64,
    )


def _take(data, keep):
    fields = {name: value[:, keep] for name, value in vars(data).items() if isinstance(value, np.ndarray)}
    return replace(data, **fields, tokens={basis: value[:, keep] for basis, value in data.tokens.items()})


def _method_data(rows: pd.DataFrame, questions: list[str], where: str) -> MethodData:
    grid, runs = _grid(rows, questions, where)
    shape = (runs, len(questions))
    if len(grid) != runs * len(questions):
        raise TableError(f"more than one answer to a question in {len(grid)} rows", where=where)
    return MethodData(**_flags(grid, shape), tokens=_tokens(grid, shape))


def _pool_data(rows: pd.DataFrame, questions: list[str], where: str) -> PoolData:
    grid, runs = _grid(rows, questions, where)
    size = len(grid) // max(runs * len(questions), 1)
    shape = (runs, len(questions), size)
    if size == 0 or len(grid) != runs * len(questions) * size:
        raise TableError(f"{len(grid)} samples are no whole pool for each question", where=where)
    canonical = grid["canonical"].to_numpy(dtype=object).reshape(-1, size)
    flags = _flags(grid, shape)
    readable = flags["readable"].reshape(-1, size)
    votes = np.stack([class_codes(c, r) for c, r in zip(canonical, readable, strict=True)])
    return PoolData(votes=votes.reshape(shape), **flags, tokens=_tokens(grid, shape))


def _grid(rows: pd.DataFrame, questions: list[str], where: str) -> tuple[pd.DataFrame, int]:
    """Rows in order of run, draw and sample; refuses a question that is missing in some run."""
    order = {question: place for place, question in enumerate(questions)}
    rows = rows[rows["question_id"].isin(order)]
    rows = rows.assign(_place=rows["question_id"].map(order)).sort_values(
        ["run", "_place", "sample_index"], kind="stable"
    )
    runs = rows["run"].nunique()
    present = rows.groupby("run")["_place"].nunique()
    short = present[present != len(questions)]
    if len(short) or not runs:
        raise TableError(
            f"answers to {present.sum()} of {len(questions) * max(runs, 1)} questions", where=where
        )
    return rows, runs


def _flags(grid: pd.DataFrame, shape: tuple[int, ...]) -> dict[str, np.ndarray]:
    names = {"correct": "correct", "truncated": "stopped_by_length", "readable": "readable"}
    return {name: grid[column].to_numpy(dtype=bool).reshape(shape) for name, column in names.items()}


def _tokens(grid: pd.DataFrame, shape: tuple[int, ...]) -> dict[str, np.ndarray]:
    return {
        basis: grid[column].to_numpy(dtype=float).reshape(shape)
        for basis, column in BASES.items()
        if not grid[column].isna().any()
    }
