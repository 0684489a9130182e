"""The judge study from files to files: gates, tables, and the summary page."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from judged_study import CONDITIONS, small_study

from reasonaudit.analysis.acceptance import measure_acceptance
from reasonaudit.analysis.cot_pass import measure_cot_pass
from reasonaudit.analysis.cot_pass_summary import write_cot_pass_summary
from reasonaudit.analysis.judge_cost import measure_judge_cost
from reasonaudit.analysis.judge_gates import check_not_above
from reasonaudit.analysis.judge_sensitivity import measure_sensitivity
from reasonaudit.analysis.judged_samples import count_votes
from reasonaudit.analysis.length_stops import measure_stops
from reasonaudit.analysis.saturation import bins_up_to, measure_saturation
from reasonaudit.errors import GateError
from reasonaudit.tables.acceptance import ACCEPTANCE
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.budget_ladder import BUDGET_LADDER
from reasonaudit.tables.cot_pass import COT_PASS
from reasonaudit.tables.gates import GATES
from reasonaudit.tables.injections import INJECTIONS
from reasonaudit.tables.judge_cost import JUDGE_COST
from reasonaudit.tables.judge_sensitivity import JUDGE_SENSITIVITY
from reasonaudit.tables.judged_samples import JUDGED_SAMPLES
from reasonaudit.tables.judgements import JUDGEMENTS
from reasonaudit.tables.panel import PANEL
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.saturation import SATURATION
from reasonaudit.tables.stops import STOPS

KEY = ["model", "dataset", "method", "run", "question_id", "sample_index"]


class Files:
    """A study's files, and the steps that make tables of them."""

    def __init__(self, folder, study):
        self.folder, self.study = folder, study
        tables = ((study.questions, QUESTIONS), (study.answers, ANSWERS), (study.judgements, JUDGEMENTS))
        for rows, schema in (*tables, (study.panel, PANEL), (study.injections, INJECTIONS)):
            write_table(self[schema.name], rows, schema)

    def __getitem__(self, name):
        return self.folder / f"{name}.parquet"

    def paths(self, *names):
        return {name: self[name] for name in names}

    def count(self, **changes):
        arguments = {"panels": self["panel"], "judges": self.study.judges, "conditions": list(CONDITIONS)}
        count_votes(**self.paths("answers", "judgements", "judged_samples", "gates") | arguments | changes)

    def measure(self):
        study = self.study
        self.count()
        common = self.paths("questions", "answers", "judged_samples")
        labels = {"judges": study.judges, "datasets": study.datasets}
        random = {"statistics": study.statistics, "seed": 11}
        measure_cot_pass(
            **common, **labels, **random, cot_pass=self["cot_pass"], solvers=study.solvers, ladder=None
        )
        measure_acceptance(
            **self.paths("questions", "injections", "judged_samples", "acceptance"),
            datasets=study.datasets,
            **random,
        )
        measure_saturation(**common, **labels, **random, saturation=self["saturation"], solvers=study.solvers)
        measure_stops(
            **self.paths("answers", "judged_samples", "cot_pass", "stops", "budget_ladder"),
            judges=study.judges,
            solvers=study.solvers,
        )
        measure_judge_cost(**self.paths("answers", "judged_samples", "judge_cost"), judges=study.judges)
        measure_sensitivity(**common, **labels, **self.paths("acceptance", "cot_pass", "judge_sensitivity"))

    def summarise(self, strategy="majority"):
        page = self.folder / "tables" / "cot_pass_summary.md"
        write_cot_pass_summary(
            **self.paths(
                "acceptance", "cot_pass", "judge_sensitivity", "stops", "budget_ladder", "judge_cost"
            ),
            step_truth=[],
            summary=page,
            strategy=strategy,
        )
        return page.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    made = Files(tmp_path_factory.mktemp("judged"), small_study())
    made.measure()
    return made


def test_gates_pass_on_whole_tables(files):
    gates = read_frame(files["gates"], GATES)
    assert list(gates["gate"]) == ["natural_samples", "shared_originals", "votes_per_item"]
    assert set(gates["status"]) == {"passed"} and set(gates["failed"]) == {0}
    assert set(gates["calls"]) == {files.study.judgements.num_rows}


def _without(frame, mask):
    return frame[~mask]


@pytest.mark.parametrize(
    ("gate", "corrupt", "named"),
    [
        ("votes_per_item", lambda f: f.drop(index=f.index[0]), "2 of 3 votes"),
        ("votes_per_item", lambda f: pd.concat([f, f.head(1).assign(vote=3)]), "4 of 3 votes"),
        ("votes_per_item", lambda f: f.assign(vote=f["vote"] + 1), "3 of 3 votes"),
        ("natural_samples", lambda f: _drop_item(f, "natural"), "not judged"),
        ("natural_samples", lambda f: _wrong_sample(f, "natural"), "not expected"),
        ("shared_originals", lambda f: _drop_item(f, "boxed_only"), "condition=boxed_only: not judged"),
        ("shared_originals", lambda f: _wrong_sample(f, "clean"), "condition=clean: not expected"),
        ("shared_originals", lambda f: f[f["condition"] != "truncated"], "condition=truncated: not judged"),
    ],
)
def test_gates_stop_a_corrupted_table(files, tmp_path, gate, corrupt, named):
    broken = Files(tmp_path, files.study)
    frame = files.study.judgements.to_pandas().reset_index(drop=True)
    write_table(broken["judgements"], corrupt(frame), JUDGEMENTS)
    with pytest.raises(GateError, match=gate) as caught:
        broken.count()
    assert named in str(caught.value)
    assert "question_id=q" in str(caught.value), "the rows are named"
    assert not broken["judged_samples"].exists(), "no table is written"


