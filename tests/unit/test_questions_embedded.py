"""The embedded word problems: right by construction, parallel, and not among the worked examples."""

import importlib.util
import json
import re

import pytest

LANGUAGES = ("en", "ja", "zh", "tr", "pt")
DIGITS = re.compile(r"\d+")


@pytest.fixture(scope="module")
def folder(repository):
    return repository / "resources"


@pytest.fixture(scope="module")
def rows(folder):
    lines = (folder / "questions" / "arithmetic.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def generator(folder):
    path = folder / "questions" / "generate.py"
    spec = importlib.util.spec_from_file_location("generate_questions", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_file_is_what_the_generator_writes(folder, generator):
    stored = (folder / "questions" / "arithmetic.jsonl").read_bytes()
    assert stored == generator.text().encode("utf-8")


def test_golds_follow_from_the_stored_steps(rows):
    signs = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__, "/": int.__floordiv__}
    for row in rows:
        known = set(row["operands"].values())
        for step in row["steps"]:
            assert {step["left"], step["right"]} <= known  # from the question or from an earlier step
            assert signs[step["sign"]](step["left"], step["right"]) == step["result"]
            assert step["sign"] != "/" or step["left"] % step["right"] == 0
            known.add(step["result"])
        assert row["gold"] == str(row["steps"][-1]["result"])


def test_every_operand_is_used_and_every_result_leads_to_the_gold(rows):
    for row in rows:
        used = [side for step in row["steps"] for side in (step["left"], step["right"])]
        assert set(row["operands"].values()) <= set(used)
        assert all(step["result"] in used for step in row["steps"][:-1])


def test_questions_hold_their_numbers_and_no_others_in_every_language(rows):
    for row in rows:
        numbers = sorted(map(int, DIGITS.findall(row["question"])))
        assert numbers == sorted(row["operands"].values()), row["question"]


def test_results_can_be_told_from_all_other_numbers(rows):
    for row in rows:
        results = [step["result"] for step in row["steps"]]
        assert len(set(results)) == len(results) and min(results) > 1
        assert not set(results) & set(row["operands"].values())


def test_levels_are_numbers_of_steps(rows):
    for row in rows:
        assert row["level"] == len(row["steps"])
        if row["level"] == 3:
            assert any(step["sign"] == "*" for step in row["steps"])
        if row["level"] == 1:
            assert int(row["gold"]) <= 30


def test_problems_are_the_same_in_every_language_and_enough(rows):
    of = {code: [row for row in rows if row["language"] == code] for code in LANGUAGES}
    assert sum(map(len, of.values())) == len(rows)
    for code in LANGUAGES:
        assert len(of[code]) >= 200
        for name in ("id", "gold", "level", "operands", "steps"):
            assert [row[name] for row in of[code]] == [row[name] for row in of["en"]]
        assert {row["level"] for row in of[code]} == {1, 2, 3}
    assert len({row["question"] for row in rows}) == len(rows)


def test_questions_end_as_questions_do(rows):
    ends = {"en": "?", "tr": "?", "pt": "?", "zh": "？", "ja": "か。"}
    assert all(row["question"].endswith(ends[row["language"]]) for row in rows)


def test_number_words_stand_nowhere(rows):
    """They would be numbers that the digits of the question do not show."""
    words = {
        "en": r"\b(one|two|three|four|five|six|seven|eight|nine|ten|twice|half|dozen)\b",
        "ja": "[一二三四五六七八九十百千半]",
        "zh": "[二三四五六七八九十百千两半]",
        "tr": r"\b(iki|üç|dört|beş|altı|yedi|sekiz|dokuz|on|yarım)\b",
        "pt": r"\b(dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|metade|dobro|meia)\b",
    }
    for row in rows:
        found = re.findall(words[row["language"]], row["question"].lower())
        assert not found, (row["question"], found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_worked_examples_are_right_and_not_asked(folder, rows, language):
    path = folder / "prompts" / "exemplars" / f"{language}.jsonl"
    examples = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(examples) == 3
    shapes = {DIGITS.sub("#", row["question"]) for row in rows}
    for example in examples:
        assert set(example) == {"question", "reply"}
        assert DIGITS.sub("#", example["question"]) not in shapes
        chain, answer = example["reply"].rsplit("\nANSWER: ", 1)
        equations = re.findall(r"(\d+) ([+×-]) (\d+) = (\d+)", chain)
        for left, sign, right, result in equations:
            values = {"+": int(left) + int(right), "-": int(left) - int(right), "×": int(left) * int(right)}
            assert values[sign] == int(result)
        assert equations[-1][3] == answer
        assert int(answer) not in map(int, DIGITS.findall(example["question"]))


def test_worked_examples_are_parallel(folder):
    golds = []
    for language in LANGUAGES:
        lines = (
            (folder / "prompts" / "exemplars" / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
        )
        golds.append([json.loads(line)["reply"].rsplit(" ", 1)[1] for line in lines])
    assert all(gold == golds[0] for gold in golds)
