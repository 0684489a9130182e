"""Transitions, engagement and unreadable answers."""

import pandas as pd
import pytest

from reasonaudit.analysis.paired_tests import mcnemar_exact, wilson_interval
from reasonaudit.analysis.tabulate_mechanisms import tabulate_mechanisms
from reasonaudit.tables.dropped_questions import DROPPED_QUESTIONS
from reasonaudit.tables.engagement import ENGAGEMENT
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.transitions import TRANSITIONS
from reasonaudit.tables.unreadable import UNREADABLE
from unit.synthetic import make_study


def run(study, folder, dropped=()):
    paths = study.write(folder, only=("calls", "answers", "steps"))
    write_table(folder / "dropped.parquet", dropped, DROPPED_QUESTIONS)
    schemas = {"transitions": TRANSITIONS, "engagement": ENGAGEMENT, "unreadable": UNREADABLE}
    out = {name: folder / f"{name}.parquet" for name in schemas}
    tabulate_mechanisms(
        **paths,
        dropped=folder / "dropped.parquet",
        **out,
        methods=study.methods,
        statistics=study.statistics,
        study_seed=1,
    )
    return {name: read_frame(path, schemas[name]) for name, path in out.items()}


@pytest.fixture(scope="module")
def study():
    return make_study(models={"a": 0.0, "b": 1.0}, n_questions=30, pool_size=5, unreadable=0.15)


@pytest.fixture(scope="module")
def tables(study, tmp_path_factory):
    return run(study, tmp_path_factory.mktemp("mechanisms"))


@pytest.mark.parametrize("method", ["self_refine", "reflexion", "reflexion_forced"])
def test_transitions_are_counted_from_first_and_last_answers(study, tables, method):
    counts = {(a, b): 0 for a in (True, False) for b in (True, False)}
    changed = 0
    for answer in study.answers:
        if (answer["model"], answer["method"]) != ("a", method):
            continue
        steps = [
            s
            for s in study.steps
            if (s["model"], s["method"], s["question_id"]) == ("a", method, answer["question_id"])
        ]
        first = min(steps, key=lambda s: s["call_index"])
        counts[first["correct"], answer["correct"]] += 1
        changed += first["canonical"] != answer["canonical"]
    row = tables["transitions"].set_index(["model", "method"]).loc[("a", method)]
    assert row["right_to_wrong"] == counts[True, False]
    assert row["wrong_to_right"] == counts[False, True]
    assert row["right_to_right"] == counts[True, True]
    assert row["wrong_to_wrong"] == counts[False, False]
    assert row["changed_share"] == pytest.approx(changed / 30)
    assert row["difference"] == pytest.approx((counts[False, True] - counts[True, False]) / 30)
    assert row["p_mcnemar"] == mcnemar_exact(counts[False, True], counts[True, False])
    assert row["low"] <= row["difference"] <= row["high"]


def test_only_rewriting_methods_have_transitions(tables):
    assert set(tables["transitions"]["method"]) == {"self_refine", "reflexion", "reflexion_forced"}


def test_engagement_of_reflexion(study, tables):
    calls = pd.DataFrame(study.calls).query("model == 'b' and method == 'reflexion'")
    rounds = calls.groupby("question_id")["round"].max()
    judged = calls[calls["role"] == "judge"]["text"]
    table = tables["engagement"].set_index(["model", "method", "measure"])["value"]
    of = table["b", "reflexion"]
    assert of["stopped_at_once"] == pytest.approx((rounds == 0).mean())
    assert of["rounds_mean"] == pytest.approx(rounds.mean())
    assert of["reached_round_1"] == pytest.approx(1 - of["stopped_at_once"])
    assert of["calls_mean"] == pytest.approx(len(calls) / 30)
    assert of["judged_incorrect"] == pytest.approx(judged.str.startswith("INCORRECT").mean())
    assert of["judged_correct"] + of["judged_incorrect"] == pytest.approx(1)
    assert of["judged_unreadable"] == 0


def test_forced_rounds_are_no_degeneration(tables):
    rows = tables["engagement"].query("method == 'reflexion_forced'")
    value = rows.set_index(["model", "measure"])["value"]
    assert value["a", "stopped_at_once"] == 0
    assert value["a", "rounds_mean"] == 3
    assert rows["warning"].isna().all()


def test_methods_without_rounds_have_no_engagement(tables):
    assert set(tables["engagement"]["method"]) == {"self_refine", "reflexion", "reflexion_forced", "debate"}


def test_a_method_that_never_acts_is_called_out(tmp_path):
    study = make_study(n_questions=40, methods=("self_consistency", "reflexion"), pool_size=2)
    for row in study.calls:
        if row["role"] == "judge":
            row["text"] = "CORRECT"
    study.calls = [r for r in study.calls if r["round"] == 0]
    study.steps = [r for r in study.steps if r["round"] == 0]
    table = run(study, tmp_path)["engagement"].set_index("measure")
    assert table.loc["stopped_at_once", "value"] == 1
    assert "single pass" in table.loc["stopped_at_once", "warning"]
    assert table.loc["judged_correct", "value"] == 1
    extra = {**study.calls[0], "call_index": 9, "round": 1, "role": "retry"}
    extra = {**extra, "method": "reflexion", "sample_index": 0}
    study.calls.append(extra)
    again = run(study, tmp_path / "again")["engagement"].set_index("measure")
    assert again.loc["stopped_at_once", "value"] == pytest.approx(39 / 40)
    assert "2.5% of questions only" in again.loc["stopped_at_once", "warning"]


def test_unanimity_by_round(study, tables):
    steps = pd.DataFrame(study.steps).query("model == 'a' and method == 'debate'")
    for r in (0, 1, 2):
        alike = [
            part["readable"].all() and part["canonical"].nunique() == 1
            for _, part in steps[steps["round"] == r].groupby("question_id")
        ]
        row = tables["engagement"].query(
            f"model == 'a' and method == 'debate' and measure == 'unanimous_round_{r}'"
        )
        assert row["value"].item() == pytest.approx(sum(alike) / 30)
        assert row["round"].item() == r


def test_unreadable_rates(study, tables):
    answers = pd.DataFrame(study.answers)
    table = tables["unreadable"].set_index(["model", "method"])
    assert len(table) == 16
    for key, part in answers.groupby(["model", "method"]):
        row = table.loc[key]
        assert row["answers"] == len(part)
        assert row["unreadable"] == (~part["readable"]).sum()
        assert row["truncated"] == part["stopped_by_length"].sum()
        assert row["truncated_unreadable"] == (part["stopped_by_length"] & ~part["readable"]).sum()
        assert row["accuracy_of_readable"] == pytest.approx(part[part["readable"]]["correct"].mean())
        if key[1] != "self_consistency":
            assert (row["low"], row["high"]) == wilson_interval(row["unreadable"], 30)
    pool = table.loc[("a", "self_consistency")]
    assert pool["answers"] == 150
    assert pool["low"] < pool["rate"] < pool["high"]


def test_dropped_questions_are_left_out(study, tables, tmp_path):
    gone = [{"model": "a", "dataset": "sums", "question_id": "q007", "methods": "debate", "calls": 1}]
    found = run(study, tmp_path, gone)
    rows = found["transitions"].set_index(["model", "method"])["n_questions"]
    assert rows["a", "self_refine"] == 29
    assert rows["b", "self_refine"] == 30
    assert found["unreadable"].set_index(["model", "method"]).loc[("a", "debate"), "answers"] == 29
    assert set(found["engagement"].query("model == 'a'")["n"]) & {30} == set()
