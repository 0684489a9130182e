"""Integrity gates: a clean study passes, and each corruption is stopped by the gate that names its rows."""

import copy

import pytest

from reasonaudit.analysis.gates import GATES_IN_ORDER, check_integrity
from reasonaudit.errors import GateError
from reasonaudit.tables.dropped_questions import DROPPED_QUESTIONS
from reasonaudit.tables.gates import GATES
from reasonaudit.tables.parquet import TableSchema, read_frame
from unit import synthetic
from unit.synthetic import make_study


@pytest.fixture(scope="module")
def clean():
    return make_study(
        n_questions=5, pool_size=4, methods=("self_consistency", "reflexion", "best_of_n"), runs=2
    )


@pytest.fixture
def study(clean):
    return copy.deepcopy(clean)


def check(study, folder, **statistics):
    paths = study.write(folder, only=("questions", "calls", "answers", "verdicts"))
    gates, dropped = folder / "gates.parquet", folder / "dropped.parquet"
    check_integrity(
        **paths,
        gates=gates,
        dropped=dropped,
        cells=study.cells,
        pool=study.pool,
        methods=study.methods | {"best_of_n": {"kind": "choosing", "calls": [9]}},
        grading=study.grading,
        statistics=study.statistics | statistics,
    )
    return read_frame(gates, GATES), read_frame(dropped, DROPPED_QUESTIONS)


def rows(study, table, **wanted):
    return [r for r in getattr(study, table) if all(r[name] == value for name, value in wanted.items())]


def test_a_clean_study_passes(study, tmp_path):
    gates, dropped = check(study, tmp_path)
    assert set(gates["gate"]) == {gate.name for gate in GATES_IN_ORDER}
    assert (gates["status"] == "passed").all()
    assert (gates["failed"] == 0).all()
    of = gates.set_index("gate")
    assert of.loc["token_totals", "cells"] == 3
    assert of.loc["token_totals", "calls"] == len(study.calls)
    assert of.loc["allowed_number_of_calls", "cells"] == 1  # only where a number is declared
    assert dropped.empty


def missing_question(study):
    study.answers = [r for r in study.answers if r["method"] != "reflexion" or r["question_id"] != "q014"]


def missing_sample(study):
    study.answers.remove(
        rows(study, "answers", method="self_consistency", question_id="q007", run=1, sample_index=2)[0]
    )


def missing_calls_of_a_question(study):
    study.calls = [
        r for r in study.calls if (r["method"], r["question_id"], r["run"]) != ("best_of_n", "q007", 0)
    ]


def missing_call_in_the_middle(study):
    study.calls.remove(rows(study, "calls", method="best_of_n", question_id="q007", run=0, call_index=4)[0])


def missing_last_call(study):
    study.calls.remove(rows(study, "calls", method="best_of_n", question_id="q007", run=0, call_index=8)[0])


def wrong_token_count(study):
    rows(study, "calls", method="self_consistency", question_id="q007", run=0, sample_index=3)[0][
        "completion_tokens"
    ] += 1


def wrong_total(study):
    rows(study, "answers", method="reflexion", question_id="q007", run=1)[0]["total_tokens"] -= 7


def unknown_question(study):
    for table in ("answers", "calls", "verdicts"):
        for row in rows(study, table, method="reflexion", question_id="q007", run=0):
            row["question_id"] = "q999"


def extra_sample(study):
    row = rows(study, "answers", method="self_consistency", question_id="q007", run=0, sample_index=3)[0]
    study.answers.append({**row, "sample_index": 4})


def reply_over_its_limit(study):
    rows(study, "calls", method="reflexion", question_id="q007", run=0)[0]["max_tokens"] = 3


def tokens_miscounted_everywhere(study):
    """A wrong count that the answers took over: only the tokens themselves tell."""
    row = rows(study, "calls", method="self_consistency", question_id="q007", run=0, sample_index=3)[0]
    row["token_ids"] = [5] * row["completion_tokens"]
    row["completion_tokens"] -= 1
    answer = rows(study, "answers", method="self_consistency", question_id="q007", run=0, sample_index=3)[0]
    answer["generated_tokens"] -= 1
    answer["total_tokens"] -= 1


def more_cached_than_asked(study):
    rows(study, "calls", method="reflexion", question_id="q007", run=0)[0]["cached_prompt_tokens"] = 9000


def answer_from_nowhere(study):
    rows(study, "answers", method="best_of_n", question_id="q007", run=0)[0]["text_from"] = 40


def truncation_forgotten(study):
    row = rows(study, "answers", method="best_of_n", question_id="q007", run=0)[0]
    row["stopped_by_length"] = not row["stopped_by_length"]


def missing_verdict(study):
    study.verdicts.remove(
        rows(study, "verdicts", method="reflexion", question_id="q007", verifier="strict")[0]
    )


def verdict_and_answer_differ(study):
    row = rows(study, "answers", method="reflexion", question_id="q007", run=0)[0]
    row["correct"] = not row["correct"]


def call_never_started(study):
    row = rows(study, "calls", method="best_of_n", question_id="q007", run=0, call_index=8)[0]
    row |= {"stop_reason": "context", "completion_tokens": 0}


