"""CoT-Pass@k, acceptance and the published figures of the judge study, from counts."""

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_study import CONDITIONS, judged_study, small_study

from reasonaudit.analysis.acceptance import acceptance_rows, paired_draws
from reasonaudit.analysis.cot_pass import cot_pass_rows, zero_upper
from reasonaudit.analysis.edit_slices import position_bin, size_bin
from reasonaudit.analysis.judge_sensitivity import all_rejected, largest_gap
from reasonaudit.analysis.judged_samples import tally
from reasonaudit.analysis.paired_tests import mcnemar_exact, wilcoxon_exact
from reasonaudit.analysis.problems import membership_strata, problem_labels
from reasonaudit.analysis.question_counts import k_ladder, question_counts
from reasonaudit.analysis.resampling import percentile_interval, resampled_sums
from reasonaudit.audit.strategies import STRATEGIES, approved
from reasonaudit.tables.cot_pass import COT_PASS
from reasonaudit.tables.judged_samples import JUDGED_SAMPLES
from reasonaudit.tables.parquet import to_frame, to_table

STATISTICS = {"resamples": 400, "confidence": 0.95}
SAMPLE = ["model", "dataset", "method", "run", "question_id", "sample_index"]


@pytest.fixture(scope="module")
def study():
    return small_study()


@pytest.fixture(scope="module")
def judged(study):
    return to_frame(to_table(tally(study.judgements), JUDGED_SAMPLES))


@pytest.fixture(scope="module")
def counts(study, judged):
    labels = problem_labels(study.questions, study.datasets)
    keys = zip(study.questions["dataset"], study.questions["question_id"], strict=True)
    return question_counts(study.answers, judged, dict(zip(keys, labels, strict=True)), study.judges)


@pytest.fixture(scope="module")
def curves(study, counts):
    rows = cot_pass_rows(counts, study.solvers, None, STATISTICS, seed=1)
    return to_frame(to_table(rows, COT_PASS))


def test_votes_are_counted_as_defined(study, judged):
    votes = study.judgements.to_pandas()
    key = ["judge", *SAMPLE, "condition"]
    for place, rows in itertools.islice(votes.groupby(key), 0, None, 97):
        verdicts = list(rows["verdict"])
        line = judged.set_index(key).loc[place]
        assert [line[name] for name in ("votes", "yes", "no", "missing")] == [
            len(verdicts),
            *(verdicts.count(word) for word in ("yes", "no", "missing")),
        ]
        assert line["stopped"] == ((rows["verdict"] == "missing") & (rows["stop_reason"] == "length")).sum()
        assert line["tokens"] == rows["tokens"].sum()
        for strategy in STRATEGIES:
            assert line[f"approved_{strategy}"] == approved(verdicts, strategy)


def test_the_gap_by_enumeration_of_all_subsets(study, judged, curves):
    """Pass@k and CoT-Pass@k of one cell, by looking at every subset of k of its 8 samples."""
    key = {"model": "newer", "dataset": "maths-tr"}
    answers = _only(study.answers, **key)
    natural = _only(judged, **key, judge="sharp", condition="natural")
    good = set(
        zip(natural["question_id"], natural["sample_index"], natural["approved_majority"], strict=True)
    )
    for k in (1, 2, 4, 8):
        passes, cots = [], []
        for question, samples in answers.groupby("question_id"):
            right = [bool(c) for c in samples["correct"]]
            sound = [(question, i, True) in good for i in samples["sample_index"]]
            subsets = list(itertools.combinations(range(8), k))
            passes.append(np.mean([any(right[i] for i in s) for s in subsets]))
            cots.append(np.mean([any(sound[i] for i in s) for s in subsets]))
        (row,) = _only(curves, **key, level="cell", judge="sharp", strategy="majority", k=k).to_dict(
            "records"
        )
        assert row["pass_at_k"] == pytest.approx(np.mean(passes), abs=1e-12)
        assert row["cot_pass_at_k"] == pytest.approx(np.mean(cots), abs=1e-12)
        assert row["gap"] == pytest.approx(np.mean(passes) - np.mean(cots), abs=1e-12)


