"""The pick against the vote on the same samples."""

import math

import pandas as pd
import pytest

from reasonaudit.analysis.judge_against_count import judge_against_count
from reasonaudit.errors import TableError
from reasonaudit.tables.dropped_questions import DROPPED_QUESTIONS
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.pick_positions import PICK_POSITIONS
from reasonaudit.tables.pick_vs_count import PICK_VS_COUNT
from unit.synthetic import Study, make_study

METHODS = {"best_of_n": {"kind": "choosing"}, "shuffled": {"kind": "choosing", "permutes": "best_of_n"}}


def study_of(questions, method="best_of_n", seeds=range(8), run=0, study=None):
    """A study from (answers of the candidates, place of the pick, note) per question; "1" is right."""
    study = study or Study(statistics={"resamples": 10_000, "confidence": 0.95})
    seeds = list(seeds)
    for i, (answers, place, note) in enumerate(questions):
        keys = {
            "model": "m",
            "dataset": "d",
            "method": method,
            "run": run,
            "question_id": f"q{i:03d}",
        }
        for j, answer in enumerate(answers):
            state = {
                "canonical": answer,
                "readable": answer is not None,
                "correct": answer == "1",
                "stopped_by_length": False,
            }
            step = {**keys, "call_index": j, "sample_index": j, "role": "sample", "round": 0}
            study.steps.append({**step, **state})
            study.calls.append(
                {
                    **step,
                    "seed": seeds[j],
                    "messages": [],
                    "text": "",
                    "tokens_source": "measured",
                }
            )
            if j == place:
                study.answers.append(
                    {**keys, **state, "sample_index": 0, "text_from": j, "calls": 9, "note": note}
                )
    return study


def run(study, folder, methods=METHODS, dropped=()):
    paths = study.write(folder, only=("answers", "steps", "calls"))
    gone = folder / "dropped.parquet"
    write_table(gone, dropped, DROPPED_QUESTIONS)
    out = {name: folder / f"{name}.parquet" for name in ("pick_vs_count", "pick_positions")}
    judge_against_count(
        **paths, dropped=gone, **out, methods=methods, statistics=study.statistics, study_seed=1
    )
    return (
        read_frame(out["pick_vs_count"], PICK_VS_COUNT),
        read_frame(out["pick_positions"], PICK_POSITIONS),
    )


@pytest.mark.parametrize(
    ("judge", "count", "disagree", "judge_only", "count_only", "override", "ci", "p", "p_mcnemar"),
    [  # the project's reference vectors, paired_counts_150 (paper 1, its six settings)
        (107, 119, 30, 2, 14, 0.125, (-13.3, -3.3), 0.001, 0.00418),
        (70, 87, 55, 2, 19, 0.095, (-17.3, -6.0), 0.0, 0.000221),
        (126, 134, 17, 3, 11, 0.214, (-10.7, -0.7), 0.038, 0.0574),
        (78, 104, 48, 1, 27, 0.036, (-24.0, -11.3), 0.0, 2.16e-07),
        (136, 139, 8, 1, 4, 0.2, (-5.3, 0.7), 0.241, 0.375),
        (107, 109, 24, 2, 4, 0.333, (-4.7, 2.0), 0.538, 0.688),
    ],
)
def test_published_counts(
    tmp_path, judge, count, disagree, judge_only, count_only, override, ci, p, p_mcnemar
):
    both_right = judge - judge_only
    both_wrong_differ = disagree - judge_only - count_only
    questions = (
        [(["1", "1", "2"], 0, None)] * both_right
        + [(["2", "1", "2"], 1, None)] * judge_only
        + [(["2", "1", "1"], 0, None)] * count_only
        + [(["3", "2", "2"], 0, None)] * both_wrong_differ
    )
    questions += [(["2", "2", "1"], 0, None)] * (150 - len(questions))
    table, positions = run(study_of(questions), tmp_path)
    (row,) = table.to_dict("records")
    assert row["judge_accuracy"] == pytest.approx(judge / 150)
    assert row["count_accuracy"] == pytest.approx(count / 150)
    assert (row["judge_only"], row["count_only"]) == (judge_only, count_only)
    assert row["agreement"] == pytest.approx(1 - disagree / 150)
    assert row["override_accuracy"] == pytest.approx(override, abs=0.0005)
    assert row["p_mcnemar"] == pytest.approx(p_mcnemar, rel=0.005)
    assert row["p_mid"] < row["p_mcnemar"]
    step = 100 / 150
    assert 100 * row["low"] == pytest.approx(ci[0], abs=0.05 + step)
    assert 100 * row["high"] == pytest.approx(ci[1], abs=0.05 + step)
    assert row["p"] == pytest.approx(p, abs=0.0015 + 8 * math.sqrt(max(p, 1e-4) / 2 / 10_000))
    assert positions["picks"].sum() == 150


