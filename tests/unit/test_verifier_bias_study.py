"""The verifier study from files to tables, profiles and figures."""

import pandas as pd
import pytest
from multilingual import write_pools

from reasonaudit.analysis.false_negative_causes import explain_false_negatives
from reasonaudit.analysis.interface_probe import probe_interface
from reasonaudit.analysis.reward_errors import measure_reward_errors
from reasonaudit.analysis.reward_variance import measure_reward_variance
from reasonaudit.analysis.selection import select_across_languages
from reasonaudit.analysis.suite_battery import battery_files
from reasonaudit.analysis.suite_scoring import score_suite
from reasonaudit.analysis.verifier_profiles import next_step, profile_verifiers
from reasonaudit.analysis.verifier_summary import write_verifier_summary
from reasonaudit.errors import DataError
from reasonaudit.figures.fnr_by_language import draw_fnr_by_language
from reasonaudit.figures.language_bias import draw_language_bias
from reasonaudit.figures.local_vs_aggregated import draw_local_vs_aggregated
from reasonaudit.figures.reward_variance import draw_reward_variance
from reasonaudit.figures.suite_errors import draw_suite_errors
from reasonaudit.tables.false_negative_causes import FALSE_NEGATIVE_CAUSES
from reasonaudit.tables.interface_probe import INTERFACE_PROBE
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.reward_errors import REWARD_ERROR_CONTRASTS, REWARD_ERRORS, REWARD_ERRORS_DISPLAYED
from reasonaudit.tables.reward_variance import REWARD_VARIANCE
from reasonaudit.tables.selection import SELECTION, SELECTION_AUTOPSY
from reasonaudit.tables.verifier_profiles import VERIFIER_PROFILES
from reasonaudit.tables.verifier_suite import VERIFIER_SUITE, VERIFIER_SUITE_VARIANTS

GOLDS = [str(n) for n in range(11, 23)]
SETS = {"sums": ["sums-en", "sums-ja", "sums-zh"]}


def digits(text):
    return "".join(c for c in text if c.isdigit())


VERIFIERS = {
    "trusted": lambda p, g: digits(p) == g,
    "exact": lambda p, g: p == g,
    "numeric": lambda p, g: digits(p) == g,
}


def answers_of(ja_form):
    """Right in English and Chinese; in Japanese written as ``ja_form``, outvoted in every third problem."""
    cells = {"en": [], "ja": [], "zh": []}
    for place, gold in enumerate(GOLDS):
        cells["en"].append([gold] * 3 + ["7"])
        cells["zh"].append([gold] * 3 + [None])
        right = ja_form.replace("x", gold)
        cells["ja"].append([right, "7", "7", right] if place % 3 else ["7", "7", "7", right])
    return cells


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    paths = write_pools(folder, {"tiny": answers_of("<x>")}, GOLDS, verifiers=VERIFIERS)
    plain = write_pools(folder, {"tiny": answers_of("x")}, GOLDS, verifiers=VERIFIERS, method="plain_numeric")
    common = {
        "questions": paths["questions"],
        "answers": paths["answers"] + plain["answers"],
        "verdicts": paths["verdicts"] + plain["verdicts"],
    }
    audit = {"problem_sets": SETS, "method": "self_consistency"}
    graded = {**common, **audit, "verifiers": ["exact", "numeric"], "trusted": "trusted"}
    names = (
        "errors",
        "contrasts",
        "displayed",
        "causes",
        "selection",
        "autopsy",
        "variance",
        "probe",
        "profiles",
    )
    out = {name: folder / f"{name}.parquet" for name in names}
    measure_reward_errors(
        **graded,
        errors=out["errors"],
        contrasts_to=out["contrasts"],
        displayed=out["displayed"],
        seed=1,
        resamples=200,
        permutations=199,
    )
    explain_false_negatives(**graded, causes=out["causes"])
    measure_reward_variance(**graded, variance=out["variance"])
    select_across_languages(
        questions=common["questions"],
        answers=common["answers"],
        **audit,
        selection=out["selection"],
        autopsy=out["autopsy"],
        seed=1,
        resamples=200,
    )
    probe_interface(
        **common,
        probe=out["probe"],
        verifiers=["exact", "numeric"],
        trusted="trusted",
        seed=1,
        resamples=200,
        probes=[
            {
                "name": "sums",
                "ordinary": {"datasets": SETS["sums"], "method": "self_consistency"},
                "plain_numeric": {"datasets": SETS["sums"], "method": "plain_numeric"},
            }
        ],
    )
    profile_verifiers(
        errors=out["errors"], causes=out["causes"], selection=out["selection"], profiles=out["profiles"]
    )
    return out


