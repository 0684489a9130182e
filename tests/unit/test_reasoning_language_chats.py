"""Chats in several reasoning languages as pools of samples."""

import json

import pytest

from reasonaudit.errors import DataError
from reasonaudit.importers.reasoning_language_chats import load_reasoning_languages


def write_chats(folder, name, replies, questions=("Two and two?", "Three and three?"), golds=("4", "6")):
    lines = [
        json.dumps(
            {
                "id": 0,
                "message": [
                    {"role": "user", "content": "Think."},
                    {"role": "assistant", "content": reply},
                ],
                "origin": {"text": question, "answer": gold},
            }
        )
        for reply, question, gold in zip(replies, questions, golds, strict=True)
    ]
    # A line separator inside a text is no line end.
    (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_reasoning_languages_are_samples(tmp_path):
    write_chats(tmp_path, "de", ["Antwort: 4", "Antwort: 6"])
    write_chats(tmp_path, "en", ["Answer: 4", "Answer:\u2028 7"])
    questions, calls = load_reasoning_languages(tmp_path, language="ja", dataset="sums-ja", model="m")
    assert questions["gold"].tolist() == ["4", "6"]
    assert questions["parallel_id"].tolist() == ["000", "001"]
    assert set(questions["language"]) == {"ja"}
    texts = calls.set_index(["question_id", "sample_index"])["text"].to_dict()
    assert texts == {
        ("000", 0): "Antwort: 4",
        ("000", 1): "Answer: 4",
        ("001", 0): "Antwort: 6",
        ("001", 1): "Answer:\u2028 7",
    }
    assert calls["completion_tokens"].isna().all() and calls["stop_reason"].isna().all()
    assert set(calls["tokens_source"]) == {"imported"}


def test_chosen_reasoning_languages_keep_their_order(tmp_path):
    write_chats(tmp_path, "de", ["a", "b"])
    write_chats(tmp_path, "en", ["c", "d"])
    _, calls = load_reasoning_languages(
        tmp_path, language="ja", dataset="d", model="m", reasoning_languages=["en", "de"]
    )
    assert calls["text"].tolist() == ["c", "a", "d", "b"]


def test_files_that_disagree_and_damaged_lines_are_errors(tmp_path):
    with pytest.raises(DataError, match="no chats"):
        load_reasoning_languages(tmp_path, language="ja", dataset="d", model="m")
    write_chats(tmp_path, "de", ["a", "b"])
    write_chats(tmp_path, "en", ["c", "d"], questions=("Two and two?", "Four and four?"))
    with pytest.raises(DataError, match="different questions"):
        load_reasoning_languages(tmp_path, language="ja", dataset="d", model="m")
    (tmp_path / "en.jsonl").write_text('{"message": []}\n')
    with pytest.raises(DataError, match="line 1"):
        load_reasoning_languages(tmp_path, language="ja", dataset="d", model="m")
    with pytest.raises(DataError, match="no such chats"):
        load_reasoning_languages(tmp_path, language="ja", dataset="d", model="m", reasoning_languages=["fr"])


@pytest.mark.shared
@pytest.mark.parametrize("language", ["ja", "zh"])
def test_seven_reasoning_languages_of_mgsm(shared, language):
    questions, calls = load_reasoning_languages(
        shared / "generations" / "mgsm_gpt35_clsp_k7" / language,
        language=language,
        dataset=f"mgsm-{language}",
        model="gpt-3.5-turbo",
    )
    assert len(questions) == 250 and len(calls) == 1750
    assert (calls.groupby("question_id")["sample_index"].nunique() == 7).all()
    lines = (shared / "datasets" / "mgsm" / f"mgsm_{language}.tsv").read_text().splitlines()
    golds = [line.split("\t")[1].replace(",", "") for line in lines if line]
    assert [gold.replace(",", "") for gold in questions["gold"]] == golds