def test_chance_vote_and_oracle(tmp_path):
    questions = [
        (["1", "2", "2", "3"], 0, None),  # the pick finds the one right candidate
        (["2", "1", "1", None], 0, None),  # the vote finds it
        (["2", "2", "3", None], 3, None),  # nothing to find, and the pick cannot be read
        ([None, None, None, None], 0, None),
    ]
    (row,) = run(study_of(questions), tmp_path)[0].to_dict("records")
    assert row["judge_accuracy"] == 1 / 4
    assert row["count_accuracy"] == 1 / 4
    assert row["random_accuracy"] == pytest.approx((1 / 4 + 2 / 4) / 4)
    assert row["oracle_accuracy"] == 2 / 4
    assert row["selection_gap"] == 1 / 4
    assert row["judge_minus_random"] == pytest.approx(1 / 4 - 3 / 16)
    assert row["agreement"] == 1 / 4  # nothing readable at all: pick and vote both say nothing
    assert row["override_accuracy"] == 1 / 2
    assert row["p_mcnemar"] == 1


def test_unreadable_picks_are_counted_and_have_no_position(tmp_path):
    questions = [
        (["1", "1"], 0, "pick_unreadable"),
        (["1", "1"], 0, "pick_out_of_range"),
        (["1", "2"], 1, None),
        (["1", "1"], 1, None),
    ]
    table, positions = run(study_of(questions), tmp_path)
    (row,) = table.to_dict("records")
    assert (row["unreadable_picks"], row["out_of_range_picks"]) == (1, 1)
    assert row["first_position_share"] == 0
    assert positions["picks"].tolist() == [0, 2]
    assert positions["share"].tolist() == [0, 1]
    assert positions["candidates_right"].tolist() == [1, 0.75]
    assert positions["picks_right"].tolist()[1] == 0.5
    assert pd.isna(positions["picks_right"][0])


def test_tied_votes_take_the_first_and_random_ties_are_beside(tmp_path):
    questions = [(["1", "2"], 1, None)] * 200
    (row,) = run(study_of(questions), tmp_path)[0].to_dict("records")
    assert row["tied_votes"] == 200
    assert row["count_accuracy"] == 1
    assert row["difference"] == -1
    assert row["difference_random_ties"] == pytest.approx(-0.5, abs=4 * 0.5 / math.sqrt(200))


def test_the_other_order_is_matched_by_seed(tmp_path):
    study = study_of([(["1", "2", "3"], 0, None), (["1", "2", "3"], 2, None)], seeds=[10, 11, 12])
    # The same candidates in reversed order: place 2 is seed 10, place 1 is seed 11.
    study_of(
        [(["3", "2", "1"], 2, None), (["3", "2", "1"], 1, None)],
        method="shuffled",
        seeds=[12, 11, 10],
        study=study,
    )
    table = run(study, tmp_path)[0].set_index("method")
    assert table.loc["shuffled", "permutes"] == "best_of_n"
    assert table.loc["shuffled", "same_pick_share"] == 0.5
    assert pd.isna(table.loc["best_of_n", "same_pick_share"])


def test_runs_are_averaged_and_give_no_pairs(tmp_path):
    study = study_of([(["1", "2", "2"], 0, None), (["1", "1", "2"], 0, None)])
    study_of([(["1", "2", "2"], 1, None), (["1", "1", "2"], 0, None)], run=1, study=study)
    (row,) = run(study, tmp_path)[0].to_dict("records")
    assert (row["n_questions"], row["runs"], row["judge_only"]) == (2, 2, 1)
    assert row["difference"] == pytest.approx(0.25)
    assert pd.isna(row["p_mcnemar"])


def test_dropped_questions_are_left_out(tmp_path):
    study = study_of([(["1", "2", "2"], 0, None), (["1", "1", "2"], 0, None)])
    gone = [{"model": "m", "dataset": "d", "question_id": "q000", "methods": "best_of_n", "calls": 1}]
    (row,) = run(study, tmp_path, dropped=gone)[0].to_dict("records")
    assert row["n_questions"] == 1
    assert row["difference"] == 0


def test_other_methods_are_ignored_and_none_is_an_empty_table(tmp_path):
    study = make_study(n_questions=3, pool_size=3, methods=("self_consistency", "chain_of_thought"))
    table, positions = run(study, tmp_path, methods=study.methods)
    assert table.empty
    assert positions.empty


def test_picks_without_candidates(tmp_path):
    study = study_of([(["1", "2"], 0, None)])
    for row in study.steps:
        row["role"] = "agent"
    with pytest.raises(TableError, match="without candidates"):
        run(study, tmp_path)