def test_reward_errors(results):
    frame = read_frame(results["errors"], REWARD_ERRORS)
    exact = frame[frame["verifier"] == "exact"].set_index(["language", "metric"])
    assert exact.loc[("ja", "profile"), "fnr"] == 1
    assert exact.loc[("en", "profile"), "fnr"] == 0
    assert exact.loc[("ja", "profile"), "flagged"] and not exact.loc[("en", "profile"), "flagged"]
    assert exact.loc[("VLB", "fnr"), "fnr"] == 1
    assert exact.loc[("VLB", "fnr"), "p_permutation"] == 1 / 200
    assert (
        exact.loc[("VLB", "fnr"), "highest_language"],
        exact.loc[("VLB", "err"), "lowest_language"],
    ) == ("ja", "en")
    # Chinese has no readable wrong sample, but the unreadable one is a wrong sample that is rejected.
    assert exact.loc[("zh", "profile"), "fpr"] == 0
    numeric = frame[(frame["verifier"] == "numeric") & (frame["metric"] == "profile")]
    assert (numeric["err"] == 0).all() and set(numeric["dominant_mode"]) == {"none"}
    contrasts = read_frame(results["contrasts"], REWARD_ERROR_CONTRASTS)
    pair = contrasts[
        (contrasts["verifier"] == "exact") & (contrasts["metric"] == "fnr") & (contrasts["language"] == "en")
    ].set_index("other_language")
    assert pair.loc["ja", "difference"] == -1 and pair.loc["ja", "p_max_t"] < 0.05
    assert pair.loc["zh", "p_max_t"] == 1
    shown = read_frame(results["displayed"], REWARD_ERRORS_DISPLAYED)
    assert shown[(shown["verifier"] == "exact") & (shown["language"] == "VLB")]["fnr"].item() == 1.0


def test_causes(results):
    frame = read_frame(results["causes"], FALSE_NEGATIVE_CAUSES)
    assert set(frame["verifier"]) == {"exact"} and set(frame["language"]) == {"ja"}
    row = frame[frame["cause"] == "angle_brackets"].iloc[0]
    assert (row["count"], row["share"], row["readmitted_share"], row["stripped_share"]) == (20, 1, 1, 1)


def test_selection(results):
    frame = read_frame(results["selection"], SELECTION)
    best = frame[frame["reported"].astype(bool)].set_index("language")
    assert (best.loc["ja", "opportunities"], best.loc["ja", "fixed"], best.loc["ja", "regressions"]) == (
        4,
        4,
        0,
    )
    assert best.loc["ja", "gap_closed"] == 1 and best.loc["all", "gap_closed"] == 1
    assert best.loc["all", "fixed_all_siblings"] == 4
    assert (frame["borrowed"] == 0).all()
    local = frame[(frame["rule"] == "local_majority") & (frame["language"] == "all")].iloc[0]
    assert local["weakest_language"] == "ja" and local["reference_gap"] == pytest.approx(4 / 12)
    autopsy = read_frame(results["autopsy"], SELECTION_AUTOPSY)
    mine = autopsy[autopsy["rule"] == "aggregated_sum_alpha_1"]
    assert set(mine["outcome"]) == {"fixed"}
    assert set(mine["target_votes"]) == {1} and set(mine["sibling_votes"]) == {6}


