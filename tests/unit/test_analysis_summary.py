"""The summary page says what the tables say, and no more."""

import re

import pandas as pd
import pytest

from reasonaudit.analysis.findings import Page, checks, verdicts, warnings
from reasonaudit.analysis.phrases import count, extent, interval, label, listed, p_value, percent, points
from reasonaudit.tables.comparisons import COMPARISONS
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.robustness import ROBUSTNESS
from unit.equal_cost_run import run_study
from unit.synthetic import make_study


def test_phrases():
    assert [points(x) for x in (0.0312, -0.0312, 0.0001, -0.0001)] == ["+3.1", "−3.1", "0.0", "0.0"]
    assert percent(0.4567) == "45.7%"
    assert [p_value(p) for p in (0.0004, 0.0364, 1.0)] == ["p < 0.001", "p = 0.036", "p = 1.000"]
    assert interval(-0.133, -0.022, 0.95) == "95% interval −13.3 to −2.2"
    assert interval(-0.1, 0.1, 0.9).startswith("90% interval")
    assert [count(n, "pick") for n in (0, 1, 2)] == ["no pick", "1 pick", "2 picks"]
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert label("x", {"x": {"label": None}}) == "x"
    assert label("x", {"x": {"label": "X"}}) == "X"
    assert extent(pd.Series([0.013, 0.032])) == "1.3 to 3.2 points"
    assert extent(pd.Series([0.013, 0.01301])) == "1.3 points"


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    study = make_study(models={"a": 0.0, "b": 1.0}, datasets=("sums",), n_questions=40, pool_size=9)
    return run_study(study, tmp_path_factory.mktemp("summary"))


@pytest.fixture(scope="module")
def page(result):
    return result["summary"].read_text(encoding="utf-8")


def test_every_section_is_there(page):
    assert re.findall(r"^#+ .*", page, re.M) == [
        "# Equal cost: synthetic",
        "## What was compared",
        "## Better, worse, or not distinguishable",
        "## What the study could have seen",
        "## Groups of methods",
        "## Judging against counting",
        "## What rewriting did",
        "## Warnings",
        "## Does it hold under other choices?",
        "## Checks",
    ]
    assert "nan" not in page.lower().replace("unanim", "")
    assert "None" not in page


def test_the_tally_is_the_tables(result, page):
    frame = read_frame(result["paths"]["comparisons"], COMPARISONS)
    fixed = frame.query("cost_basis == 'generated' and matching == 'fixed' and verdict != 'not_compared'")
    better, worse = ((fixed["verdict"] == verdict).sum() for verdict in ("better", "worse"))
    left = len(fixed) - better - worse
    assert (
        f"Of {len(fixed)} comparisons, {better} are reliably better than repeated sampling at equal cost, "
        f"{worse} reliably worse, and {left} are not distinguishable" in page
    )
    worst = fixed.sort_values("difference").iloc[0]
    assert f"{points(worst['difference'])} points ({interval(worst['low'], worst['high'], 0.95)})" in page
    smallest, largest = 100 * fixed["detectable_80"].min(), 100 * fixed["detectable_80"].max()
    assert f"in 80% of them if it is {smallest:.1f} to {largest:.1f} points" in page


def test_flips_are_named(result, page):
    frame = read_frame(result["paths"]["robustness"], ROBUSTNESS)
    for variant, part in frame[frame["flips"].fillna(False).astype(bool)].groupby("variant"):
        line = next(x for x in page.splitlines() if x.startswith(f"- {variant.replace('_', ' ')} ("))
        assert f"{len(part)} of" in line
        assert line.count(" from ") >= len(part)


def test_one_run_and_open_questions_are_said(page):
    assert "Each method ran once" in page
    assert "Not distinguishable does not mean equal" in page


def test_a_page_never_calls_the_undecided_equal(page):
    assert not re.search(r"\b(no difference|the same accuracy|as good as|no effect|equally)\b", page)


def test_the_same_bytes_twice(result, page, tmp_path):
    study = make_study(models={"a": 0.0, "b": 1.0}, datasets=("sums",), n_questions=40, pool_size=9)
    again = run_study(study, tmp_path)
    assert again["summary"].read_text(encoding="utf-8") == page
    for name, path in result["paths"].items():
        assert path.read_bytes() == again["paths"][name].read_bytes(), name


