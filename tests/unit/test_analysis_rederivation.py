"""The second route agrees with the first, and notices when a published number is off."""

import pyarrow.parquet as pq
import pytest

from reasonaudit.analysis.compare_methods import compare_methods
from reasonaudit.analysis.estimate_curves import estimate_curves
from reasonaudit.analysis.judge_against_count import judge_against_count
from reasonaudit.analysis.rederivation import rederive_results
from reasonaudit.errors import GateError
from reasonaudit.tables.comparisons import COMPARISONS
from reasonaudit.tables.curves import CURVES
from reasonaudit.tables.dropped_questions import DROPPED_QUESTIONS
from reasonaudit.tables.parquet import read_frame, read_table, write_table
from reasonaudit.tables.pick_vs_count import PICK_VS_COUNT
from reasonaudit.tables.rederivation import REDERIVATION
from reasonaudit.tables.step_answers import STEP_ANSWERS
from unit.synthetic import make_study


def analyse(study, folder, dropped=(), **statistics):
    """All tables under check; returns the arguments of the second route."""
    paths = study.write(folder, only=("questions", "calls", "answers", "steps"))
    write_table(folder / "dropped.parquet", dropped, DROPPED_QUESTIONS)
    out = {
        name: folder / f"{name}.parquet"
        for name in ("comparisons", "group_effects", "run_variance", "temperature_control")
    }
    shared = {
        "questions": paths["questions"],
        "answers": paths["answers"],
        "dropped": folder / "dropped.parquet",
        "pool": study.pool,
        "statistics": study.statistics | statistics,
        "study_seed": 1,
    }
    compare_methods(**shared, methods=study.methods, **out)
    estimate_curves(**shared, curves=folder / "curves.parquet")
    judge_against_count(
        answers=paths["answers"],
        steps=paths.get("steps", []),
        calls=paths["calls"],
        dropped=folder / "dropped.parquet",
        pick_vs_count=folder / "pick_vs_count.parquet",
        pick_positions=folder / "pick_positions.parquet",
        methods=study.methods,
        statistics=shared["statistics"],
        study_seed=1,
    )
    return {
        **{name: paths.get(name, []) for name in ("calls", "answers", "steps")},
        **{
            name: folder / f"{name}.parquet"
            for name in ("dropped", "curves", "comparisons", "pick_vs_count", "rederivation")
        },
        "pool": study.pool,
        "statistics": shared["statistics"],
    }


@pytest.fixture(scope="module")
def study():
    return make_study(models={"it's": 0.0, "b": 1.0}, n_questions=10, pool_size=5, runs=2, unreadable=0.2)


@pytest.mark.parametrize("ties", ["split", "first", "none"])
@pytest.mark.parametrize("unreadable", ["abstain", "wrong"])
def test_the_routes_agree(study, tmp_path, ties, unreadable):
    arguments = analyse(study, tmp_path, ties=ties, unreadable=unreadable)
    rederive_results(**arguments)
    table = read_frame(arguments["rederivation"], REDERIVATION)
    assert (table["status"] == "agrees").all()
    assert (table["difference"].abs() <= table["tolerance"]).all()
    per_model = table[table["model"] == "b"]
    quantities = set(per_model["quantity"])
    for n in (1, 2, 4, 5):  # one chain, pairs, all but one, all
        assert {f"accuracy of {n} chains", f"ties among {n} chains"} <= quantities
    assert {"correct answers", "generated tokens", "total tokens", "answers"} <= quantities
    assert {"rival on generated tokens", "difference on generated tokens"} <= quantities
    assert {"only the pick is right", "only the vote is right"} <= quantities
    assert per_model.groupby("quantity").size()["correct answers"] == 7


def test_no_method_that_picks(tmp_path):
    study = make_study(n_questions=6, pool_size=3, methods=("self_consistency", "chain_of_thought"))
    study.steps = []
    arguments = analyse(study, tmp_path)
    rederive_results(**arguments)
    table = read_frame(arguments["rederivation"], REDERIVATION)
    assert (table["status"] == "agrees").all()
    assert not table["quantity"].str.startswith("only the").any()


@pytest.mark.parametrize("size", [1, 2, 3])
def test_small_pools(tmp_path, size):
    study = make_study(
        n_questions=6, pool_size=size, methods=("self_consistency", "chain_of_thought", "best_of_n")
    )
    arguments = analyse(study, tmp_path)
    rederive_results(**arguments)
    table = read_frame(arguments["rederivation"], REDERIVATION)
    assert table["quantity"].str.startswith("accuracy of").sum() == size


