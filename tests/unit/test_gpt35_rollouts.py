"""Public GPT-3.5 rollouts (Japanese and Chinese MGSM, seven reasoning languages) through the whole study."""

import pytest

from reasonaudit.analysis.reward_errors import measure_reward_errors
from reasonaudit.analysis.selection import select_across_languages
from reasonaudit.analysis.suite_battery import build_battery, load_languages, seeds_of_golds
from reasonaudit.analysis.verifier_suite import score_verifier
from reasonaudit.importers.reasoning_language_chats import load_reasoning_languages
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.reward_errors import REWARD_ERRORS
from reasonaudit.tables.selection import SELECTION
from reasonaudit.verifiers.grading import grade_answers
from reasonaudit.verifiers.trusted import verify as trusted

pytestmark = pytest.mark.shared
MGSM = ("bn", "de", "en", "es", "fr", "ja", "ru", "sw", "te", "th", "zh")


@pytest.fixture(scope="module")
def graded(shared, tmp_path_factory):
    folder = tmp_path_factory.mktemp("gpt35")
    for language in ("ja", "zh"):
        questions, calls = load_reasoning_languages(
            shared / "generations" / "mgsm_gpt35_clsp_k7" / language,
            language=language,
            dataset=f"mgsm-{language}",
            model="gpt-3.5-turbo",
        )
        questions["gold"] = questions["gold"].str.replace(",", "")
        write_table(folder / f"q-{language}.parquet", questions, QUESTIONS)
        write_table(folder / f"c-{language}.parquet", calls, CALLS)
        grade_answers(
            questions=folder / f"q-{language}.parquet",
            calls=folder / f"c-{language}.parquet",
            answers=folder / f"a-{language}.parquet",
            verdicts=folder / f"v-{language}.parquet",
            answer_rule="each_sample",
            verifier="trusted",
            verifiers=["exact", "numeric", "trusted"],
        )
    return folder


def files(folder, kind):
    return [folder / f"{kind}-{language}.parquet" for language in ("ja", "zh")]


def test_diagnosis(graded, tmp_path):
    measure_reward_errors(
        questions=files(graded, "q"),
        answers=files(graded, "a"),
        verdicts=files(graded, "v"),
        errors=tmp_path / "e.parquet",
        contrasts_to=tmp_path / "c.parquet",
        displayed=tmp_path / "d.parquet",
        problem_sets={"mgsm": ["mgsm-ja", "mgsm-zh"]},
        method="self_consistency",
        verifiers=["exact", "numeric"],
        trusted="trusted",
        seed=1,
        resamples=1000,
        permutations=500,
    )
    frame = read_frame(tmp_path / "e.parquet", REWARD_ERRORS)
    profiles = frame[frame["metric"] == "profile"].set_index(["verifier", "language"])
    assert (profiles["n"] == 1750).all()
    for language in ("ja", "zh"):
        exact, numeric = profiles.loc[("exact", language)], profiles.loc[("numeric", language)]
        assert exact["fpr"] == 0 and exact["fnr"] > 0.5
        assert numeric["fnr"] < 0.05 and numeric["fpr"] < 0.02
    # Both languages suffer alike, so a VLB interval above zero is no evidence and the permutation p says so.
    vlb = frame[(frame["verifier"] == "exact") & (frame["metric"] == "fnr")].iloc[0]
    assert vlb["fnr_low"] > 0 and vlb["p_permutation"] > 0.05
    assert not profiles["flagged"].any()


def test_selection(graded, tmp_path):
    select_across_languages(
        questions=files(graded, "q"),
        answers=files(graded, "a"),
        selection=tmp_path / "s.parquet",
        autopsy=tmp_path / "a.parquet",
        problem_sets={"mgsm": ["mgsm-ja", "mgsm-zh"]},
        method="self_consistency",
        seed=1,
        resamples=500,
    )
    frame = read_frame(tmp_path / "s.parquet", SELECTION)
    best = frame[frame["reported"].astype(bool) & (frame["language"] == "all")].iloc[0]
    assert best["n_questions"] == 500 and best["k"] == 7
    assert best["fixed"] > 3 * best["regressions"]
    assert best["gap_closed"] > 0.4 and best["p_sign"] < 1e-4
    assert (frame["borrowed"] == 0).all() and (frame["mixed_classes"] == 0).all()


def test_all_mgsm_languages_through_the_suite(shared):
    languages = load_languages()
    for code in MGSM:
        lines = (shared / "datasets" / "mgsm" / f"mgsm_{code}.tsv").read_text(encoding="utf-8").split("\n")
        golds = {f"{i:03d}": line.split("\t")[1] for i, line in enumerate(lines) if "\t" in line}
        assert len(golds) == 250
        seeds = seeds_of_golds(golds)
        assert len(seeds) == 250
        items = build_battery(seeds, {code: languages[code]})
        assert score_verifier(trusted, items).errors().to_dict("records") == []
        exact = score_verifier(lambda p, g: p == g, items).rows()[0]
        assert exact["fpr"] == 0 and exact["fnr"] > 0.9