def test_a_judge_above_the_answers_is_refused():
    check_not_above(np.array([0.5, 0.2]), np.array([0.5, 0.1]), ["a", "b"])
    with pytest.raises(GateError, match="above Pass@k") as caught:
        check_not_above(np.array([0.5, 0.2]), np.array([0.5, 0.3]), ["a", "b k=4"])
    assert "b k=4" in str(caught.value)


def test_judges_that_read_a_part(files, tmp_path):
    part = Files(tmp_path, files.study)
    settings = {
        "votes": 3,
        "natural": True,
        "injected": False,
        "judged": {"models": ["newer"]},
        "max_samples": 4,
    }
    frame = files.study.judgements.to_pandas()
    keep = (frame["judge"] == "sharp") & (frame["condition"] == "natural") & (frame["model"] == "newer")
    write_table(part["judgements"], frame[keep & (frame["sample_index"] < 4)], JUDGEMENTS)
    part.count(judges={"sharp": settings}, conditions=[])
    kept = read_frame(part["judged_samples"], JUDGED_SAMPLES)
    answers = files.study.answers
    expected = answers[answers["correct"] & (answers["model"] == "newer") & (answers["sample_index"] < 4)]
    assert len(kept) == len(expected)


def test_the_same_files_give_the_same_bytes(files, tmp_path):
    again = Files(tmp_path, files.study)
    again.measure()
    names = (
        "judged_samples",
        "cot_pass",
        "acceptance",
        "saturation",
        "stops",
        "judge_cost",
        "judge_sensitivity",
    )
    for name in names:
        assert again[name].read_bytes() == files[name].read_bytes(), name
    assert again.summarise() == files.summarise()


def test_stops_by_plain_counting(files):
    stops = read_frame(files["stops"], STOPS)
    votes, answers = files.study.judgements.to_pandas(), files.study.answers
    natural = votes[votes["condition"] == "natural"]
    for row in stops.to_dict("records"):
        cell = (answers["model"] == row["model"]) & (answers["dataset"] == row["dataset"])
        assert row["solver_stopped"] == answers[cell]["stopped_by_length"].sum()
        mine = natural[
            (natural["model"] == row["model"])
            & (natural["dataset"] == row["dataset"])
            & (natural["judge"] == row["judge"])
        ]
        missing = mine[mine["verdict"] == "missing"]
        assert (row["judgements"], row["missing"]) == (len(mine), len(missing))
        assert row["judge_stopped"] == (missing["stop_reason"] == "length").sum()
        assert 0 <= row["credited_gap"] <= row["gap"]
        assert math.isnan(row["share_from_stops"]) == (row["gap"] == 0)
    assert 0 < stops["judge_stopped"].sum() < stops["missing"].sum()


def test_the_ladder_has_a_rung_for_each_budget(files, tmp_path):
    study = small_study(solvers={"solver@1k": 0.4, "solver@2k": 0.6})
    made = Files(tmp_path, study)
    made.measure()
    ladder = read_frame(made["budget_ladder"], BUDGET_LADDER)
    assert set(ladder["rungs"]) == {2} and set(ladder["checkpoint"]) == {"solver"}
    assert sorted(set(ladder["max_tokens"])) == [1024, 2048]
    curves = read_frame(made["cot_pass"], COT_PASS)
    for row in ladder.to_dict("records"):
        cell = curves[
            (curves["level"] == "cell")
            & (curves["model"] == row["model"])
            & (curves["dataset"] == row["dataset"])
            & (curves["judge"] == row["judge"])
            & (curves["strategy"] == row["strategy"])
        ].set_index("k")
        assert (row["pass_at_1"], row["pass_at_n"]) == (cell.loc[1, "pass_at_k"], cell.loc[8, "pass_at_k"])
        assert (row["cot_pass_at_n"], row["gap"]) == (cell.loc[8, "cot_pass_at_k"], cell.loc[8, "gap"])
    assert "| blind | solver |  | maths-en | 1024 |" in made.summarise()


def test_costs_by_plain_sums(files):
    costs = read_frame(files["judge_cost"], JUDGE_COST).set_index(["judge", "model"])
    votes, answers = files.study.judgements.to_pandas(), files.study.answers
    mine = votes[(votes["condition"] == "natural") & (votes["judge"] == "sharp")]
    row = costs.loc["sharp", "all"]
    assert (row["judgements"], row["judge_tokens"]) == (len(mine), mine["tokens"].sum())
    assert row["per_solver_token"] == mine["tokens"].sum() / answers["generated_tokens"].sum()
    judged = answers.loc[answers["correct"], "generated_tokens"].sum()
    assert row["per_judged_token"] == mine["tokens"].sum() / judged
    parts = costs.loc["sharp"].drop(index="all")
    assert parts["judge_tokens"].sum() == row["judge_tokens"]