def test_dropped_questions_are_left_out_on_both_routes(study, tmp_path):
    gone = [{"model": "b", "dataset": "sums", "question_id": "q007", "methods": "debate", "calls": 1}]
    arguments = analyse(study, tmp_path, dropped=gone)
    rederive_results(**arguments)
    table = read_frame(arguments["rederivation"], REDERIVATION).set_index(["model", "method", "quantity"])
    assert table.loc[("b", "debate", "answers"), "recomputed"] == 18
    assert table.loc[("it's", "debate", "answers"), "recomputed"] == 20


def altered(path, schema, change):
    rows = read_table(path, schema).to_pylist()
    change(rows)
    write_table(path, rows, schema)


def shift(column, amount, **wanted):
    def change(rows):
        row = next(r for r in rows if all(r[k] == v for k, v in wanted.items()) and r[column] is not None)
        row[column] += amount

    return change


@pytest.mark.parametrize(
    ("table", "schema", "change", "named"),
    [
        ("comparisons", COMPARISONS, shift("accuracy", 1e-6, method="debate"), "debate: correct answers"),
        ("comparisons", COMPARISONS, shift("tokens", 0.01, method="debate"), "debate: generated tokens"),
        (
            "comparisons",
            COMPARISONS,
            shift("difference", 1e-9, method="self_refine", matching="fixed"),
            "difference on generated tokens",
        ),
        (
            "comparisons",
            COMPARISONS,
            shift("baseline_accuracy", -1e-9, method="reflexion", matching="fixed"),
            "rival on generated tokens",
        ),
        ("curves", CURVES, shift("accuracy", 1e-10, n=2, estimator="exact"), "accuracy of 2 chains"),
        ("curves", CURVES, shift("tie_share", 1e-10, n=4, estimator="exact"), "ties among 4 chains"),
        ("curves", CURVES, shift("abstain_share", 1e-10, n=1, estimator="exact"), "nothing readable"),
        (
            "curves",
            CURVES,
            shift("tokens", 0.01, n=5, estimator="exact"),
            "self_consistency: generated tokens",
        ),
        ("pick_vs_count", PICK_VS_COUNT, shift("count_only", 1), "best_of_n: only the vote is right"),
    ],
)
def test_a_number_that_is_off_is_named(study, tmp_path, table, schema, change, named):
    arguments = analyse(study, tmp_path)
    altered(arguments[table], schema, change)
    with pytest.raises(GateError, match="by the second route") as error:
        rederive_results(**arguments)
    assert named in error.value.where
    assert not arguments["rederivation"].exists()


def test_a_vote_in_place_of_the_pick_is_noticed(study, tmp_path):
    """The mistake of the equal-cost study: Best-of-N scored as self-consistency over its samples."""
    arguments = analyse(study, tmp_path)
    table = read_frame(arguments["pick_vs_count"], PICK_VS_COUNT).set_index("model")
    assert table.loc["b", "count_accuracy"] != table.loc["b", "judge_accuracy"]

    def vote_instead(rows):
        for row in rows:
            if (row["model"], row["method"]) == ("b", "best_of_n"):
                row["accuracy"] = table.loc["b", "count_accuracy"]

    altered(arguments["comparisons"], COMPARISONS, vote_instead)
    with pytest.raises(GateError) as error:
        rederive_results(**arguments)
    assert "b, sums, best_of_n: correct answers" in error.value.where


def test_steps_graded_from_other_golds_are_noticed(study, tmp_path):
    arguments = analyse(study, tmp_path)
    name = next(path for path in arguments["steps"] if path.endswith("b/sums/reflexion.parquet"))

    def regrade(rows):
        for row in rows:
            row["correct"] = not row["correct"]

    altered(name, STEP_ANSWERS, regrade)
    with pytest.raises(GateError) as error:
        rederive_results(**arguments)
    assert "b, sums, reflexion: answers unlike the call they come from: reported 0.0" in error.value.where


def test_unknown_costs_are_not_checked(tmp_path):
    study = make_study(
        n_questions=4, pool_size=3, methods=("self_consistency", "chain_of_thought", "best_of_n")
    )
    for row in study.calls:
        row["completion_tokens"] = row["prompt_tokens"] = None
    for row in study.answers:
        row["generated_tokens"] = row["total_tokens"] = None
    arguments = analyse(study, tmp_path)
    rederive_results(**arguments)
    quantities = pq.read_table(arguments["rederivation"]).column("quantity").to_pylist()
    assert not any("tokens" in quantity for quantity in quantities)
    assert "accuracy of 3 chains" in quantities
