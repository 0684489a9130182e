"""The language of chains and judgements."""

import pandas as pd
import pytest

from reasonaudit.analysis.chain_language import comparison_rows, dataset_pairs, language_rows
from reasonaudit.audit.identify_languages import identify_languages
from reasonaudit.audit.language_identification import language_shares, sentences
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.chain_languages import CHAIN_LANGUAGES
from reasonaudit.tables.judge_calls import JUDGE_CALLS
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.questions import QUESTIONS

ENGLISH = "First we add both numbers and look at the sum. Then we divide the result by three."
TURKISH = "Önce iki sayıyı toplayalım ve sonucu bulalım. Daha sonra sonucu üçe böleriz."
CHINESE = "首先我们把两个数相加。然后我们把结果除以三。"


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        (ENGLISH, "en", "target"),
        (ENGLISH, "tr", "english"),
        (TURKISH, "tr", "target"),
        (TURKISH + " " + ENGLISH, "tr", "mixed"),
        (TURKISH, "zh", "mixed"),
        (CHINESE, "zh", "target"),
        ("$x = 3$ \\boxed{7} 12 + 5", "tr", "none"),
        ("", "tr", "none"),
    ],
)
def test_classes(text, language, expected):
    assert language_shares(text, language).language_class() == expected


def test_the_threshold_decides_mixed_chains():
    shares = language_shares(TURKISH * 3 + " " + ENGLISH, "tr")
    assert 0.6 < shares.target < 0.8
    assert shares.language_class(0.8) == "mixed" and shares.language_class(0.6) == "target"
    assert shares.target + shares.english + shares.other == pytest.approx(1)


def test_formulas_code_and_the_question_have_no_language():
    assert (
        sentences(
            "$$\\text{these are many English words}$$ \\[also here, in a formula\\] ```and = in_code```"
        )
        == []
    )
    question = "Önce iki sayıyı toplayalım ve sonucu bulalım."
    shares = language_shares(TURKISH + " " + ENGLISH, "tr", question)
    assert shares.letters < language_shares(TURKISH + " " + ENGLISH, "tr").letters


def test_hidden_reasoning_is_kept_apart(tmp_path):
    key = {"model": "m", "dataset": "d", "method": "s", "run": 0, "question_id": "q", "sample_index": 0}
    write_table(
        tmp_path / "q.parquet",
        [
            {"dataset": "d", "question_id": "q", "language": "tr", "parallel_id": "q", "question": "Kaç?"}
            | {"gold": "1", "draw_index": 0}
        ],
        QUESTIONS,
    )
    message = {
        "messages": [{"role": "user", "content": "x"}],
        "tokens_source": "measured",
        "role": "r",
        "round": 0,
    }
    text = f"<think>{ENGLISH}</think>{TURKISH}"
    write_table(tmp_path / "c.parquet", [key | message | {"call_index": 0, "text": text}], CALLS)
    answer = {"text_from": 0, "readable": True, "correct": True, "calls": 1, "stopped_by_length": False}
    write_table(tmp_path / "a.parquet", [key | answer], ANSWERS)
    votes = [
        key | message | {"judge": "j", "condition": c, "vote": v, "text": ENGLISH}
        for c in ("natural", "clean")
        for v in range(3)
    ]
    write_table(tmp_path / "j.parquet", votes, JUDGE_CALLS)
    identify_languages(
        questions=tmp_path / "q.parquet",
        calls=tmp_path / "c.parquet",
        answers=tmp_path / "a.parquet",
        judge_calls=tmp_path / "j.parquet",
        chain_languages=tmp_path / "l.parquet",
        seed=1,
        judgements_per_judge=2,
    )
    rows = read_frame(tmp_path / "l.parquet", CHAIN_LANGUAGES)
    found = sorted(zip(rows["writer"], rows["part"], rows["language_class"], strict=True))
    assert found == [
        ("j", "visible", "english"),
        ("j", "visible", "english"),
        ("solver", "hidden", "english"),
        ("solver", "visible", "target"),
    ]


def test_shares_and_acceptance_within_a_cell():
    key = {"model": "m", "dataset": "d", "method": "s", "run": 0, "question_id": "q"}
    classes = ["target", "target", "english", "none"]
    texts = pd.DataFrame(
        [
            key
            | {
                "sample_index": i,
                "writer": "solver",
                "part": "visible",
                "language": "tr",
                "language_class": c,
            }
            for i, c in enumerate(classes)
        ]
    )
    judged = pd.DataFrame(
        [key | {"judge": "j", "sample_index": i, "approved_majority": i in (0, 2)} for i in range(4)]
    )
    rows = language_rows(texts, judged, {"m": {"mode": "thinking"}}, "majority")
    seen = {(row["language_class"], row["judge"]): row for row in rows}
    assert {row["mode"] for row in rows} == {"thinking"}
    assert {c: seen[c, "none"]["share"] for c in set(classes)} == {
        "target": 0.5,
        "english": 0.25,
        "none": 0.25,
    }
    assert {c: seen[c, "j"]["acceptance"] for c in set(classes)} == {
        "target": 0.5,
        "english": 1.0,
        "none": 0.0,
    }


DATASETS = {
    "a-en": {"language": "en", "parallel": "a", "origin": "original"},
    "a-tr": {"language": "tr", "parallel": "a", "origin": "translated"},
    "b-tr": {"language": "tr", "parallel": None, "origin": "native"},
    "c-pt": {"language": "pt", "parallel": None, "origin": "native"},
}


def test_translations_are_compared_with_their_original_and_with_native_data():
    assert dataset_pairs(DATASETS) == [
        ("translated - original", "a-tr", "a-en"),
        ("native - translated", "b-tr", "a-tr"),
    ]
    rates = {"a-en": [0.8, 0.6, 0.5, 0.9, 0.4], "a-tr": [0.9, 0.8, 0.8, 1.0, 0.6]}
    judged = pd.DataFrame(
        [
            {"judge": "j", "model": f"m{m}", "dataset": dataset, "approved_majority": i < 10 * rate}
            for dataset, values in rates.items()
            for m, rate in enumerate(values)
            for i in range(10)
        ]
    )
    first, second = comparison_rows(judged, DATASETS, "majority")
    assert (first["solvers"], first["positive"]) == (5, 5)
    assert first["mean_difference"] == pytest.approx(0.18)
    assert first["p_wilcoxon"] == pytest.approx(2 / 2**5)
    assert second["solvers"] == 0 and second["p_wilcoxon"] is None