def test_the_gap_at_n_is_the_share_of_questions_without_an_approved_solution(counts, curves):
    for row in _only(curves, level="cell", k=8).to_dict("records"):
        cell = _only(counts, **{name: row[name] for name in ("model", "dataset", "judge")})
        lost = (cell["c"] > 0) & (cell[f"approved_{row['strategy']}"] == 0)
        assert row["gap"] == pytest.approx(lost.mean(), abs=1e-12)


def test_strategies_and_credit_are_ordered(curves):
    cell = ["level", "model", "dataset", "judge", "k"]
    kept = curves[curves["level"] != "generation_difference"]
    wide = kept.pivot(index=cell, columns="strategy", values="cot_pass_at_k")
    assert (wide["all"] <= wide["majority"] + 1e-12).all()
    assert (wide["majority"] <= wide["any"] + 1e-12).all()
    assert (kept["cot_pass_at_k"] <= kept["credited_cot_pass_at_k"] + 1e-12).all()
    assert (kept["credited_cot_pass_at_k"] <= kept["pass_at_k"] + 1e-12).all()
    assert (kept["low"] <= kept["gap"] + 1e-12).all() and (kept["gap"] <= kept["high"] + 1e-12).all()


def test_solvers_weight_by_questions_and_generations_are_means(curves):
    key = {"judge": "sharp", "strategy": "majority", "k": 4}
    cells = _only(curves, level="cell", **key)
    solvers = _only(curves, level="solver", **key).set_index("model")
    for model, rows in cells.groupby("model"):
        weighted = np.average(rows["gap"], weights=rows["questions"].astype(float))
        assert solvers.loc[model, "gap"] == pytest.approx(weighted, abs=1e-12)
        # The two data sets hold the same problems, so they add questions and no problem.
        assert (solvers.loc[model, "questions"], solvers.loc[model, "problems"]) == (24, 12)
    means = _only(curves, level="generation", **key).set_index("model")["gap"]
    assert means["earlier"] == pytest.approx(solvers.loc["older", "gap"], abs=1e-12)
    (difference,) = _only(curves, level="generation_difference", **key).to_dict("records")
    assert difference["model"] == "current - earlier"
    assert difference["gap"] == pytest.approx(means["current"] - means["earlier"], abs=1e-12)


def test_a_judge_that_always_agrees_leaves_a_structural_zero():
    rates = dict.fromkeys(("natural", *CONDITIONS), 1.0)
    made = small_study(judges={"yes": rates})
    judged = to_frame(to_table(tally(made.judgements), JUDGED_SAMPLES))
    problems = {(d, f"q{i}"): f"p{i}" for d in made.datasets for i in range(12)}
    rows = cot_pass_rows(
        question_counts(made.answers, judged, problems, made.judges), made.solvers, [1, 8, 16], STATISTICS, 1
    )
    assert {row["k"] for row in rows} == {1, 8}, "k above n is left out"
    assert all(row["structural_zero"] and row["gap"] == row["low"] == row["high"] == 0 for row in rows)
    assert {row["zero_upper"] for row in rows} == {1 - 0.025 ** (1 / 12)}


def test_zero_of_thirty():
    assert zero_upper(30) == pytest.approx(0.116, abs=5e-4)


def test_translations_move_together_and_sizes_stay():
    """A gap that is present in one language only varies as one language; in both it varies as problems do."""
    questions = pd.DataFrame(
        {"dataset": ["en"] * 20 + ["tr"] * 20 + ["own"] * 5, "parallel_id": [*range(20)] * 2 + [*range(5)]}
    )
    labels = problem_labels(questions, {"en": {"parallel": "p"}, "tr": {"parallel": "p"}, "own": {}})
    order, strata = membership_strata(labels, questions["dataset"])
    assert len(order) == 25 and len(set(strata)) == 2
    place = {problem: i for i, problem in enumerate(order)}
    counted = np.zeros((25, 3))
    for problem, dataset in zip(labels, questions["dataset"], strict=True):
        counted[place[problem], ["en", "tr", "own"].index(dataset)] += 1
    sums = resampled_sums(counted, resamples=50, seed=1, strata=strata)
    assert (sums == [20, 20, 5]).all()


