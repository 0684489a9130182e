"""The robustness battery and the scoring of verifiers on it."""

import re
import sys
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.analysis.suite_battery import (
    Item,
    battery_files,
    build_battery,
    load_battery,
    load_languages,
    load_seeds,
    seeds_of_golds,
    write_battery,
)
from reasonaudit.analysis.suite_forms import Seed, localise
from reasonaudit.analysis.suite_scoring import KNOWS_NO_LANGUAGE, score_by_name, score_suite
from reasonaudit.analysis.suite_variants import NEAR_MISS, variants
from reasonaudit.analysis.verifier_suite import VLB, score_verifier
from reasonaudit.errors import DataError
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.verifier_suite import VERIFIER_SUITE, VERIFIER_SUITE_VARIANTS
from reasonaudit.verifiers.catalog import verifier

PROJECT_LANGUAGES = {"en", "ja", "zh", "tr", "pt"}
MGSM_LANGUAGES = {"bn", "de", "en", "es", "fr", "ja", "ru", "sw", "te", "th", "zh"}


@pytest.fixture(scope="module")
def battery():
    return load_battery()


def exact(prediction, gold):
    return prediction == gold


def test_the_committed_battery_is_what_the_generator_makes(battery):
    assert battery == build_battery(load_seeds(), load_languages())


def test_all_languages_and_families_are_there(battery):
    assert {item.language for item in battery} == PROJECT_LANGUAGES | MGSM_LANGUAGES
    for code in PROJECT_LANGUAGES | MGSM_LANGUAGES:
        mine = [item for item in battery if item.language == code]
        assert {item.family for item in mine} == {"correct", "format", "near_miss"}
        assert 0.25 < sum(not item.correct for item in mine) / len(mine) < 0.5
    assert len({item.item_id for item in battery}) == len(battery)


def test_universal_items_are_the_same_in_every_language(battery):
    universal = {}
    for item in battery:
        if item.scope == "universal":
            universal.setdefault(item.language, []).append((item.variant, item.prediction, item.gold))
    assert len(universal) == 13
    assert all(items == universal["en"] for items in universal.values())


def test_labels_of_plain_numbers_are_the_arithmetic_truth(battery):
    """Items that are one ASCII number or fraction can be checked without any reading rule."""
    plain = re.compile(r"-?\d+(?:\.\d+)?(?:/\d+)?")
    checked = [
        item
        for item in battery
        # Marks followed by three digits are grouping marks in some languages.
        if plain.fullmatch(item.prediction.strip()) and not re.search(r"\.\d{3}$", item.prediction)
    ]
    assert len(checked) > 500
    for item in checked:
        assert item.correct == (Fraction(item.prediction.strip()) == Fraction(item.gold)), item


def test_no_near_miss_is_written_like_a_right_answer_of_its_seed(battery):
    right = {(i.language, i.gold, i.prediction) for i in battery if i.correct}
    wrong = {(i.language, i.gold, i.prediction) for i in battery if not i.correct}
    assert not right & wrong


def test_replies_hold_the_answer_and_a_marker(battery):
    assert all(item.text.endswith(f"\n#### {item.prediction}") for item in battery)


@given(st.integers(-(10**9), 10**9), st.sampled_from(sorted(PROJECT_LANGUAGES | MGSM_LANGUAGES)))
def test_near_misses_of_any_whole_number_are_wrong(value, code):
    language = load_languages()[code]
    seed = seeds_of_golds({"s": str(value)})[0]
    assert seed.value == value
    for variant in variants():
        text = variant.render(seed, language)
        if text is None or not re.fullmatch(r"-?\d+(?:\.\d{1,2}|/\d+)?", text):
            continue
        assert (Fraction(text) == value) == (variant.family != NEAR_MISS)


def test_no_power_is_the_number_it_looks_like():
    raised = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
    render = next(v.render for v in variants() if v.name == "superscript")
    for value in range(10, 1000):
        text = render(seeds_of_golds({"s": str(value)})[0], {})
        assert text is None or int(text[:-1]) ** int(text[-1].translate(raised)) != value


@pytest.mark.parametrize(
    ("code", "text"),
    [("en", "1,234,567.5"), ("de", "1.234.567,5"), ("fr", "1\u202f234\u202f567,5"), ("ja", "1,234,567.5")],
)
def test_localise(code, text):
    assert localise("1234567.5", load_languages()[code]) == text
    assert localise("-999", load_languages()[code]) == "-999"


def test_indian_groups_and_native_digits():
    bengali = load_languages()["bn"]
    forms = {v.name: v.render(Seed("s", "large", "1234567"), bengali) for v in variants()}
    assert forms["indian_groups"] == "12,34,567"
    assert forms["native_digits"] == "১২৩৪৫৬৭"


def test_golds_that_are_no_numbers_give_no_seed():
    seeds = seeds_of_golds({"a": "1,234", "b": "x+1", "c": "-3", "d": "2.5", "e": "1/2", "f": "12"})
    assert [(s.seed_id, s.kind, s.gold) for s in seeds] == [
        ("a", "large", "1234"),
        ("c", "negative", "-3"),
        ("d", "decimal", "2.5"),
        ("e", "fraction", "1/2"),
        ("f", "count", "12"),
    ]


def test_a_users_verifier_in_a_few_lines(battery):
    report = score_verifier(exact)
    assert report.name == "exact" and len(report.judgements) == len(battery)
    rows = {(row["scope"], row["language"]): row for row in report.rows()}
    # Exact match never grants anything wrong, and no language is treated differently on the same texts.
    assert all(row["fpr"] == 0 for row in rows.values())
    assert rows["universal", VLB]["err"] == 0
    assert rows["all", VLB]["err"] > 0
    assert rows["all", "en"]["fnr"] > 0.9
    assert rows["all", "en"]["dominant_mode"] == "false_negative"
    assert "VLB" in report.summary() and "angle_brackets" in report.summary()


