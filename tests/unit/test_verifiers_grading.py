"""From stored calls to answers and verdicts; and the validation of graders on synthetic replies."""

import json

import pytest

from reasonaudit.answers.extraction import extract
from reasonaudit.answers.policies import Policy
from reasonaudit.errors import ConfigError, DataError
from reasonaudit.questions import gsm8k, math500, mgsm
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.grader_validation import GRADER_VALIDATION
from reasonaudit.tables.parquet import read_table, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.verdicts import VERDICTS
from reasonaudit.verifiers.catalog import VERIFIERS
from reasonaudit.verifiers.grading import Grader, grade_answers
from reasonaudit.verifiers.synthetic_replies import VARIATIONS, localised
from reasonaudit.verifiers.trusted import verify
from reasonaudit.verifiers.validation import validate_graders, validation_rows

WEAK = [name for name in VERIFIERS if name != "math_verify"]


def question(number, gold, language="en", dataset="d"):
    return {
        "dataset": dataset,
        "question_id": f"q{number}",
        "language": language,
        "parallel_id": f"q{number}",
        "question": "How many?",
        "gold": gold,
        "draw_index": number,
    }


def call(number, index, text, **more):
    row = {
        "model": "m",
        "dataset": "d",
        "method": "pool",
        "run": 0,
        "question_id": f"q{number}",
        "sample_index": index,
        "call_index": index,
        "role": "sample",
        "round": 0,
        "messages": [{"role": "user", "content": "How many?"}],
        "max_tokens": 64,
        "prompt_tokens": 20,
        "completion_tokens": 10 + index,
        "stop_reason": "stop",
        "text": text,
        "tokens_source": "measured",
    }
    return {**row, **more}


QUESTION_ROWS = [question(0, "18"), question(1, r"\frac{1}{2}"), question(2, "2125", "de")]
CALL_ROWS = [
    call(0, 0, "First 3.\nANSWER: **18**"),
    call(0, 1, "I cannot say."),
    call(0, 2, "9 + 9 = 18, and th", stop_reason="length"),
    call(0, 3, "", stop_reason="context", completion_tokens=0),
    call(1, 0, r"So \boxed{0.5}."),
    call(1, 1, r"So \boxed{\frac12}."),
    call(2, 0, "1.150 + 975 = 2.125\nAntwort: 2.125"),
    call(2, 1, "1,150 + 975 = 2,125\nAntwort: 2,125"),
]


@pytest.fixture
def stored(tmp_path):
    write_table(tmp_path / "questions.parquet", QUESTION_ROWS, QUESTIONS)
    write_table(tmp_path / "calls.parquet", CALL_ROWS, CALLS)
    return tmp_path


def grade(folder, *, suffix="", **settings):
    settings = {"answer_rule": "each_sample", "verifiers": WEAK, **settings}
    paths = [folder / f"answers{suffix}.parquet", folder / f"verdicts{suffix}.parquet"]
    grade_answers(
        questions=folder / "questions.parquet",
        calls=[folder / "calls.parquet"],
        answers=paths[0],
        verdicts=paths[1],
        **settings,
    )
    return read_table(paths[0], ANSWERS).to_pylist(), read_table(paths[1], VERDICTS).to_pylist(), paths


def test_answers(stored):
    answers, verdicts, _ = grade(stored)
    by_key = {(row["question_id"], row["sample_index"]): row for row in answers}
    assert len(answers) == len(CALL_ROWS)
    assert len(verdicts) == len(CALL_ROWS) * len(WEAK)
    first = by_key["q0", 0]
    assert (first["extracted"], first["extraction_rule"], first["canonical"]) == ("18", "label", "18")
    assert CALL_ROWS[0]["text"][first["answer_start"] : first["answer_end"]] == "18"
    assert (first["correct"], first["readable"], first["note"]) == (True, True, None)
    assert (first["generated_tokens"], first["total_tokens"], first["calls"]) == (10, 30, 1)
    unreadable = by_key["q0", 1]
    assert (unreadable["readable"], unreadable["correct"], unreadable["extracted"]) == (False, False, None)
    cut = by_key["q0", 2]
    assert (cut["readable"], cut["stopped_by_length"]) == (False, True)
    assert by_key["q1", 0]["canonical"] == by_key["q1", 1]["canonical"] == "1/2"
    # Either reading of the marks, by the numbers of the reply itself.
    assert [by_key["q2", i]["correct"] for i in (0, 1)] == [True, True]
    assert by_key["q2", 0]["canonical"] == by_key["q2", 1]["canonical"] == "2125"


