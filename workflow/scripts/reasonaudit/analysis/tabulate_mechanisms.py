"""What the methods did on the way: transitions, engagement, unreadable answers.

A method that decides for itself when to act can stop acting without any outward sign, and then scores well
because it has become cheap. So every method with rounds reports how often they happened.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.comparisons import bootstrap_seed
from reasonaudit.analysis.frames import read_columns
from reasonaudit.analysis.paired_tests import mcnemar_exact, wilson_interval
from reasonaudit.analysis.resampling import bootstrap_means
from reasonaudit.methods.reply_formats import read_judgement
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.dropped_questions import DROPPED_QUESTIONS
from reasonaudit.tables.engagement import ENGAGEMENT
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.step_answers import STEP_ANSWERS
from reasonaudit.tables.transitions import TRANSITIONS
from reasonaudit.tables.unreadable import UNREADABLE

CELL = ["model", "dataset", "method"]
QUESTION = ["run", "question_id"]
ROUNDLESS = ("pool", "single_pass", "choosing")
DEGENERATE = 0.95  # share of questions from which on a method is said to have become a cheaper one


def tabulate_mechanisms(
    *,
    calls: Iterable[str | Path],
    answers: Iterable[str | Path],
    steps: Iterable[str | Path],
    dropped: str | Path,
    transitions: str | Path,
    engagement: str | Path,
    unreadable: str | Path,
    methods: Mapping[str, Mapping],
    statistics: Mapping,
    study_seed: int,
) -> None:
    """Write the three tables.

    Args:
        calls, answers, steps, dropped: paths of the stored tables.
        transitions, engagement, unreadable: paths to write.
        methods: name -> ``kind``.
        statistics: ``resamples`` and ``confidence``.
    """
    gone = read_columns(dropped, DROPPED_QUESTIONS, ["model", "dataset", "question_id"])
    columns = [*CELL, *QUESTION, "canonical", "readable", "correct"]
    given = without(read_columns(answers, ANSWERS, [*columns, "stopped_by_length"]), gone)
    stated = without(
        read_columns(steps, STEP_ANSWERS, [*columns, "call_index", "role", "round", "sample_index"]),
        gone,
    )
    made = without(
        read_columns(calls, CALLS, [*CELL, *QUESTION, "call_index", "role", "round", "text"]), gone
    )
    kinds = {name: entry["kind"] for name, entry in methods.items()}
    resampling = {name: statistics[name] for name in ("resamples", "confidence")}
    finals = dict(iter(given.groupby(CELL, sort=True)))

    moved = []
    for key, part in stated.groupby(CELL, sort=True):
        if kinds.get(key[2]) == "rewriting" and key in finals:
            moved.append(_named(key) | _transitions(part, finals[key], study_seed, resampling))
    engaged = []
    for key, part in made.groupby(CELL, sort=True):
        if kinds.get(key[2], ROUNDLESS[0]) not in ROUNDLESS:
            rows = [*_rounds(part), *_judgements(part)]
            engaged += [_named(key) | row for row in rows]
    for key, part in stated[stated["role"] == "agent"].groupby(CELL, sort=True):
        engaged += [_named(key) | row for row in _unanimity(part)]
    unread = [_named(key) | _unreadable(part, study_seed, resampling) for key, part in finals.items()]
    write_table(transitions, moved, TRANSITIONS)
    write_table(engagement, engaged, ENGAGEMENT)
    write_table(unreadable, unread, UNREADABLE)


def without(frame: pd.DataFrame, gone: pd.DataFrame) -> pd.DataFrame:
    """Rows whose question has not been dropped."""
    if gone.empty:
        return frame
    keys = set(gone.itertuples(index=False, name=None))
    own = frame[["model", "dataset", "question_id"]].itertuples(index=False, name=None)
    return frame[[key not in keys for key in own]]


def _named(key: tuple) -> dict:
    return dict(zip(CELL, key, strict=True))


def _transitions(stated: pd.DataFrame, final: pd.DataFrame, study_seed: int, resampling: Mapping) -> dict:
    columns = ["correct", "canonical", "readable"]
    first = stated.sort_values("call_index").groupby(QUESTION, sort=True)[columns].first(skipna=False)
    both = first.add_suffix("_first").join(final.set_index(QUESTION)[columns], how="inner")
    was, now = both["correct_first"].to_numpy(dtype=bool), both["correct"].to_numpy(dtype=bool)
    difference = pd.Series(now.astype(float) - was, index=both.index).groupby("question_id", sort=True).mean()
    dataset = final["dataset"].iloc[0]
    (estimate,) = bootstrap_means(
        difference.to_numpy(), seed=bootstrap_seed(study_seed, dataset), **resampling
    )
    runs = both.index.get_level_values("run").nunique()
    gained, lost = int((now & ~was).sum()), int((was & ~now).sum())
    same = (both["canonical_first"] == both["canonical"]) | (~both["readable_first"] & ~both["readable"])
    return {
        "n_questions": len(difference),
        "runs": runs,
        "first_accuracy": float(was.mean()),
        "final_accuracy": float(now.mean()),
        "difference": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "p": estimate.p,
        "p_mcnemar": mcnemar_exact(gained, lost) if runs == 1 else None,
        "wrong_to_right": gained,
        "right_to_wrong": lost,
        "right_to_right": int((was & now).sum()),
        "wrong_to_wrong": int((~was & ~now).sum()),
        "changed_share": float(1 - same.fillna(False).mean()),
    }


def _rounds(made: pd.DataFrame) -> list[dict]:
    """Rounds used, and whether the number of calls ever varied."""
    per_question = made.groupby(QUESTION, sort=True).agg(last=("round", "max"), calls=("call_index", "size"))
    n, last, calls = len(per_question), per_question["last"], per_question["calls"]
    adaptive = calls.nunique() > 1 or last.max() == 0
    at_once = float((last == 0).mean())
    rows = [
        {"measure": "calls_mean", "value": float(calls.mean()), "n": n},
        {"measure": "rounds_mean", "value": float(last.mean()), "n": n},
        {
            "measure": "stopped_at_once",
            "value": at_once,
            "n": n,
            "warning": _degenerate(at_once) if adaptive else None,
        },
    ]
    for r in range(1, int(last.max()) + 1):
        share = float((last >= r).mean())
        rows.append({"measure": f"reached_round_{r}", "round": r, "value": share, "n": n})
    return rows


def _degenerate(at_once: float) -> str | None:
    if at_once == 1:
        return "never went beyond its first attempt: what was measured is a single pass"
    if at_once >= DEGENERATE:
        return f"went beyond its first attempt on {1 - at_once:.1%} of questions only"
    return None


def _judgements(made: pd.DataFrame) -> list[dict]:
    replies = [read_judgement(text) for text in made.loc[made["role"] == "judge", "text"]]
    if not replies:
        return []
    n = len(replies)
    shares = {"correct": True, "incorrect": False, "unreadable": None}
    return [
        {"measure": f"judged_{name}", "value": sum(r is said for r in replies) / n, "n": n}
        for name, said in shares.items()
    ]


def _unanimity(stated: pd.DataFrame) -> list[dict]:
    """Share of questions on which all agents give the same readable answer, round by round."""
    rows = []
    for number, part in stated.groupby("round", sort=True):
        groups = part.groupby(QUESTION, sort=True)
        alike = (groups["canonical"].nunique() == 1) & groups["readable"].all()
        rows.append(
            {
                "measure": f"unanimous_round_{number}",
                "round": int(number),
                "value": float(alike.mean()),
                "n": len(alike),
            }
        )
    return rows


def _unreadable(given: pd.DataFrame, study_seed: int, resampling: Mapping) -> dict:
    n = len(given)
    unread = ~given["readable"].to_numpy(dtype=bool)
    cut = given["stopped_by_length"].to_numpy(dtype=bool)
    if n == given["question_id"].nunique():
        low, high = wilson_interval(int(unread.sum()), n, resampling["confidence"])
    else:  # several answers to a question are no independent trials
        by_question = pd.Series(unread.astype(float), index=given["question_id"]).groupby(level=0, sort=True)
        seed = bootstrap_seed(study_seed, given["dataset"].iloc[0])
        (estimate,) = bootstrap_means(by_question.mean().to_numpy(), seed=seed, **resampling)
        low, high = estimate.low, estimate.high
    right = given["correct"].to_numpy(dtype=bool)
    return {
        "answers": n,
        "unreadable": int(unread.sum()),
        "rate": float(unread.mean()),
        "low": low,
        "high": high,
        "truncated": int(cut.sum()),
        "truncated_rate": float(cut.mean()),
        "truncated_unreadable": int((cut & unread).sum()),
        "accuracy_of_readable": float(np.mean(right[~unread])) if (~unread).any() else None,
    }
