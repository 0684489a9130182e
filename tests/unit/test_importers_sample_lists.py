"""Pools stored as lists of replies."""

import json

import pytest

from reasonaudit.analysis.curve import decide, pool_of
from reasonaudit.analysis.estimate_curves import estimate_curves
from reasonaudit.analysis.pass_at_k import mean_pass_at_k
from reasonaudit.errors import DataError
from reasonaudit.importers.sample_lists import load_labelled_lists, load_sample_lists
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.curves import CURVES
from reasonaudit.tables.parquet import read_frame, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.verdicts import VERDICTS
from reasonaudit.verifiers.grading import grade_answers


@pytest.fixture
def lists(tmp_path):
    path = tmp_path / "samples.json"
    entries = [
        {"idx": i, "temp": t, "samples": [f"{i} {t} {k}" for k in range(3)], "gt": str(i)}
        for i in (0, 1)
        for t in (0.5, 1.0)
    ]
    path.write_text(json.dumps(entries))
    return path


@pytest.fixture
def labelled(tmp_path):
    path = tmp_path / "pool.jsonl"
    entry = {
        "idx": 7,
        "question": "1 + 1?",
        "gt": "2",
        "level": "Level 3",
        "code": ["so \\boxed{2}", "so \\boxed{3}"],
        "pred": ["2", "3"],
        "score": [True, False],
    }
    path.write_text(json.dumps(entry) + "\n\n")
    return path


def test_one_temperature_of_a_list_file(lists):
    questions, calls = load_sample_lists(lists, model="m", dataset="d", temperature=1.0, texts={"1": "one?"})
    assert questions["question"].tolist() == ["", "one?"]
    assert questions["gold"].tolist() == ["0", "1"]
    assert calls["text"].tolist() == [f"{i} 1.0 {k}" for i in (0, 1) for k in range(3)]
    assert calls["sample_index"].tolist() == calls["call_index"].tolist() == [0, 1, 2, 0, 1, 2]
    assert set(calls["temperature"]) == {1.0}
    assert calls[["completion_tokens", "prompt_tokens", "stop_reason"]].isna().all(axis=None)
    assert set(calls["tokens_source"]) == {"imported"}
    assert set(questions["source"]) == {"samples.json"}


def test_labels_of_a_labelled_file(labelled):
    questions, calls, labels = load_labelled_lists(labelled, model="m", dataset="d")
    assert questions[["question_id", "gold", "level"]].values.tolist() == [["7", "2", 3]]
    assert calls["text"].tolist() == ["so \\boxed{2}", "so \\boxed{3}"]
    assert labels.to_dict("records") == [
        {"question_id": "7", "sample_index": 0, "predicted": "2", "label": True},
        {"question_id": "7", "sample_index": 1, "predicted": "3", "label": False},
    ]


def test_damaged_files_are_named(tmp_path, lists, labelled):
    with pytest.raises(DataError, match=r"temperature 0\.7"):
        load_sample_lists(lists, model="m", dataset="d", temperature=0.7)
    lists.write_text("{}")
    with pytest.raises(DataError, match="array of objects"):
        load_sample_lists(lists, model="m", dataset="d", temperature=0.5)
    lists.write_text("[{")
    with pytest.raises(DataError, match="not a JSON file"):
        load_sample_lists(lists, model="m", dataset="d", temperature=0.5)
    lists.write_text('[{"temp": 0.5, "idx": 1}]')
    with pytest.raises(DataError, match="entry 0 lacks samples, gt"):
        load_sample_lists(lists, model="m", dataset="d", temperature=0.5)
    text = labelled.read_text()
    labelled.write_text(text.replace('"score": [true, false]', '"score": [true]'))
    with pytest.raises(DataError, match="differ in number"):
        load_labelled_lists(labelled, model="m", dataset="d")
    labelled.write_text("no json")
    with pytest.raises(DataError, match="not JSON"):
        load_labelled_lists(labelled, model="m", dataset="d")
    with pytest.raises(DataError, match="cannot be read"):
        load_labelled_lists(tmp_path / "none.jsonl", model="m", dataset="d")


def measured(folder, questions, calls, size):
    """Answers and exact curve (ties split) by the project's own path."""
    write_table(folder / "questions.parquet", questions, QUESTIONS)
    write_table(folder / "calls.parquet", calls, CALLS)
    grade_answers(
        questions=folder / "questions.parquet",
        calls=folder / "calls.parquet",
        answers=folder / "answers.parquet",
        verdicts=folder / "verdicts.parquet",
        answer_rule="each_sample",
        verifiers=["trusted"],
    )
    estimate_curves(
        questions=[folder / "questions.parquet"],
        answers=[folder / "answers.parquet"],
        dropped=None,
        curves=folder / "curves.parquet",
        pool={"method": "self_consistency", "size": size, "curve": [1, size]},
        statistics={
            "resamples": 1000,
            "confidence": 0.95,
            "ties": "split",
            "unreadable": "abstain",
            "draws": 20,
        },
        study_seed=1,
    )
    assert len(read_frame(folder / "verdicts.parquet", VERDICTS)) == len(calls)
    curves = read_frame(folder / "curves.parquet", CURVES).query("estimator == 'exact'")
    return read_frame(folder / "answers.parquet", ANSWERS), curves.set_index("n")


def decided(answers):
    """Questions that the majority gets right, ties to the first in stored order."""
    right = 0
    for _, rows in answers.groupby("question_id"):
        pool = pool_of(rows["canonical"], rows["correct"])
        winner = decide(pool)
        right += winner is not None and pool.values[winner] == 1
    return right


@pytest.mark.shared
def test_the_labelled_pool_of_math_questions(shared, tmp_path):
    path = shared / "generations" / "math_qwen_k8" / "math_cot_100.jsonl"
    questions, calls, labels = load_labelled_lists(path, model="qwen", dataset="math")
    answers, curve = measured(tmp_path, questions, calls, 8)
    both = answers.merge(labels, on=["question_id", "sample_index"])
    differing = both[both["correct"] != both["label"]]
    # One sample: the gold 10{,}000 was not understood upstream.
    assert differing[["question_id", "sample_index", "extracted"]].values.tolist() == [["72", 7, "10000"]]
    assert labels["label"].mean() == 0.91
    assert decided(answers) == 93
    assert curve.loc[8, "accuracy"] == pytest.approx(0.925)  # four votes are tied
    by_label = labels.groupby("question_id")["label"].agg(["size", "sum"]).itertuples(index=False, name=None)
    assert mean_pass_at_k([(int(n), int(c)) for n, c in by_label], 8) == 0.96
    assert curve.loc[1, "accuracy"] == pytest.approx(answers["correct"].mean()) == pytest.approx(729 / 800)
    assert curve["tie_share"].loc[8] == pytest.approx(0.04)


@pytest.mark.shared
def test_the_pool_of_gsm8k_at_one_temperature(shared, tmp_path):
    path = shared / "generations" / "gsm8k_qwen25_1p5b_k10x3temps" / "sc_results.json"
    questions, calls = load_sample_lists(path, model="qwen", dataset="gsm8k", temperature=0.5)
    answers, curve = measured(tmp_path, questions, calls, 10)
    assert len(questions) == 191
    # Its authors print 75.9% (145), reading only "the answer is <number>"; one more reply is read here.
    assert decided(answers) == 146
    assert curve.loc[10, "tie_share"] == pytest.approx(14 / 191)