def test_a_demo_sized_study_says_that_it_is_small(tmp_path):
    study = make_study(n_questions=6, pool_size=8, datasets=("sums",))
    text = run_study(study, tmp_path)["summary"].read_text(encoding="utf-8")
    assert "With fewer than 30 questions none of this is a finding" in text
    assert "reliably" not in text
    assert "Not compared, because they cost more than the whole pool: Best of n (tiny on sums)" in text


def test_several_runs(tmp_path):
    study = make_study(
        n_questions=35, pool_size=9, runs=2, methods=("self_consistency", "debate", "reflexion")
    )
    text = run_study(study, tmp_path)["summary"].read_text(encoding="utf-8")
    assert "35 questions each, 2 runs" in text
    assert "Each method ran once" not in text


def test_a_study_without_a_pool_says_so(tmp_path):
    study = make_study(n_questions=4, methods=("chain_of_thought", "self_refine"))
    text = run_study(study, tmp_path)["summary"].read_text(encoding="utf-8")
    assert "Nothing was compared" in text
    assert "## What rewriting did" in text


NAMES = {"m": {"label": "Model"}, "d": {"label": "Data"}, "reflexion": {"label": "Reflexion"}}
CELL = {"model": "m", "dataset": "d", "method": "reflexion"}


def page_of(**tables):
    base = {
        "comparisons": {**CELL, "matching": "fixed", "cost_basis": "generated", "flag": None}
        | {"verdict": "better", "difference": 0.05, "low": 0.01, "high": 0.09, "p_holm_setting": 0.02}
        | {"p_holm_all": 0.02, "p_t_holm_setting": 0.2, "n_questions": 150, "runs": 1},
        "engagement": {**CELL, "warning": None},
        "unreadable": {**CELL, "answers": 150, "truncated_unreadable": 0},
        "pick_vs_count": {
            **CELL,
            "n_questions": 6,
            "runs": 1,
            "unreadable_picks": 3,
            "out_of_range_picks": 0,
        },
        "dropped": {"model": "m", "dataset": "other", "question_id": "q"},
        "gates": {"gate": "g", "status": "passed"},
        "rederivation": {"status": "agrees"},
    }
    frames = {name: pd.DataFrame([row | tables.get(name, {})]) for name, row in base.items()}
    return Page(frames, NAMES, NAMES, NAMES, {"confidence": 0.95})


def test_a_better_method_is_called_better_with_its_interval():
    text = "\n".join(verdicts(page_of()))
    assert "Of 1 comparison, 1 is reliably better" in text
    assert (
        "Reflexion (Model on Data) is better: +5.0 points (95% interval +1.0 to +9.0), corrected p = 0.020."
        in text
    )
    assert "Not distinguishable" not in text
    doubted = "\n".join(verdicts(page_of(comparisons={"flag": "p_disagreement"})))
    assert "corrected p = 0.020 (the paired t test disagrees: corrected p = 0.200)." in doubted


def test_warnings_in_words():
    text = "\n".join(
        warnings(
            page_of(
                engagement={
                    "warning": "never went beyond its first attempt: what was measured is a single pass"
                },
                unreadable={"truncated_unreadable": 24},
                comparisons={"flag": "below_one;p_disagreement"},
                pick_vs_count={"out_of_range_picks": 2},
            )
        )
    )
    assert "Reflexion (Model on Data) never went beyond its first attempt" in text
    assert "answers lost because the reply was cut off by its limit: Reflexion 24 of 150 (16.0%)" in text
    assert "(corrected p = 0.020) and the paired t test (corrected p = 0.200) disagree" in text
    assert "Cheaper than one sample, and compared with one: Reflexion (Model on Data)." in text
    assert "Reflexion (Model on Data) named no candidate in 5 of 6 picks" in text
    assert "named no candidate" not in "\n".join(warnings(page_of()))
    assert "Model on other: 1 question left every method" in text


def test_checks_name_what_was_let_through():
    allowed = {"gate": "every_call_started", "status": "allowed"}
    assert checks(page_of(gates=allowed))[0].startswith(
        "0 of 1 integrity gates passed (the configuration let every_call_started through)"
    )