def test_a_call_that_never_started_is_no_wrong_answer(stored):
    answers, verdicts, _ = grade(stored)
    row = next(row for row in answers if row["extraction_rule"] == "context_error")
    assert (row["note"], row["readable"], row["correct"]) == ("context_error", False, False)
    mine = [v for v in verdicts if (v["question_id"], v["sample_index"]) == ("q0", 3)]
    assert {(v["accepted"], v["rule"]) for v in mine} == {(False, "no_answer")}


def test_each_verifier_sees_what_it_is_made_for(stored):
    _, verdicts, _ = grade(stored)
    accepted = {
        verdict["verifier"]
        for verdict in verdicts
        if verdict["question_id"] == "q0" and verdict["sample_index"] == 0 and verdict["accepted"]
    }
    # The bold answer as written is not the gold string; the strict label is another one.
    assert accepted == {"numeric", "hybrid", "trusted", "flexible_number", "paper"}


def test_grading_again_gives_the_same_bytes(stored):
    _, _, first = grade(stored)
    _, _, second = grade(stored, suffix="-again")
    for one, two in zip(first, second, strict=True):
        assert one.read_bytes() == two.read_bytes()


def test_the_main_verifier_decides_and_is_stored(stored):
    answers, verdicts, _ = grade(stored, verifier="exact", verifiers=["trusted"])
    assert {row["verifier"] for row in verdicts} == {"exact", "trusted"}
    exact = {
        (v["question_id"], v["sample_index"]) for v in verdicts if v["verifier"] == "exact" and v["accepted"]
    }
    assert {(row["question_id"], row["sample_index"]) for row in answers if row["correct"]} == exact


def test_policies_reach_extraction_and_comparison(stored):
    answers, _, _ = grade(stored, policy={"truncated": "grade"})
    cut = next(row for row in answers if row["stopped_by_length"])
    assert (cut["extracted"], cut["correct"]) == ("18", True)


def test_one_answer_per_question_costs_all_its_calls(stored):
    answers, _, _ = grade(stored, answer_rule="majority_of_last_round")
    row = next(row for row in answers if row["question_id"] == "q1")
    assert (row["calls"], row["generated_tokens"], row["total_tokens"], row["text_from"]) == (2, 21, 61, 0)


def test_mistakes_are_named(stored):
    with pytest.raises(ConfigError, match="no verifier"):
        grade(stored, verifiers=["trusty"])
    with pytest.raises(ConfigError, match="no answer rule"):
        grade(stored, answer_rule="guess")
    write_table(stored / "calls.parquet", [*CALL_ROWS, call(9, 0, "ANSWER: 1")], CALLS)
    with pytest.raises(DataError, match="not among the sampled"):
        grade(stored)


def test_the_same_comparison_is_made_once(monkeypatch):
    grader = Grader("each_sample", "trusted", ["trusted"], Policy())
    made = []
    inner = grader.verify["trusted"]
    grader.verify["trusted"] = lambda **arguments: made.append(arguments) or inner(**arguments)
    for _ in range(3):
        grader.judge("ANSWER: 5", "5", "en")
        grader.judge("so, ANSWER: 5", "5", "en")
    assert len(made) == 1