def test_max_samples_counts_the_first_samples_only(study, judged):
    judges = {judge: settings | {"max_samples": 4} for judge, settings in study.judges.items()}
    kept = judged[judged["sample_index"] < 4]
    problems = {(d, f"q{i}"): f"p{i}" for d in study.datasets for i in range(12)}
    counts = question_counts(study.answers, kept, problems, judges)
    assert set(counts["n"]) == {4}
    first = study.answers[study.answers["sample_index"] < 4]
    assert counts["c"].sum() == 2 * first["correct"].sum()


@given(st.integers(1, 70))
def test_the_ladder(n):
    ladder = k_ladder(n)
    assert ladder[0] == 1 and ladder[-1] == n and sorted(set(ladder)) == ladder
    assert all(math.log2(k).is_integer() for k in ladder[:-1])


def test_published_gaps_from_their_counts(shared):
    vectors = _vectors(shared)["gap64_of_122"]
    for name, mean in (
        ("Qwen3.6_earlier", "mean"),
        ("Gemma4_earlier", "mean_gemma"),
        ("V4_earlier", "mean_v4"),
    ):
        assert 100 * np.mean(vectors[name]) / 122 == pytest.approx(vectors[mean], abs=0.05)
    assert 100 * np.mean(vectors["Qwen3.6_current"]) / 122 == pytest.approx(vectors["mean_current"], abs=0.05)


def test_the_published_stratified_interval(shared):
    vector = _vectors(shared)["gap_bootstrap_stratified"]
    gaps = np.concatenate([np.repeat([1.0, 0.0], [zeros, of - zeros]) for zeros, of in vector["zeros_of"]])
    strata = np.repeat(np.arange(4), [of for _, of in vector["zeros_of"]])
    draws = 100 * resampled_sums(gaps, resamples=10_000, seed=1, strata=strata)[:, 0] / len(gaps)
    assert 100 * gaps.mean() == pytest.approx(vector["gap"], abs=0.05)
    low, high = percentile_interval(draws)
    assert low == pytest.approx(vector["ci"][0], abs=0.9) and high == pytest.approx(vector["ci"][1], abs=0.9)


def test_published_mcnemar_and_intervals(shared):
    statistics = json.loads((shared / "reference" / "statistics.json").read_text())
    for case in statistics["mcnemar_exact_two_sided"] + _vectors(shared)["mcnemar_R1_by_benchmark"]:
        assert mcnemar_exact(case["b"], case["c"]) == pytest.approx(case["p"], rel=6e-3)
    for case in _vectors(shared)["bootstrap_from_counts_720"]:
        minus, plus = case["minus"], case["plus"]
        draws = 100 * paired_draws(minus, plus, 720, resamples=20_000, seed=2)
        assert 100 * (plus - minus) / 720 == pytest.approx(case["diff"], abs=0.0501)
        assert percentile_interval(draws)[0] == pytest.approx(case["ci"][0], abs=0.2)
        assert percentile_interval(draws)[1] == pytest.approx(case["ci"][1], abs=0.2)


def test_the_published_panel(shared):
    """The acceptance table from the 720 originals' published counts."""
    panel = json.loads((shared / "reference" / "statistics.json").read_text())["acceptance_panel_720"]
    judged = pd.concat([_panel(judge, counts) for judge, counts in panel.items()], ignore_index=True)
    edits = pd.DataFrame(columns=[*SAMPLE, "condition", "menu", "relative_size", "position_share"])
    rows = acceptance_rows(judged, edits, STATISTICS, seed=3)
    overall = {
        (r["judge"], r["condition"]): r
        for r in rows
        if (r["slice"], r["strategy"]) == ("overall", "majority") and r["against"] in ("none", "clean")
    }
    for judge, counts in panel.items():
        for condition, accepted in counts.items():
            row = overall[judge, condition]
            assert (row["n"], row["accepted"]) == (720, accepted)
            if condition != "clean":
                assert row["difference"] == pytest.approx((accepted - counts["clean"]) / 720)
                assert row["c"] - row["b"] == accepted - counts["clean"]
    # The three headline rates of the paper: 18%, 34% and 71% of wrong answers accepted.
    assert [round(100 * panel[j]["boxed_only"] / 720) for j in panel] == [18, 34, 71]