def test_the_example_in_the_readme_runs(repository, monkeypatch, capsys):
    """The first block of code, as a user would paste it at the root of the repository."""
    monkeypatch.chdir(repository)
    monkeypatch.setattr("sys.path", sys.path.copy())
    text = (repository / "resources" / "verifier_suite" / "README.md").read_text(encoding="utf-8")
    block = text.split("```python\n")[1].split("```")[0]
    scope = {}
    exec(compile(block, "README.md", "exec"), scope)
    assert scope["report"].rows()[0]["n"] > 200
    assert "my_verifier: " in capsys.readouterr().out


def test_rates_by_hand():
    items = [
        Item(f"{code}{i}", code, "format", "v", "universal", "p", "g", "t", correct)
        for code, labels in (("en", [True, True, False]), ("ja", [True, False, False]))
        for i, correct in enumerate(labels)
    ]
    # Accepts everything in English, nothing in Japanese.
    report = score_verifier(lambda p, g, language: language == "en", items, name="m")
    rows = {row["language"]: row for row in report.rows() if row["scope"] == "all"}
    assert (rows["en"]["fnr"], rows["en"]["fpr"], rows["en"]["err"]) == (0, 1, pytest.approx(1 / 3))
    assert (rows["ja"]["fnr"], rows["ja"]["fpr"], rows["ja"]["err"]) == (1, 0, pytest.approx(1 / 3))
    assert (rows[VLB]["fnr"], rows[VLB]["fpr"]) == (1, 1)
    assert rows[VLB]["err"] == pytest.approx(0)
    variant = next(row for row in report.variants() if row["language"] == "ja")
    assert (variant["n"], variant["errors"], variant["example_prediction"]) == (3, 1, "p")
    assert list(report.errors()["item_id"]) == ["en2", "ja0"]


@dataclass
class Late:
    accepted: bool = False
    rule: str = "limit_time"
    timed_out: bool = True


def test_time_outs_are_counted_outside_the_rates(battery):
    items = [item for item in battery if item.language == "en"][:10]
    report = score_verifier(lambda p, g, *, text: Late() if "7" in text else p == g, items)
    row = report.rows()[0]
    assert row["timed_out"] == sum("7" in item.text for item in items) > 0
    decided = [item for item in items if "7" not in item.text]
    assert row["false_negatives"] == sum(item.correct and item.prediction != item.gold for item in decided)


@pytest.mark.parametrize(
    "verify",
    [
        lambda p, g: p == g,
        lambda p, g, language: p == g and language == "en",
        lambda p, g, **more: p == g and set(more) == {"language", "text"},
        lambda prediction, gold, *, language="en", text=None: prediction == gold and text is not None,
    ],
)
def test_verifiers_take_what_they_name(verify, battery):
    items = [item for item in battery if item.language == "en" and item.variant == "plain"]
    assert all(j.accepted for j in score_verifier(verify, items).judgements)


def test_unknown_languages_and_damaged_files_are_errors(tmp_path):
    with pytest.raises(DataError, match="xx"):
        load_battery(languages=["en", "xx"])
    (tmp_path / "en.jsonl").write_text('{"item_id": "a"}\n')
    with pytest.raises(DataError, match="line 1"):
        load_battery(tmp_path)


def test_a_battery_survives_its_file(tmp_path):
    items = build_battery(seeds_of_golds({"a": "1200", "b": "-3"}), load_languages())
    write_battery(items, tmp_path)
    assert load_battery(tmp_path) == items


def test_tables_of_the_projects_verifiers(tmp_path):
    suite, forms = tmp_path / "verifier_suite.parquet", tmp_path / "verifier_suite_variants.parquet"
    files = [path for path in battery_files() if path.stem in ("en", "ja")]
    score_suite(suite=suite, variants=forms, verifiers=["exact", "hybrid", "trusted"], battery=files)
    frame = read_frame(suite, VERIFIER_SUITE).set_index(["verifier", "given", "scope", "language"])
    for given_ in ("answer", "reply"):
        assert (
            frame.loc[("trusted", given_, "all", "ja"), "err"]
            < frame.loc[("hybrid", given_, "all", "ja"), "err"]
            < frame.loc[("exact", given_, "all", "ja"), "err"]
        )
    by_form = read_frame(forms, VERIFIER_SUITE_VARIANTS)
    assert set(by_form["language"]) == {"en", "ja"}
    full_width = by_form[
        (by_form["variant"] == "full_width") & (by_form["given"] == "answer") & (by_form["language"] == "ja")
    ].set_index("verifier")
    assert full_width["err"].to_dict() == {"exact": 1.0, "hybrid": 0.0, "trusted": 0.0}


@pytest.mark.parametrize("name", sorted(KNOWS_NO_LANGUAGE))
def test_verifiers_without_language_judge_alike_in_every_language(name, battery):
    items = [item for item in battery if item.language == "en"][::8]
    verify = verifier(name)
    for item in items:
        found = {verify(item.prediction, item.gold, language=code) for code in ("en", "de", "ja")}
        assert len(found) == 1, item


def test_the_trusted_reward_agrees_with_every_label(battery):
    """Labels are by construction, so a disagreement is an error of the reference or of the battery."""
    for report in score_by_name(["trusted"], battery):
        assert report.errors().to_dict("records") == [], report.given