GOLDS = [
    *(
        question(i, gold)
        for i, gold in enumerate(["18", "-7", "2125", "0.15", r"\frac{14}{3}", r"3\sqrt{13}"])
    ),
    *(
        question(10 + i, gold, dataset="latex")
        for i, gold in enumerate(
            [
                r"\left( 3, \frac{\pi}{2} \right)",
                r"(3,4]",
                r"\text{Evelyn}",
                r"52_8",
                r"\begin{pmatrix} -1 & 0 \\ 0 & -1 \end{pmatrix}",
                r"(0,9) \cup (9,36)",
                r"3 \pm 2 \sqrt{2}",
                r"864 \mbox{ inches}^2",
                r"\text{(C)}",
                r"10,\!080",
                r"x \in [-2,7]",
            ]
        )
    ),
    *(
        question(30, "2125", language, f"plain-{language}")
        for language in ("ja", "zh", "tr", "pt", "de", "bn", "th")
    ),
]


def test_every_gold_is_recovered_in_every_variation():
    rows = validation_rows(GOLDS)
    assert {row["variation"] for row in rows} == set(VARIATIONS)
    assert [row for row in rows if row["share"] != 1.0] == []


def test_a_grader_that_fails_is_found():
    rows = {
        (row["variation"], row["verifier"]): row for row in validation_rows(GOLDS[:6], "trusted", ["exact"])
    }
    row = rows["extra_braces", "exact"]
    assert (row["n"], row["recovered"], row["share"]) == (6, 0, 0.0)
    assert row["reasons"] == "different: 6"
    assert row["failures"].startswith("q0: gold '18', read '18', different | q1")
    assert row["failures"].endswith("and 1 more")
    assert rows["verbatim", "exact"]["share"] == 1.0


def test_the_table_is_written(tmp_path):
    write_table(tmp_path / "questions.parquet", [row for row in GOLDS if row["dataset"] == "d"], QUESTIONS)
    validate_graders(
        questions=tmp_path / "questions.parquet",
        output=tmp_path / "table.parquet",
        verifiers=["trusted", "paper"],
    )
    table = read_table(tmp_path / "table.parquet", GRADER_VALIDATION).to_pylist()
    assert {row["verifier"] for row in table} == {"trusted", "paper"}


@pytest.mark.parametrize(
    ("number", "language", "text"),
    [
        ("1234567.5", "en", "1,234,567.5"),
        ("1234567.5", "tr", "1.234.567,5"),
        ("1234567", "fr", "1 234 567"),
        ("1234567", "bn", "12,34,567"),
        ("-999", "de", "-999"),
        (r"\frac12", "en", None),
    ],
)
def test_localised_numbers(number, language, text):
    assert localised(number, language) == text


@pytest.mark.shared
def test_public_golds_are_recovered(shared):
    sources = [
        ("gsm8k", "en", gsm8k.load(shared / "datasets/gsm8k/test.jsonl", language="en")),
        ("math500", "en", math500.load(shared / "datasets/math500/test.jsonl", language="en")),
    ]
    for language in ["bn", "de", "en", "es", "fr", "ja", "ru", "sw", "te", "th", "zh"]:
        path = shared / f"datasets/mgsm/mgsm_{language}.tsv"
        sources.append(("mgsm", language, mgsm.load(path, language=language)))
    rows = [{**row, "dataset": name, "language": code} for name, code, found in sources for row in found]
    assert len(rows) == 1319 + 500 + 11 * 250
    assert [row for row in validation_rows(rows) if row["share"] != 1.0] == []


@pytest.mark.shared
def test_agreement_with_labels_of_real_generations(shared):
    """800 replies to MATH questions with the labels of another grader; nine of its labels are wrong."""
    differing = []
    for line in (
        (shared / "generations/math_qwen_k8/math_cot_100.jsonl").read_text(encoding="utf-8").splitlines()
    ):
        record = json.loads(line)
        for reply, label in zip(record["code"], record["score"], strict=True):
            found = extract(reply)
            if verify(found and found.text, record["answer"]).accepted is not label:
                differing.append((record["idx"], record["answer"], label))
    assert set(differing) == {(3, r"\text{4:30 p.m.}", False), (72, "10{,}000", False)}
    assert len(differing) == 9