def test_reward_variance(results):
    frame = read_frame(results["variance"], REWARD_VARIANCE)
    assert set(frame["verifier"]) == {"trusted", "exact", "numeric"}
    japanese = frame[(frame["language"] == "ja") & (frame["grouping"] == "single_language")].set_index(
        "verifier"
    )
    assert japanese["zero_variance_share"].to_dict() == {"exact": 1, "numeric": 0, "trusted": 0}


def test_interface_probe(results):
    frame = read_frame(results["probe"], INTERFACE_PROBE)
    exact = frame[frame["verifier"] == "exact"].set_index("condition")
    assert exact.loc["ordinary", "vlb_fnr"] == 1 and exact.loc["plain_numeric", "vlb_fnr"] == 0
    assert exact.loc["change", "vlb_fnr"] == 1
    # Right answers: 36 of 48 in English, 20 in Japanese, under either prompt.
    assert exact.loc["plain_numeric", "accuracy_gap"] == pytest.approx(16 / 48)
    assert exact.loc["change", "accuracy_gap"] == 0


def test_profiles_say_what_where_and_what_to_do(results):
    frame = read_frame(results["profiles"], VERIFIER_PROFILES).set_index("verifier")
    exact = frame.loc["exact"]
    assert (exact["next_step"], exact["worst_language"], exact["main_cause"]) == (
        "interface",
        "ja",
        "angle_brackets",
    )
    for words in (
        "false negatives",
        "ja (1.000)",
        "Flagged: ja",
        "angle brackets",
        "100%",
        "answer interface",
    ):
        assert words in exact["sentence"]
    assert "closes 100% of the gap" in exact["sentence"]
    numeric = frame.loc["numeric"]
    assert numeric["next_step"] == "selection"
    assert "agrees with the trusted reward on all 144 samples" in numeric["sentence"]


def test_profiles_without_selection(results, tmp_path):
    profile_verifiers(
        errors=results["errors"], causes=results["causes"], profiles=tmp_path / "profiles.parquet"
    )
    frame = read_frame(tmp_path / "profiles.parquet", VERIFIER_PROFILES).set_index("verifier")
    assert frame["selection_opportunities"].isna().all()
    assert frame.loc["numeric", "next_step"] == "none"


def test_summary(results, tmp_path):
    suite = tmp_path / "suite.parquet"
    files = [path for path in battery_files() if path.stem in ("en", "ja")]
    score_suite(suite=suite, variants=tmp_path / "v.parquet", verifiers=["exact"], battery=files)
    both = tmp_path / "both.md"
    write_verifier_summary(
        suite=suite, profiles=results["profiles"], selection=results["selection"], summary=both
    )
    text = both.read_text()
    assert "## tiny on sums (en, ja, zh)" in text
    assert "Fixed 4 of 4 opportunities against 0 regressions" in text
    assert "Borrowed answers: 0." in text
    assert "| exact | answer |" in text
    write_verifier_summary(suite=suite, summary=tmp_path / "suite.md")
    assert "Selection" not in (tmp_path / "suite.md").read_text()


@pytest.mark.parametrize(
    ("facts", "step"),
    [
        ({"flagged": ["ja"]}, "interface"),
        ({"error_share": 0.02}, "interface"),
        ({"dominant_mode": "false_positive", "error_share": 0.02}, "stricter_verifier"),
        ({"opportunities": 5, "gap_closed": 0.4}, "selection"),
        ({"opportunities": 5, "gap_closed": -0.2}, "none"),
        ({}, "none"),
        ({"samples": 0}, "no_data"),
    ],
)
def test_next_step(facts, step):
    nothing = {
        "samples": 10,
        "flagged": [],
        "dominant_mode": "false_negative",
        "error_share": 0.0,
        "opportunities": 0,
        "gap_closed": None,
    }
    assert next_step(**{**nothing, **facts}) == step