def test_wilcoxon_over_solvers(shared):
    for case in _vectors(shared)["wilcoxon_exact"]:
        assert wilcoxon_exact(case["d"]) == pytest.approx(case["p"], abs=6e-4)


def test_judge_costs_add_up(shared):
    cost = _vectors(shared)["judge_cost"]
    assert sum(cost["judgements"]) == cost["total"]
    tokens = sum(n * mean for n, mean in zip(cost["judgements"], cost["mean_tokens"], strict=True))
    assert tokens / 1e6 == pytest.approx(cost["million"], abs=0.5)


def test_acceptance_against_plain_counting(study, judged):
    wide = _with_problem(judged, study)
    rows = acceptance_rows(wide, study.injections, STATISTICS, seed=5)
    seen = {
        (r["judge"], r["condition"], r["strategy"], r["slice"], r["level"], r["against"]): r for r in rows
    }
    assert len(seen) == len(rows)
    for judge, condition, strategy in itertools.product(("blind", "sharp"), CONDITIONS[1:], STRATEGIES):
        mine = _only(judged, judge=judge)
        one = _only(mine, condition=condition).set_index(SAMPLE)[f"approved_{strategy}"]
        for against in ("clean", "boxed_only") if condition == "consistent_error" else ("clean",):
            other = _only(mine, condition=against).set_index(SAMPLE)[f"approved_{strategy}"].loc[one.index]
            row = seen[judge, condition, strategy, "overall", "all", against]
            assert (row["b"], row["c"]) == ((other & ~one).sum(), (one & ~other).sum())
            assert row["difference"] == pytest.approx(one.mean() - other.mean())
            assert row["p_mcnemar"] == mcnemar_exact(row["b"], row["c"])
            assert row["difference_low"] <= row["difference"] <= row["difference_high"]
    # Slices of one condition share its originals among them.
    for name in ("language", "dataset", "model", "edit_kind", "relative_size", "position"):
        parts = [
            r
            for r in rows
            if (r["judge"], r["condition"], r["strategy"], r["slice"])
            == ("sharp", "intermediate_error", "all", name)
        ]
        assert sum(r["n"] for r in parts) == len(study.panel), name
    assert {r["level"] for r in rows if r["slice"] == "position"} == {"40-50%", "50-60%", "60-70%"}
    natural = seen["sharp", "natural", "majority", "model_language", "newer / tr", "none"]
    mine = _only(judged, judge="sharp", condition="natural", model="newer", dataset="maths-tr")
    assert (natural["n"], natural["accepted"]) == (len(mine), mine["approved_majority"].sum())


def test_originals_of_one_problem_widen_the_interval():
    """Six identical originals a problem: the interval over problems is about the square root of 6 wider."""
    base = pd.DataFrame({"question_id": [f"q{i}" for i in range(40)], "yes": [i % 2 for i in range(40)]})
    rows = base.loc[base.index.repeat(6)].reset_index(drop=True)
    frames = []
    for condition in ("clean", "truncated"):
        keep = rows["yes"].astype(bool) | (condition == "clean")
        frames.append(
            rows.assign(
                judge="j", model="m", dataset="d", method="s", run=0, language="en", condition=condition
            )
            .assign(sample_index=np.tile(range(6), 40), problem=rows["question_id"])
            .assign(**{f"approved_{s}": keep for s in STRATEGIES})
        )
    edits = pd.DataFrame(columns=[*SAMPLE, "condition", "menu", "relative_size", "position_share"])
    found = acceptance_rows(pd.concat(frames), edits, {"resamples": 4000, "confidence": 0.95}, seed=1)
    row = next(r for r in found if r["condition"] == "truncated" and r["slice"] == "overall")
    clustered = row["difference_high"] - row["difference_low"]
    originals = row["originals_high"] - row["originals_low"]
    assert clustered / originals == pytest.approx(math.sqrt(6), rel=0.1)
    assert (row["clusters"], row["n"]) == (40, 240)


