"""Other choices under which a comparison can be looked at again; each turns a setting into another one."""

from dataclasses import replace

import numpy as np
import pandas as pd

from reasonaudit.analysis.curve import ABSTAIN, Pool, decide
from reasonaudit.analysis.setting import PoolData, Setting, class_codes

EXPLORATORY = "level_"  # variants of this name are not corrected and carry no verdict of their own


def answered_by_all(setting: Setting) -> Setting:
    """Questions that every method and every chain of the pool answered readably, in every run.

    Not a random sample: what it leaves out are the long and hard questions.
    """
    keep = setting.pool.readable.all(axis=(0, 2))
    for data in setting.methods.values():
        keep = keep & data.readable.all(axis=0)
    return setting.subset(keep)


def by_level(setting: Setting) -> dict[str, Setting]:
    """The questions of each difficulty; five levels make the bins 1-2, 3, 4-5, fewer stay as they are."""
    present = sorted({int(level) for level in setting.levels[~np.isnan(setting.levels)]})
    if len(present) < 2:
        return {}
    bins = [(1, 2), (3,), (4, 5)] if present[-1] == 5 else [(level,) for level in present]
    parts = {
        EXPLORATORY + "_".join(map(str, levels)): setting.subset(np.isin(setting.levels, levels))
        for levels in bins
    }
    return {name: part for name, part in parts.items() if part.questions}


def best_case(setting: Setting) -> Setting:
    """Every answer of a method that was cut off would have been right; the pool stays as it is."""
    methods = {
        name: replace(data, correct=data.correct | data.truncated) for name, data in setting.methods.items()
    }
    return replace(setting, methods=methods)


def worst_case(setting: Setting) -> Setting:
    """Every cut-off answer of a method is wrong; a cut-off chain of the pool votes for the right answer."""
    methods = {
        name: replace(data, correct=data.correct & ~data.truncated) for name, data in setting.methods.items()
    }
    return replace(setting, pool=_truncated_vote_right(setting.pool), methods=methods)


def random_ties(setting: Setting, agents: pd.DataFrame, rng: np.random.Generator) -> Setting:
    """Methods that end in a vote of agents, with tied votes decided at random, not by the stored order.

    Args:
        agents: step answers of agents in this setting: method, run, question_id, round, sample_index,
            canonical, readable, correct.
    """
    place = {question: i for i, question in enumerate(setting.questions)}
    methods = dict(setting.methods)
    for name, of_method in agents.groupby("method", sort=True):
        if name not in methods:
            continue
        correct = methods[name].correct.copy()
        runs = {run: r for r, run in enumerate(sorted(of_method["run"].unique()))}
        for (run, question), part in of_method.groupby(["run", "question_id"], sort=True):
            if question not in place:
                continue
            last = part[part["round"] == part["round"].max()].sort_values("sample_index")
            votes = class_codes(last["canonical"].tolist(), last["readable"].tolist())
            pool = Pool(tuple(votes.tolist()), (0.0,) * (votes.max(initial=ABSTAIN) + 1))
            winner = decide(pool, rng)
            if winner != decide(pool):
                right = last["correct"].to_numpy(dtype=bool)[np.flatnonzero(votes == winner)[0]]
                correct[runs[run], place[question]] = right
        methods[name] = replace(methods[name], correct=correct)
    return replace(setting, methods=methods)


def _truncated_vote_right(pool: PoolData) -> PoolData:
    votes, correct = pool.votes.copy(), pool.correct | pool.truncated
    for run, question in np.argwhere(pool.truncated.any(axis=2)):
        cut = pool.truncated[run, question]
        right = pool.votes[run, question][
            pool.correct[run, question] & (pool.votes[run, question] != ABSTAIN)
        ]
        # The class of the right answer, or a new one behind the others where no chain found it.
        target = np.bincount(right).argmax() if len(right) else pool.votes[run, question].max(initial=-1) + 1
        votes[run, question, cut] = target
    return replace(pool, votes=_renumbered(votes), correct=correct)


def _renumbered(votes: np.ndarray) -> np.ndarray:
    """Classes without gaps: a class can lose its last chain when that one is moved."""
    out = votes.copy()
    for index in np.ndindex(votes.shape[:2]):
        used = np.unique(votes[index][votes[index] != ABSTAIN])
        place = {int(old): new for new, old in enumerate(used)}
        out[index] = [place.get(int(vote), ABSTAIN) for vote in votes[index]]
    return out
