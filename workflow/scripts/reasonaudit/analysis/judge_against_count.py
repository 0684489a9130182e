"""The model's pick against a count on the very same samples, which isolates the value of judging.

Samples, tokens and model are identical; only the last step differs. Beside the vote stand a candidate drawn
at random (what chance gives) and the best candidate (what generation offers), so that a poor result can be
told apart: bad candidates, a vote that helps, or a pick that hurts.

A vote is one decision here: ties take the answer that stands first in the stored order, and a seeded random
choice shows how much that matters.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from reasonaudit.analysis.comparisons import bootstrap_seed
from reasonaudit.analysis.curve import Pool, decide
from reasonaudit.analysis.frames import read_columns
from reasonaudit.analysis.paired_tests import mcnemar_exact, mcnemar_mid_p, wilson_interval
from reasonaudit.analysis.resampling import bootstrap_means, generator
from reasonaudit.analysis.setting import class_codes
from reasonaudit.errors import TableError
from reasonaudit.seeds import derive_seed
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.dropped_questions import DROPPED_QUESTIONS
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.pick_positions import PICK_POSITIONS
from reasonaudit.tables.pick_vs_count import PICK_VS_COUNT
from reasonaudit.tables.step_answers import STEP_ANSWERS

UNREADABLE, OUT_OF_RANGE = "pick_unreadable", "pick_out_of_range"
_CELL = ["model", "dataset", "method"]
_QUESTION = ["run", "question_id"]


def judge_against_count(
    *,
    answers: Iterable[str | Path],
    steps: Iterable[str | Path],
    calls: Iterable[str | Path],
    dropped: str | Path,
    pick_vs_count: str | Path,
    pick_positions: str | Path,
    methods: Mapping[str, Mapping],
    statistics: Mapping,
    study_seed: int,
) -> None:
    """Write both tables for every method of kind ``choosing``.

    Args:
        answers, steps, calls, dropped: paths of the stored tables; files of other methods are ignored.
        pick_vs_count, pick_positions: paths to write.
        methods: name -> ``kind``; ``permutes`` names the method whose candidates an entry reorders.
        statistics: ``resamples`` and ``confidence``.
    """
    choosing = [name for name, entry in methods.items() if entry["kind"] == "choosing"]
    gone = read_columns(dropped, DROPPED_QUESTIONS, ["model", "dataset", "question_id"])
    gone = set(gone.itertuples(index=False, name=None))
    picks = _kept(
        read_columns(
            answers, ANSWERS, [*_CELL, *_QUESTION, "text_from", "canonical", "readable", "correct", "note"]
        ),
        choosing,
        gone,
    )
    samples = _kept(
        read_columns(
            steps,
            STEP_ANSWERS,
            [
                *_CELL,
                *_QUESTION,
                "call_index",
                "sample_index",
                "role",
                "canonical",
                "readable",
                "correct",
            ],
        ),
        choosing,
        gone,
    )
    samples = samples[samples["role"] == "sample"]
    seeds = _kept(read_columns(calls, CALLS, [*_CELL, *_QUESTION, "call_index", "seed"]), choosing, gone)
    seeds = seeds.set_index([*_CELL, *_QUESTION, "call_index"])["seed"]
    rows, positions, picked = [], [], {}
    cells = dict(iter(samples.groupby(_CELL, sort=True)))
    for key, answered in picks.groupby(_CELL, sort=True):
        cell = _cell(key, answered, cells.get(key), study_seed)
        names = dict(zip(_CELL, key, strict=True))
        rows.append(names | _row(cell, statistics, bootstrap_seed(study_seed, key[1])))
        positions += [names | row for row in _positions(cell, statistics["confidence"])]
        picked[key] = {
            (run, question): seeds[(*key, run, question, call)]
            for run, question, call in answered[[*_QUESTION, "text_from"]].itertuples(index=False)
        }
    for row in rows:
        _compare_orders(row, methods, picked)
    write_table(pick_vs_count, rows, PICK_VS_COUNT)
    write_table(pick_positions, positions, PICK_POSITIONS)


def _kept(frame: pd.DataFrame, methods: list[str], gone: set) -> pd.DataFrame:
    frame = frame[frame["method"].isin(methods)]
    if not gone:
        return frame
    keys = frame[["model", "dataset", "question_id"]].itertuples(index=False, name=None)
    return frame[[key not in gone for key in keys]]


def _cell(key, answered: pd.DataFrame, samples: pd.DataFrame | None, study_seed: int) -> pd.DataFrame:
    """One row per run and question: who is right, whether pick and vote agree, where the pick is."""
    if samples is None:
        raise TableError("picks without candidates", where=", ".join(key))
    rng = generator(derive_seed(study_seed, "ties", *key))
    groups = {
        group: part.sort_values("sample_index") for group, part in samples.groupby(_QUESTION, sort=True)
    }
    rows = []
    for pick in answered.sort_values(_QUESTION).to_dict("records"):
        candidates = groups[pick["run"], pick["question_id"]]
        correct = candidates["correct"].to_numpy(dtype=bool)
        codes = class_codes(candidates["canonical"].tolist(), candidates["readable"].tolist())
        pool = Pool(tuple(codes.tolist()), (0.0,) * (codes.max(initial=-1) + 1))
        winner, random_winner = decide(pool), decide(pool, rng)
        place = int(np.flatnonzero(candidates["call_index"].to_numpy() == pick["text_from"])[0])
        sizes = pool.sizes
        rows.append(
            {
                "run": pick["run"],
                "question_id": pick["question_id"],
                "judge": bool(pick["correct"]),
                "count": _is_right(winner, codes, correct),
                "count_random": _is_right(random_winner, codes, correct),
                "random": correct.mean(),
                "oracle": bool(correct.any()),
                "agree": (winner if winner is not None else -1) == codes[place],
                "tied": sum(size == max(sizes) for size in sizes) > 1 if sizes else False,
                "position": place + 1,
                "note": pick["note"] if isinstance(pick["note"], str) else "",
                "right": correct,
            }
        )
    return pd.DataFrame(rows)


def _is_right(winner: int | None, codes: np.ndarray, correct: np.ndarray) -> bool:
    return False if winner is None else bool(correct[np.flatnonzero(codes == winner)[0]])


def _row(cell: pd.DataFrame, statistics: Mapping, seed: int) -> dict:
    confidence = statistics["confidence"]
    judge, count, again = (cell[name].to_numpy(dtype=bool) for name in ("judge", "count", "count_random"))
    by_question = cell.assign(
        difference=judge.astype(float) - count, over_random=judge.astype(float) - cell["random"]
    ).groupby("question_id", sort=True)[["difference", "over_random"]]
    difference, over_random = bootstrap_means(
        by_question.mean().to_numpy(),
        resamples=statistics["resamples"],
        seed=seed,
        confidence=confidence,
    )
    b, c = int((judge & ~count).sum()), int((count & ~judge).sum())
    agreement, override = (
        wilson_interval(int(k), int(n), confidence) for k, n in ((cell["agree"].sum(), len(cell)), (b, b + c))
    )
    runs = cell["run"].nunique()
    named = cell[~cell["note"].isin([UNREADABLE, OUT_OF_RANGE])]
    row = {
        "n_questions": cell["question_id"].nunique(),
        "runs": runs,
        "judge_accuracy": float(judge.mean()),
        "count_accuracy": float(count.mean()),
        "random_accuracy": float(cell["random"].mean()),
        "oracle_accuracy": float(cell["oracle"].mean()),
        "difference": difference.value,
        "low": difference.low,
        "high": difference.high,
        "p": difference.p,
        "judge_only": b,
        "count_only": c,
        "agreement": float(cell["agree"].mean()),
        "agreement_low": agreement[0],
        "agreement_high": agreement[1],
        "override_accuracy": b / (b + c) if b + c else None,
        "override_low": override[0],
        "override_high": override[1],
        "judge_minus_random": over_random.value,
        "judge_minus_random_low": over_random.low,
        "judge_minus_random_high": over_random.high,
        "selection_gap": float(cell["oracle"].mean() - judge.mean()),
        "first_position_share": float((named["position"] == 1).mean()) if len(named) else None,
        "unreadable_picks": int((cell["note"] == UNREADABLE).sum()),
        "out_of_range_picks": int((cell["note"] == OUT_OF_RANGE).sum()),
        "tied_votes": int(cell["tied"].sum()),
        "difference_random_ties": float(judge.mean() - again.mean()),
    }
    if runs == 1:  # runs of one question are no independent pairs
        row |= {
            "p_mcnemar": mcnemar_exact(b, c),
            "p_mid": mcnemar_mid_p(b, c),
            "p_mcnemar_random_ties": mcnemar_exact(int((judge & ~again).sum()), int((again & ~judge).sum())),
        }
    return row


def _positions(cell: pd.DataFrame, confidence: float) -> list[dict]:
    named = cell[~cell["note"].isin([UNREADABLE, OUT_OF_RANGE])]
    rows = []
    for place in range(max(len(right) for right in cell["right"])):
        here = named[named["position"] == place + 1]
        shown = [right[place] for right in cell["right"] if len(right) > place]
        low, high = wilson_interval(len(here), len(named), confidence)
        rows.append(
            {
                "position": place + 1,
                "picks": len(here),
                "share": len(here) / len(named) if len(named) else None,
                "low": low,
                "high": high,
                "candidates_right": float(np.mean(shown)),
                "picks_right": float(here["judge"].mean()) if len(here) else None,
            }
        )
    return rows


def _compare_orders(row: dict, methods: Mapping[str, Mapping], picked: Mapping[tuple, dict]) -> None:
    """Candidates of two orders are the same where they were sampled with the same seed."""
    other = methods[row["method"]].get("permutes")
    theirs = picked.get((row["model"], row["dataset"], other))
    if other is None or theirs is None:
        return
    own = picked[row["model"], row["dataset"], row["method"]]
    both = own.keys() & theirs.keys()
    row["permutes"] = other
    if both:
        row["same_pick_share"] = sum(own[key] == theirs[key] for key in both) / len(both)