def test_a_missing_pool_or_verdict_is_an_error(tmp_path):
    paths = write_pools(tmp_path, {"tiny": answers_of("x")}, GOLDS, verifiers=VERIFIERS)
    study = {
        **paths,
        "problem_sets": SETS,
        "method": "self_consistency",
        "verifiers": ["exact"],
        "trusted": "trusted",
        "variance": tmp_path / "v.parquet",
    }
    with pytest.raises(DataError, match="no answers of debate"):
        measure_reward_variance(**{**study, "method": "debate"})
    with pytest.raises(DataError, match="verdict of other"):
        measure_reward_variance(**{**study, "trusted": "other"})
    with pytest.raises(DataError, match="verifier lenient has verdicts for 0 of 144"):
        measure_reward_variance(**{**study, "verifiers": ["lenient"]})
    with pytest.raises(DataError, match="language twice"):
        questions = read_frame(paths["questions"], _questions()).replace({"language": {"zh": "ja"}})
        write_table(tmp_path / "twice.parquet", questions, _questions())
        measure_reward_variance(**{**study, "questions": tmp_path / "twice.parquet"})


def _questions():
    from reasonaudit.tables.questions import QUESTIONS

    return QUESTIONS


def test_figures_are_the_same_bytes_twice(results, tmp_path):
    suite = pd.DataFrame(
        [
            {
                "verifier": "exact",
                "given": given,
                "scope": "all",
                "language": code,
                "n": 4,
                "n_correct": 2,
                "timed_out": 0,
                "false_negatives": 1,
                "false_positives": 0,
                "err": 0.25,
            }
            for given in ("answer", "reply")
            for code in ("en", "ja")
        ]
    )
    forms = pd.DataFrame(
        [
            {
                "verifier": "exact",
                "given": "answer",
                "family": family,
                "variant": "bold",
                "language": "en",
                "n": 2,
                "timed_out": 0,
                "errors": 1,
                "err": 0.5,
            }
            for family in ("correct", "format")
        ]
    )
    write_table(tmp_path / "s.parquet", suite, VERIFIER_SUITE)
    write_table(tmp_path / "f.parquet", forms, VERIFIER_SUITE_VARIANTS)
    drawings = {
        "fnr": lambda paths: draw_fnr_by_language(reward_errors=results["errors"], paths=paths),
        "bias": lambda paths: draw_language_bias(reward_errors=results["errors"], paths=paths),
        "local": lambda paths: draw_local_vs_aggregated(selection=results["selection"], paths=paths),
        "variance": lambda paths: draw_reward_variance(reward_variance=results["variance"], paths=paths),
        "suite": lambda paths: draw_suite_errors(
            verifier_suite=tmp_path / "s.parquet", verifier_suite_variants=tmp_path / "f.parquet", paths=paths
        ),
    }
    for name, draw in drawings.items():
        first, second = ([tmp_path / f"{name}{i}{end}" for end in (".svg", ".png")] for i in (1, 2))
        draw(first)
        draw(second)
        for a, b in zip(first, second, strict=True):
            assert a.read_bytes() == b.read_bytes() and a.stat().st_size > 2000


def test_empty_tables_are_drawn_with_a_note(tmp_path):
    for name, schema, draw in (
        ("e", REWARD_ERRORS, lambda p, out: draw_fnr_by_language(reward_errors=p, paths=out)),
        ("b", REWARD_ERRORS, lambda p, out: draw_language_bias(reward_errors=p, paths=out)),
        ("s", SELECTION, lambda p, out: draw_local_vs_aggregated(selection=p, paths=out)),
        ("v", REWARD_VARIANCE, lambda p, out: draw_reward_variance(reward_variance=p, paths=out)),
    ):
        write_table(tmp_path / f"{name}.parquet", [], schema)
        draw(tmp_path / f"{name}.parquet", [tmp_path / f"{name}.svg"])
        assert (tmp_path / f"{name}.svg").stat().st_size > 500
