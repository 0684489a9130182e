"""The comparison tables of a whole study, against the protocol done by hand."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from reasonaudit.analysis.compare_methods import compare_methods
from reasonaudit.analysis.curve import exact_curve, pool_of
from reasonaudit.analysis.estimate_curves import estimate_curves
from reasonaudit.analysis.paired_tests import wilson_interval
from reasonaudit.analysis.setting import class_codes, load_settings, mean_tokens
from reasonaudit.errors import ConfigError, TableError
from reasonaudit.tables.comparisons import COMPARISONS
from reasonaudit.tables.curves import CURVES
from reasonaudit.tables.dropped_questions import DROPPED_QUESTIONS
from reasonaudit.tables.group_effects import GROUP_EFFECTS
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.run_variance import RUN_VARIANCE
from reasonaudit.tables.temperature_control import TEMPERATURE_CONTROL
from unit.synthetic import make_study

# Columns that do not depend on how many other comparisons the family holds.
TESTLESS = ["model", "dataset", "method", "accuracy", "difference", "low", "high", "p", "standard_error"]

# ----------------------------------------------------------------------------------------- whole tables


@pytest.fixture(scope="module")
def study():
    return make_study(
        models={"small": -0.3, "large": 1.0}, datasets=("sums", "terms"), n_questions=20, pool_size=12, runs=2
    )


@pytest.fixture(scope="module")
def tables(study, tmp_path_factory):
    return run(study, tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def lean():
    """A small study, for what must be run many times."""
    return make_study(
        n_questions=20, pool_size=12, methods=("self_consistency", "chain_of_thought", "self_refine")
    )


@pytest.fixture(scope="module")
def lean_tables(lean, tmp_path_factory):
    return run(lean, tmp_path_factory.mktemp("lean"))


def run(study, folder, dropped=None, **statistics):
    paths = study.write(folder, only=("questions", "answers"))
    out = {
        name: folder / f"{name}.parquet"
        for name in ("comparisons", "group_effects", "run_variance", "temperature_control", "curves")
    }
    shared = {
        "questions": paths["questions"],
        "answers": paths["answers"],
        "dropped": dropped,
        "pool": study.pool,
        "statistics": study.statistics | statistics,
        "study_seed": 1,
    }
    compare_methods(
        **shared, methods=study.methods, **{name: path for name, path in out.items() if name != "curves"}
    )
    estimate_curves(**shared, curves=out["curves"])
    schemas = {
        "comparisons": COMPARISONS,
        "group_effects": GROUP_EFFECTS,
        "run_variance": RUN_VARIANCE,
        "temperature_control": TEMPERATURE_CONTROL,
        "curves": CURVES,
    }
    return {name: read_frame(path, schemas[name]) for name, path in out.items()} | {"paths": out}


def by_hand(study, model, dataset, method, basis="generated"):
    """(d_i over questions, accuracy, cost) straight from the rows, slowly."""
    column = {"generated": "generated_tokens", "total": "total_tokens"}[basis]
    frame = pd.DataFrame(study.answers)
    frame = frame[(frame["model"] == model) & (frame["dataset"] == dataset)]
    pool, own = frame[frame["method"] == "self_consistency"], frame[frame["method"] == method]
    wanted = own[column].mean() / pool[column].mean()
    low = max(1, math.floor(wanted))
    share = max(0.0, wanted - low)
    differences = []
    for question, rows in own.groupby("question_id", sort=False):
        rival = 0.0
        of_question = pool[pool["question_id"] == question]
        for _, chains in of_question.groupby("run"):
            points = exact_curve(pool_of(chains["canonical"], chains["correct"])).accuracy
            mixture = (1 - share) * points[low - 1] + (share * points[low] if share else 0)
            rival += mixture / of_question["run"].nunique()
        differences.append(rows["correct"].mean() - rival)
    return np.array(differences), own["correct"].mean(), own[column].mean()


@pytest.mark.parametrize(
    ("model", "dataset", "method", "basis"),
    [
        ("small", "sums", "self_refine", "generated"),
        ("large", "terms", "debate", "generated"),
        ("large", "sums", "chain_of_thought", "generated"),
        ("small", "terms", "reflexion", "total"),
    ],
)
def test_a_row_is_what_the_protocol_says(study, tables, model, dataset, method, basis):
    differences, accuracy, cost = by_hand(study, model, dataset, method, basis)
    frame = tables["comparisons"].set_index(["model", "dataset", "method", "cost_basis", "matching"])
    row = frame.loc[(model, dataset, method, basis, "fixed")]
    assert row["accuracy"] == pytest.approx(accuracy)
    assert row["tokens"] == pytest.approx(cost)
    assert row["difference"] == pytest.approx(differences.mean(), abs=1e-12)
    assert row["baseline_accuracy"] == pytest.approx(accuracy - differences.mean(), abs=1e-12)
    error = differences.std(ddof=1) / math.sqrt(len(differences))
    assert row["standard_error"] == pytest.approx(error)
    assert row["detectable_50"] == pytest.approx(1.96 * error)
    assert row["detectable_80"] == pytest.approx(2.80 * error)
    # An interval close to the normal one, within the skewness of 20 questions.
    assert row["low"] == pytest.approx(differences.mean() - 1.96 * error, abs=0.6 * error)
    assert row["high"] == pytest.approx(differences.mean() + 1.96 * error, abs=0.6 * error)
    assert row["n_questions"] == 20
    assert row["runs"] == 2


def test_every_cell_is_there(study, tables):
    frame = tables["comparisons"]
    assert len(frame) == 2 * 2 * 7 * 2 * 2  # models, data sets, methods, bases, matchings
    assert "self_consistency" not in set(frame["method"])
    assert set(frame["family"]) == {"paper"}
    assert (frame.loc[frame["cost_basis"] == "total", "input_output_ratio"] > 0).all()


def test_methods_dearer_than_the_pool_are_not_compared(tables):
    frame = tables["comparisons"]
    dear = frame[frame["flag"].fillna("").str.contains("above_pool")]
    # Nine calls with long prompts against twelve short chains: dearer on total tokens only.
    assert {"debate"} <= set(dear.loc[dear["cost_basis"] == "total", "method"])
    assert dear[["difference", "p", "baseline_accuracy", "matched_n"]].isna().all(axis=None)
    assert (dear["verdict"] == "not_compared").all()
    assert dear["accuracy"].notna().all()


def test_rematched_rows_have_an_own_interval_and_no_corrected_p(tables):
    frame = tables["comparisons"]
    rematched = frame[(frame["matching"] == "rematched") & frame["difference"].notna()]
    assert rematched["p"].notna().all()
    assert rematched[["p_holm_setting", "p_holm_all", "p_t"]].isna().all(axis=None)
    assert rematched["clamped_share"].between(0, 1).all()
    keys = ["model", "dataset", "method", "cost_basis"]
    both = rematched.merge(frame[frame["matching"] == "fixed"], on=keys)
    assert (both["difference_x"] == both["difference_y"]).all()
    assert (both["low_x"] != both["low_y"]).any()


def test_temperature_control_is_the_difference_from_one_chain(study, tables):
    frame = pd.DataFrame(study.answers)
    mean = frame.groupby(["model", "dataset", "method"])["correct"].mean()
    for row in tables["temperature_control"].to_dict("records"):
        key = row["model"], row["dataset"]
        expected = mean[(*key, "chain_of_thought")] - mean[(*key, "self_consistency")]
        assert row["difference"] == pytest.approx(expected)
        assert row["sampled_accuracy"] == pytest.approx(mean[(*key, "self_consistency")])


def test_curves_hold_every_n_and_the_drawn_points(study, tables):
    frame = tables["curves"]
    exact = frame[frame["estimator"] == "exact"]
    assert exact.groupby(["model", "dataset"])["n"].apply(list).tolist() == [list(range(1, 13))] * 4
    drawn = frame[frame["estimator"] == "drawn"]
    assert sorted(set(drawn["n"])) == study.pool["curve"]
    both = exact.merge(drawn, on=["model", "dataset", "n"])
    # 2 runs x 20 questions x 200 draws; a draw has a standard deviation of at most 1/2.
    assert both["accuracy_x"].to_numpy() == pytest.approx(
        both["accuracy_y"].to_numpy(), abs=4 * 0.5 / math.sqrt(2 * 20 * 200)
    )
    assert both["tokens_x"].to_numpy() == pytest.approx(both["tokens_y"].to_numpy(), rel=0.02)
    one = exact[exact["n"] == 1]
    mean = pd.DataFrame(study.answers).query("method == 'self_consistency'")
    assert one["accuracy"].to_numpy() == pytest.approx(
        mean.groupby(["model", "dataset"])["correct"].mean().to_numpy()
    )
    assert one["abstain_share"].to_numpy() == pytest.approx(
        1 - mean.groupby(["model", "dataset"])["readable"].mean().to_numpy()
    )
    assert (one["tie_share"] == 0).all()
    summed = mean.groupby(["model", "dataset"])[["generated_tokens", "total_tokens"]].sum()
    ratio = summed["total_tokens"] / summed["generated_tokens"] - 1
    assert one["input_output_ratio"].to_numpy() == pytest.approx(ratio.to_numpy())
    assert ((exact["low"] <= exact["accuracy"]) & (exact["accuracy"] <= exact["high"])).all()


def test_group_rows(tables):
    frame = tables["group_effects"].set_index(["dataset", "group"])
    assert set(frame.index.get_level_values("group")) == {
        "choosing",
        "debating",
        "rewriting",
        "self_inspection",
        "single_pass",
    }
    fixed = tables["comparisons"].query("cost_basis == 'generated' and matching == 'fixed'")
    rewriting = fixed[
        (fixed["dataset"] == "sums")
        & fixed["method"].isin(["self_refine", "reflexion", "reflexion_forced"])
        & fixed["difference"].notna()
    ]
    row = frame.loc[("sums", "rewriting")]
    assert row["comparisons"] == len(rewriting)
    assert row["effect"] == pytest.approx(rewriting["difference"].mean())
    assert row["low"] < row["effect"] < row["high"]


def test_run_components_are_there_with_two_runs(tables):
    frame = tables["run_variance"]
    assert (frame["runs"] == 2).all()
    assert frame["run_share"].between(0, 1).all()
    parts = frame[frame["variance_questions"] > 0]
    assert len(parts) > 10
    assert (parts["variance_questions"] + parts["variance_runs"] / 2).tolist() == pytest.approx(
        parts["variance"].tolist()
    )


def test_the_same_bytes_twice_and_from_shuffled_files(study, tables, tmp_path):
    study_again = make_study(
        models={"small": -0.3, "large": 1.0}, datasets=("sums", "terms"), n_questions=20, pool_size=12, runs=2
    )
    study_again.answers.reverse()
    study_again.questions.reverse()
    again = run(study_again, tmp_path)
    for name, path in tables["paths"].items():
        assert path.read_bytes() == again["paths"][name].read_bytes(), name


def test_dropped_questions_leave_every_method(study, tables, tmp_path):
    gone = study.questions[3]["question_id"]
    dropped = tmp_path / "dropped.parquet"
    write_table(
        dropped,
        [{"model": "small", "dataset": "sums", "question_id": gone, "methods": "best_of_n", "calls": 1}],
        DROPPED_QUESTIONS,
    )
    rows = run(study, tmp_path, dropped=dropped)["comparisons"]
    n = rows.groupby(["model", "dataset"])["n_questions"].unique()
    assert n["small", "sums"].tolist() == [19]
    assert n["large", "sums"].tolist() == [20]
    fixed = rows.query("model == 'small' and dataset == 'sums' and matching == 'fixed'")
    frame = pd.DataFrame(study.answers).query(
        f"model == 'small' and dataset == 'sums' and question_id != '{gone}'"
    )
    mean = frame.groupby("method")["correct"].mean()
    for row in fixed.to_dict("records"):
        assert row["accuracy"] == pytest.approx(mean[row["method"]])
    # Other settings do not notice.
    before, after = (
        frame[frame["model"] == "large"].reset_index(drop=True) for frame in (tables["comparisons"], rows)
    )
    pd.testing.assert_frame_equal(after[TESTLESS], before[TESTLESS])


def test_unknown_tokens_mean_no_comparison_and_no_cost(tmp_path):
    study = make_study(n_questions=6, pool_size=4, methods=("self_consistency", "chain_of_thought"))
    for row in study.answers:
        row["generated_tokens"] = row["total_tokens"] = None
    found = run(study, tmp_path)
    assert len(found["comparisons"]) == 0
    assert found["curves"]["tokens"].isna().all()
    assert found["curves"]["accuracy"].notna().all()
    assert len(found["temperature_control"]) == 1  # needs no cost


def test_a_second_pool_is_no_method(lean, lean_tables, tmp_path):
    pool = [row for row in lean.answers if row["method"] == "self_consistency"]
    more = replace(lean, answers=[*lean.answers, *(row | {"method": "hot_pool"} for row in pool)])
    found = run(more, tmp_path)["comparisons"]
    pd.testing.assert_frame_equal(found, lean_tables["comparisons"])


def test_missing_and_double_answers_are_refused(tmp_path):
    study = make_study(n_questions=4, pool_size=4, methods=("self_consistency", "debate"))
    kept = study.answers.copy()
    study.answers = [r for r in kept if not (r["method"] == "debate" and r["question_id"] == "q007")]
    with pytest.raises(TableError, match="answers to 3 of 4 questions") as error:
        run(study, tmp_path)
    assert "tiny, sums, debate" in error.value.where
    study.answers = [r for r in kept if r["sample_index"] != 3 or r["question_id"] != "q007"]
    with pytest.raises(TableError, match="no whole pool"):
        run(study, tmp_path)


def test_accuracies_of_one_run_have_wilson_intervals(lean, lean_tables):
    answers = pd.DataFrame(lean.answers).query("method == 'self_refine'")
    row = lean_tables["comparisons"].query("method == 'self_refine'").iloc[0]
    low, high = wilson_interval(answers["correct"].sum(), 20)
    assert (row["accuracy_low"], row["accuracy_high"]) == (low, high)


def test_the_fixed_comparison_on_generated_tokens_is_always_made(lean, tmp_path):
    rows = run(lean, tmp_path, cost_basis=["total"], matching=["grid"])["comparisons"]
    assert set(zip(rows["cost_basis"], rows["matching"], strict=True)) == {
        (basis, matching) for basis in ("generated", "total") for matching in ("fixed", "grid")
    }


def test_interpolating_on_the_printed_grid(lean, lean_tables, tmp_path):
    study, tables = lean, lean_tables
    rows = run(lean, tmp_path, matching=["fixed", "grid"])["comparisons"]
    both = rows.pivot(
        index=["model", "dataset", "method", "cost_basis"], columns="matching", values="baseline_accuracy"
    ).dropna()
    curve = tables["curves"].query("estimator == 'exact'").set_index(["model", "dataset", "n"])["accuracy"]
    wanted = rows.set_index(["model", "dataset", "method", "cost_basis", "matching"])["matched_n"]
    for key in both.index:
        points = [curve[key[0], key[1], n] for n in study.pool["curve"]]
        expected = np.interp(wanted[(*key, "grid")], study.pool["curve"], points)
        assert both.loc[key, "grid"] == pytest.approx(expected, abs=1e-12)
    assert (both["grid"] - both["fixed"]).abs().max() > 1e-6


def test_too_few_resamples(study, tmp_path):
    with pytest.raises(ConfigError, match="500 resamples cannot carry"):
        run(study, tmp_path, resamples=500)


@pytest.mark.parametrize("ties", ["split", "first", "none"])
@pytest.mark.parametrize("unreadable", ["abstain", "wrong"])
def test_options_change_what_they_say(lean, lean_tables, tmp_path, ties, unreadable):
    tables = lean_tables
    found = run(lean, tmp_path, ties=ties, unreadable=unreadable)["curves"]
    exact = found[found["estimator"] == "exact"].set_index(["model", "dataset", "n"])
    usual = tables["curves"].query("estimator == 'exact'").set_index(["model", "dataset", "n"])
    first, two = exact.xs(1, level="n")["accuracy"], exact.xs(2, level="n")["accuracy"]
    assert first.to_numpy() == pytest.approx(usual.xs(1, level="n")["accuracy"].to_numpy())
    if ties == "none":
        # Of two chains that disagree none wins: only an agreement, or one chain alone, can be right.
        assert (two < usual.xs(2, level="n")["accuracy"]).all()
    if unreadable == "wrong":
        assert (exact["abstain_share"] == 0).all()
    if ties == "split" and unreadable == "abstain":
        assert exact["accuracy"].tolist() == usual["accuracy"].tolist()


def test_classes_by_order_of_appearance():
    codes = class_codes(["b", None, "a", "b", "a"], [True, True, True, True, False])
    assert codes.tolist() == [0, -1, 1, 0, -1]


def test_settings_without_a_pool_are_left_out(tmp_path):
    study = make_study(n_questions=4, methods=("chain_of_thought",))
    paths = study.write(tmp_path, only=("questions", "answers"))
    loaded = load_settings(
        questions=paths["questions"], answers=paths["answers"], dropped=None, baseline="self_consistency"
    )
    assert loaded == []


def test_subsets_keep_everything_aligned(study, tmp_path):
    paths = study.write(tmp_path, only=("questions", "answers"))
    setting = load_settings(
        questions=paths["questions"], answers=paths["answers"], dropped=None, baseline="self_consistency"
    )[0]
    keep = np.arange(20) % 3 == 0
    part = setting.subset(keep)
    assert part.questions == tuple(itertools.compress(setting.questions, keep))
    assert part.pool.votes.shape == (2, 7, 12)
    assert (part.methods["debate"].correct == setting.methods["debate"].correct[:, keep]).all()
    assert mean_tokens(part.pool, "total").tolist() == mean_tokens(setting.pool, "total")[keep].tolist()
