"""The comparisons under other choices."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from reasonaudit.analysis.compare_methods import compare_methods
from reasonaudit.analysis.curve import exact_curve
from reasonaudit.analysis.setting import load_settings, one_pool, regraded
from reasonaudit.analysis.variants import answered_by_all, best_case, by_level, random_ties, worst_case
from reasonaudit.analysis.vary_comparisons import vary_comparisons
from reasonaudit.errors import TableError
from reasonaudit.tables.comparisons import COMPARISONS
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.robustness import ROBUSTNESS
from unit.synthetic import make_study


@pytest.fixture(scope="module")
def study():
    return make_study(models={"a": 0.3}, n_questions=40, pool_size=10, unreadable=0.02, seed=5)


@pytest.fixture(scope="module")
def paths(study, tmp_path_factory):
    return study.write(tmp_path_factory.mktemp("robust"), only=("questions", "answers", "verdicts", "steps"))


@pytest.fixture(scope="module")
def setting(paths):
    (setting,) = load_settings(
        questions=paths["questions"], answers=paths["answers"], dropped=None, baseline="self_consistency"
    )
    return setting


@pytest.fixture(scope="module")
def table(study, paths, tmp_path_factory):
    out = tmp_path_factory.mktemp("out") / "robustness.parquet"
    vary_comparisons(
        **paths,
        dropped=None,
        robustness=out,
        pool=study.pool,
        grading=study.grading,
        statistics=study.statistics,
        study_seed=1,
    )
    return read_frame(out, ROBUSTNESS)


@pytest.fixture(scope="module")
def main(study, paths, tmp_path_factory):
    folder = tmp_path_factory.mktemp("main")
    names = ("comparisons", "group_effects", "run_variance", "temperature_control")
    compare_methods(
        questions=paths["questions"],
        answers=paths["answers"],
        dropped=None,
        **{name: folder / f"{name}.parquet" for name in names},
        pool=study.pool,
        methods=study.methods,
        statistics=study.statistics,
        study_seed=1,
    )
    frame = read_frame(folder / "comparisons.parquet", COMPARISONS)
    return frame.query("cost_basis == 'generated' and matching == 'fixed'").set_index("method")


def test_every_variant_has_every_method(study, table):
    assert set(table["variant"]) == {
        "answered_by_all",
        "best_case",
        "worst_case",
        "debate_ties_random",
        "drawn",
        "second_seed",
        "ties_first",
        "ties_none",
        "unreadable_wrong",
        "verifier_strict",
        "level_1_2",
        "level_3",
        "level_4_5",
    }
    assert (table.groupby("variant").size() == 7).all()


def test_the_base_is_the_main_comparison(table, main):
    rows = table[table["base"] == "main"]
    for row in rows.to_dict("records"):
        assert row["base_difference"] == main.loc[row["method"], "difference"]
        assert row["base_verdict"] == main.loc[row["method"], "verdict"]
        expected = row["difference"] - row["base_difference"]
        assert row["shift"] == pytest.approx(expected, nan_ok=True)
    second = table.query("variant == 'second_seed'").set_index("method")
    drawn = table.query("variant == 'drawn'").set_index("method")
    assert second["base_difference"].equals(drawn["difference"].rename("base_difference"))
    assert (second["shift"].dropna() != 0).any()
    assert second["shift"].abs().max() < 0.02


def test_bounds_hold_the_main_difference(table, main):
    by_variant = table.set_index(["variant", "method"])["difference"]
    for method in main.index:
        assert by_variant["worst_case", method] <= main.loc[method, "difference"] + 1e-12
        assert by_variant["best_case", method] >= main.loc[method, "difference"] - 1e-12
    truncated = [m for m in main.index if by_variant["worst_case", m] < by_variant["best_case", m]]
    assert truncated


def test_levels_are_exploratory(study, table):
    rows = table[table["variant"].str.startswith("level_")]
    assert rows["exploratory"].all()
    assert rows["p_holm_setting"].isna().all()
    assert set(rows["verdict"]) == {"exploratory"}
    assert rows["flips"].isna().all()
    levels = [q["level"] for q in study.questions]
    counted = rows.drop_duplicates("variant").set_index("variant")["n_questions"]
    assert counted["level_1_2"] == sum(level <= 2 for level in levels)
    assert counted["level_4_5"] == sum(level >= 4 for level in levels)


def test_flips_are_verdicts_that_differ(table):
    rows = table[~table["exploratory"] & table["difference"].notna()]
    assert (rows["flips"] == (rows["verdict"] != rows["base_verdict"])).all()


def test_answered_by_all_keeps_what_everyone_read(study, setting):
    answers = pd.DataFrame(study.answers)
    readable = answers.groupby("question_id")["readable"].all()
    kept = answered_by_all(setting).questions
    assert set(kept) == set(readable[readable].index)
    assert 0 < len(kept) < 40


def test_regrading_replaces_the_verdicts_of_pool_and_methods(study, setting):
    frame = pd.DataFrame(study.verdicts).query("verifier == 'strict'")
    strict = regraded(setting, frame, "self_consistency")
    accepted = frame.set_index(["method", "question_id", "sample_index"])["accepted"]
    for i, question in enumerate(setting.questions):
        assert strict.methods["debate"].correct[0, i] == accepted["debate", question, 0]
        for k in range(10):
            assert strict.pool.correct[0, i, k] == accepted["self_consistency", question, k]
    assert (strict.pool.votes == setting.pool.votes).all()
    with pytest.raises(TableError, match=r"verdicts for|answers to"):
        regraded(setting, frame[frame["method"] != "debate"], "self_consistency")


def test_regraded_comparison_is_the_comparison_of_the_regraded_answers(study, table, paths, tmp_path):
    accepted = {
        (v["method"], v["question_id"], v["sample_index"]): v["accepted"]
        for v in study.verdicts
        if v["verifier"] == "strict"
    }
    other = make_study(models={"a": 0.3}, n_questions=40, pool_size=10, unreadable=0.02, seed=5)
    for row in other.answers:
        row["correct"] = accepted[row["method"], row["question_id"], row["sample_index"]]
    files = other.write(tmp_path, only=("questions", "answers"))
    names = ("comparisons", "group_effects", "run_variance", "temperature_control")
    compare_methods(
        **files,
        dropped=None,
        **{name: tmp_path / f"{name}.parquet" for name in names},
        pool=study.pool,
        methods=study.methods,
        statistics=study.statistics,
        study_seed=1,
    )
    expected = read_frame(tmp_path / "comparisons.parquet", COMPARISONS).query(
        "cost_basis == 'generated' and matching == 'fixed'"
    )
    found = table.query("variant == 'verifier_strict'")
    for column in ("difference", "low", "high", "p", "p_holm_setting"):
        assert found[column].tolist() == expected[column].tolist()


def test_worst_case_gives_cut_chains_to_the_right_answer(setting):
    worst, best = worst_case(setting), best_case(setting)
    cut = setting.pool.truncated
    assert cut.any()
    assert worst.pool.correct[cut].all()
    assert (best.pool.correct == setting.pool.correct).all()
    for i in np.flatnonzero(cut[0].any(axis=1)):
        before = exact_curve(one_pool(setting.pool, 0, i)).accuracy
        after = exact_curve(one_pool(worst.pool, 0, i)).accuracy
        assert (after >= before - 1e-12).all()
        assert after[0] == pytest.approx(before[0] + cut[0, i].sum() / 10)
        votes = worst.pool.votes[0, i]
        assert sorted(set(votes[votes >= 0])) == list(range(votes.max() + 1))


def test_tied_debates_are_decided_at_random(setting):
    rows = [
        {
            "method": "debate",
            "run": 0,
            "question_id": question,
            "round": r,
            "sample_index": agent,
            "canonical": None if r == 2 and agent == 2 else f"{agent}",
            "readable": not (r == 2 and agent == 2),
            "correct": agent == 1,
        }
        for question in setting.questions
        for r in (0, 1, 2)
        for agent in (0, 1, 2)
    ]
    # Two agents disagree and one cannot be read: by the stored order the wrong one wins.
    wrong = replace(setting.methods["debate"], correct=np.zeros((1, 40), dtype=bool))
    stored = replace(setting, methods={**setting.methods, "debate": wrong})
    varied = random_ties(stored, pd.DataFrame(rows), np.random.default_rng(0))
    share = varied.methods["debate"].correct.mean()
    assert share == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(40))
    assert 0 < share < 1
    assert varied.methods["best_of_n"] is setting.methods["best_of_n"]
    agreed = [row | {"canonical": "1", "readable": True} for row in rows]
    same = random_ties(stored, pd.DataFrame(agreed), np.random.default_rng(0))
    assert (same.methods["debate"].correct == wrong.correct).all()


def test_few_levels_stay_as_they_are():
    study = make_study(n_questions=20, pool_size=3, methods=("self_consistency", "chain_of_thought"))
    for i, row in enumerate(study.questions):
        row["level"] = None if i == 0 else 1 + i % 3
    assert by_level_names(study) == ["level_1", "level_2", "level_3"]
    for row in study.questions:
        row["level"] = 2
    assert by_level_names(study) == []


def by_level_names(study):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        files = study.write(Path(folder), only=("questions", "answers"))
        (setting,) = load_settings(**files, dropped=None, baseline="self_consistency")
    return list(by_level(setting))


def test_too_few_questions_are_not_compared(tmp_path):
    study = make_study(n_questions=6, pool_size=6, unreadable=0.5, seed=2)
    files = study.write(tmp_path, only=("questions", "answers", "verdicts", "steps"))
    vary_comparisons(
        **files,
        dropped=None,
        robustness=tmp_path / "robustness.parquet",
        pool=study.pool,
        grading=study.grading,
        statistics=study.statistics,
        study_seed=1,
    )
    rows = read_frame(tmp_path / "robustness.parquet", ROBUSTNESS).query("variant == 'answered_by_all'")
    assert (rows["n_questions"] < 2).all()
    assert set(rows["verdict"]) == {"not_compared"}
    assert set(rows["flag"]) == {"too_few_questions"}