@pytest.mark.parametrize(
    ("corrupt", "gate", "named"),
    [
        (
            missing_question,
            "every_question_answered",
            "tiny, sums, reflexion, run 0, q014: 0 answers instead of 1",
        ),
        (missing_sample, "every_question_answered", "self_consistency, run 1, q007: 3 answers instead of 4"),
        (
            missing_calls_of_a_question,
            "no_call_missing",
            "best_of_n, run 0, q007: 0 calls, the last numbered -1",
        ),
        (missing_call_in_the_middle, "no_call_missing", "q007: 8 calls, the last numbered 8, answers say 9"),
        (missing_last_call, "no_call_missing", "q007: 8 calls, the last numbered 7, answers say 9"),
        (missing_last_call, "allowed_number_of_calls", "q007: 8 calls; allowed: [9]"),
        (wrong_token_count, "token_totals", "self_consistency, run 0, q007: answer 3: "),
        (wrong_total, "token_totals", "reflexion, run 1, q007: answer 0: "),
        (unknown_question, "only_sampled_questions", "reflexion, run 0, q999: answer 0 to nothing"),
        (extra_sample, "only_sampled_questions", "self_consistency, run 0, q007: sample 4 of 4"),
        (reply_over_its_limit, "tokens_within_limit", "reflexion, run 0, q007: call 0: "),
        (tokens_miscounted_everywhere, "tokens_counted", "self_consistency, run 0, q007: call 3: "),
        (more_cached_than_asked, "tokens_within_limit", "reflexion, run 0, q007: call 0: "),
        (answer_from_nowhere, "answer_from_its_call", "q007: answer 0 from call 40, which is not stored"),
        (truncation_forgotten, "answer_from_its_call", "q007: answer 0 from call"),
        (missing_verdict, "every_answer_judged", "reflexion, run 0, q007: answer 0: 1 verdicts of 2"),
        (verdict_and_answer_differ, "every_answer_judged", "reflexion, run 0, q007: answer 0: correct is"),
        (call_never_started, "every_call_started", "best_of_n, run 0, q007: 1 calls never started"),
    ],
)
def test_corruption_is_stopped_and_named(study, tmp_path, corrupt, gate, named):
    corrupt(study)
    with pytest.raises(GateError) as error:
        check(study, tmp_path)
    assert gate in error.value.what
    assert any(
        line.strip().startswith(f"[{gate}]") and named in line for line in error.value.where.split("\n")
    )
    assert not (tmp_path / "gates.parquet").exists()


@pytest.mark.parametrize("table", ["calls", "answers"])
def test_a_row_stored_twice(study, tmp_path, table, monkeypatch):
    # The writer refuses duplicate keys, so the file is written as a foreign tool might.
    schema = getattr(synthetic, table.upper())
    monkeypatch.setattr(
        synthetic, table.upper(), TableSchema(schema.name, schema.columns, (), schema.required)
    )
    row = rows(study, table, method="reflexion", question_id="q007", run=1)[0]
    getattr(study, table).append(dict(row))
    with pytest.raises(GateError, match=f"unique_{table}") as error:
        check(study, tmp_path)
    assert "reflexion, run 1, q007" in error.value.where
    assert "stored 2 times" in error.value.where


def test_calls_that_never_started_can_be_allowed(study, tmp_path):
    call_never_started(study)
    gates, dropped = check(study, tmp_path, allow_context_errors=True)
    row = gates.set_index("gate").loc["every_call_started"]
    assert (row["status"], row["failed"]) == ("allowed", 1)
    assert dropped.to_dict("records") == [
        {"model": "tiny", "dataset": "sums", "question_id": "q007", "methods": "best_of_n", "calls": 1}
    ]


def test_a_dropped_question_needs_no_answer(study, tmp_path):
    call_never_started(study)
    study.answers = [r for r in study.answers if (r["method"], r["question_id"]) != ("best_of_n", "q007")]
    gates, _ = check(study, tmp_path, allow_context_errors=True)
    assert (gates["status"] != "failed").all()


def test_a_second_pool_is_a_pool_too(study, tmp_path):
    for table in ("calls", "answers", "verdicts"):
        own = rows(study, table, method="self_consistency")
        getattr(study, table).extend([row | {"method": "hot_pool"} for row in own])
    study.methods = {**study.methods, "hot_pool": {"kind": "pool"}}
    study.cells[0]["methods"].append("hot_pool")
    gates, _ = check(study, tmp_path)
    assert (gates["status"] == "passed").all()
    assert set(gates.loc[gates["gate"] != "allowed_number_of_calls", "cells"]) == {4}


def test_many_failures_are_counted_not_listed(study, tmp_path):
    for row in study.answers:
        row["generated_tokens"] += 1
    with pytest.raises(GateError, match=f"{len(study.answers)} rows fail") as error:
        check(study, tmp_path)
    assert error.value.where.endswith(f"... and {len(study.answers) - 12} more")


def test_unknown_token_counts_are_no_mismatch(study, tmp_path):
    for row in study.calls:
        row["completion_tokens"] = row["prompt_tokens"] = None
    for row in study.answers:
        row["generated_tokens"] = row["total_tokens"] = None
    check(study, tmp_path)


def test_names_with_quotes_pass_through(tmp_path):
    study = make_study(models={"it's": 0.0}, n_questions=2, pool_size=2, methods=("self_consistency",))
    gates, _ = check(study, tmp_path)
    assert len(gates) == len(GATES_IN_ORDER)