def test_no_cost_is_claimed_where_tokens_are_unknown(files, tmp_path):
    study = small_study()
    study.answers["generated_tokens"] = None
    made = Files(tmp_path, study)
    made.count()
    measure_judge_cost(**made.paths("answers", "judged_samples", "judge_cost"), judges=study.judges)
    costs = read_frame(made["judge_cost"], JUDGE_COST)
    assert costs["solver_tokens"].isna().all() and costs["per_solver_token"].isna().all()
    assert costs["mean_tokens"].notna().all()


def test_saturation_by_plain_counting(files):
    rows = read_frame(files["saturation"], SATURATION)
    answers, judged = files.study.answers, read_frame(files["judged_samples"], JUDGED_SAMPLES)
    correct = answers[answers["correct"]].groupby(KEY[:5]).size().rename("c").reset_index()
    natural = judged[(judged["condition"] == "natural") & (judged["judge"] == "sharp")]
    given = natural.groupby(KEY[:5])["approved_all"].sum().rename("a").reset_index()
    both = correct.merge(given, on=KEY[:5])
    for first, last in ((1, 2), (3, 8)):
        part = both[both["c"].between(first, last)]
        (row,) = rows[
            (rows["group"] == "all")
            & (rows["judge"] == "sharp")
            & (rows["strategy"] == "all")
            & (rows["correct_from"] == first)
        ].to_dict("records")
        assert (row["questions"], row["samples"], row["accepted"]) == (
            len(part),
            part["c"].sum(),
            part["a"].sum(),
        )
        assert row["acceptance"] == pytest.approx(part["a"].sum() / part["c"].sum())
        assert row["cot_pass_at_n"] == pytest.approx((part["a"] > 0).mean())
    assert bins_up_to(64) == [(1, 2), (3, 8), (9, 32), (33, 64)]
    assert bins_up_to(200)[4:] == [(65, 128), (129, 256)]


def test_sensitivity_stands_beside_the_gap(files):
    rows = read_frame(files["judge_sensitivity"], JUDGE_SENSITIVITY)
    assert set(rows["condition"]) == {"intermediate_error", "truncated"}
    assert (rows["expected_gap"] <= rows["largest_gap"] + 1e-12).all()
    assert (rows["observed_gap"] <= rows["expected_gap"] + 1e-12).all()
    assert (rows["largest_gap"] <= rows["pass_at_k"] + 1e-12).all()
    assert (rows["largest_gap_low"] <= rows["largest_gap"] + 1e-12).all()
    sharp = rows[(rows["judge"] == "sharp") & (rows["dataset"] == "all")]
    blind = rows[(rows["judge"] == "blind") & (rows["dataset"] == "all")]
    assert sharp["largest_gap"].mean() > 2 * blind["largest_gap"].mean()


def test_the_two_checks_in_plain_sentences(files):
    page = files.summarise()
    acceptance = read_frame(files["acceptance"], ACCEPTANCE)
    row = acceptance[
        (acceptance["judge"] == "blind")
        & (acceptance["strategy"] == "majority")
        & (acceptance["slice"] == "overall")
    ].set_index(["condition", "against"])
    clean, slip = row.loc["clean", "none"], row.loc["intermediate_error", "clean"]
    assert f"**blind** approves {100 * clean['rate']:.1f}% of the unedited correct solutions" in page
    assert f"{100 * slip['rate']:.1f}% of the same solutions with one wrong number" in page
    blind, sharp = re.split(r"\n\*\*", page)[1:3]
    assert "does not measurably tell chains with a wrong step" in blind
    assert "notices some of these errors" in sharp and "reacts to a wrong final answer" in sharp
    assert "Check 2" in page and "Had every approved chain been wrong" in page
    assert "because they reached the token limit" in page
    assert "nan" not in page and "None" not in page


def test_an_empty_study_says_that_nothing_was_checked(tmp_path):
    study = small_study()
    study.judgements = study.judgements.slice(0, 0)
    study.panel, study.injections = study.panel.head(0), study.injections.head(0)
    study.judges = {}
    made = Files(tmp_path, study)
    made.measure()
    assert made.summarise().count("this check was not made") == 2


def _drop_item(frame: pd.DataFrame, condition: str) -> pd.DataFrame:
    """One judged item less, with all its votes."""
    first = frame[frame["condition"] == condition].iloc[0]
    same = (frame[["judge", *KEY, "condition"]] == first[["judge", *KEY, "condition"]]).all(axis=1)
    return frame[~same]


def _wrong_sample(frame: pd.DataFrame, condition: str) -> pd.DataFrame:
    """One judged item more: a sample that nobody should have judged."""
    first = frame[frame["condition"] == condition].head(3)
    return pd.concat([frame, first.assign(sample_index=999)])