@pytest.mark.parametrize(
    ("size", "name"),
    [(0.0099, "<1%"), (0.01, "1-10%"), (0.1, "10-100%"), (1.0, "10-100%"), (1.01, ">100%"), (None, None)],
)
def test_size_bins(size, name):
    assert size_bin(size) == name


@pytest.mark.parametrize(
    ("condition", "share", "name"),
    [
        ("intermediate_error", 0.4, "40-50%"),
        ("intermediate_error", 0.6999, "60-70%"),
        ("boxed_only", 0.9, None),
        ("intermediate_error", None, None),
    ],
)
def test_position_bins(condition, share, name):
    assert position_bin(condition, share) == name


@given(n=st.integers(1, 12), data=st.data())
@settings(max_examples=60)
def test_sensitivity_by_simulation_of_every_outcome(n, data):
    """Against the sum over all subsets of approved chains that stay approved."""
    a = data.draw(st.integers(0, min(n, 6)))
    k = data.draw(st.integers(1, n))
    r = data.draw(st.sampled_from([0.0, 0.3, 0.9, 1.0]))
    exact = 0.0
    for kept in itertools.product((0, 1), repeat=a):
        weight = math.prod(r if x else 1 - r for x in kept)
        exact += weight * math.comb(n - sum(kept), k) / math.comb(n, k)
    assert all_rejected(n, a, k, r) == pytest.approx(exact, abs=1e-12)


def test_the_largest_gap_at_its_ends():
    assert largest_gap(0.8, 0.1, 1.0) == pytest.approx(0.1), "a blind judge could not have shown more"
    assert largest_gap(0.8, 0.1, 0.0) == pytest.approx(0.8), "a perfect judge could have shown everything"


def test_many_solvers_and_uneven_pools():
    made = judged_study(
        solvers={"a": 0.5, "b": 0.5},
        datasets={"d": {"language": "en"}},
        judges={"j": dict.fromkeys(("natural", *CONDITIONS), 0.5)},
        samples=6,
    )
    short = made.answers[~((made.answers["question_id"] == "q3") & (made.answers["sample_index"] > 3))]
    judged = to_frame(to_table(tally(made.judgements), JUDGED_SAMPLES))
    keep = ~((judged["question_id"] == "q3") & (judged["sample_index"] > 3))
    problems = {("d", f"q{i}"): f"p{i}" for i in range(12)}
    counts = question_counts(short, judged[keep], problems, made.judges)
    rows = cot_pass_rows(counts, {}, None, STATISTICS, seed=1)
    assert {row["k"] for row in rows} == {1, 2, 4}, "Pass@6 is undefined where a question has 4 samples"
    assert {row["n"] for row in rows} == {4}


def _panel(judge: str, counts: dict) -> pd.DataFrame:
    frames = []
    for condition, accepted in counts.items():
        frames.append(
            pd.DataFrame(
                {
                    "judge": judge,
                    "model": "m",
                    "dataset": "d",
                    "method": "s",
                    "run": 0,
                    "question_id": [f"q{i // 6}" for i in range(720)],
                    "sample_index": [i % 6 for i in range(720)],
                    "condition": condition,
                    "language": "en",
                    "problem": [f"q{i // 6}" for i in range(720)],
                    **{f"approved_{s}": np.arange(720) < accepted for s in STRATEGIES},
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def _with_problem(judged: pd.DataFrame, study) -> pd.DataFrame:
    asked = study.questions.assign(problem=problem_labels(study.questions, study.datasets))
    return judged.merge(
        asked[["dataset", "question_id", "language", "problem"]], on=["dataset", "question_id"]
    )


def _only(frame: pd.DataFrame, **values) -> pd.DataFrame:
    for name, value in values.items():
        frame = frame[frame[name] == value]
    return frame


def _vectors(shared) -> dict:
    return json.loads((shared / "reference" / "vectors.json").read_text())
