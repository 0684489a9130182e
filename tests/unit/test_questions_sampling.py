"""Drawing questions: the rule of the equal-cost study, nested shards, and the stored table."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.errors import DataError
from reasonaudit.provenance import sha256_file
from reasonaudit.questions.sampling import draw_order, drawn, load_questions, sample_questions
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.questions import QUESTIONS


def test_the_draw_is_the_plain_shuffle():
    items = [f"question {number}" for number in range(500)]
    order = draw_order(500, 1234)
    random.Random(1234).shuffle(items)
    assert [f"question {place}" for place in order] == items


@given(size=st.integers(1, 200), seed=st.integers(0, 2**32), data=st.data())
def test_shards_together_are_the_draw_and_draws_are_nested(size, seed, data):
    rows = [{"question_id": str(number)} for number in range(size)]
    stop = data.draw(st.integers(1, size))
    step = data.draw(st.integers(1, 50))
    whole = drawn(rows, seed=seed, start=0, stop=stop)
    shards = [drawn(rows, seed=seed, start=s, stop=min(s + step, stop)) for s in range(0, stop, step)]
    assert [row for shard in shards for row in shard] == whole
    assert drawn(rows, seed=seed, start=0, stop=size)[:stop] == whole
    assert [row["draw_index"] for row in whole] == list(range(stop))
    assert len({row["question_id"] for row in whole}) == stop


def test_more_questions_than_there_are():
    with pytest.raises(DataError, match="4 questions are wanted, but the data set has 3"):
        drawn([{}] * 3, seed=1, start=0, stop=4)


def sample(repository, output, **changes):
    arguments = {
        "path": repository / "resources/questions/arithmetic.jsonl",
        "output": output,
        "dataset": "arithmetic-en",
        "source": "file:resources/questions/arithmetic.jsonl",
        "format": "questions",
        "language": "en",
        "seed": 1234,
        "start": 0,
        "stop": 6,
    }
    sample_questions(**(arguments | changes))
    return read_frame(output, QUESTIONS)


def test_the_table_of_a_shard(repository, tmp_path):
    frame = sample(repository, tmp_path / "a.parquet")
    assert list(frame["draw_index"]) == list(range(6))
    assert set(frame["dataset"]) == {"arithmetic-en"} and set(frame["language"]) == {"en"}
    assert frame["source_sha256"].str.fullmatch("[0-9a-f]{64}").all()
    sample(repository, tmp_path / "b.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_later_shard_continues_the_first(repository, tmp_path):
    both = sample(repository, tmp_path / "both.parquet", stop=12)
    later = sample(repository, tmp_path / "later.parquet", start=6, stop=12)
    assert list(later["question_id"]) == list(both["question_id"])[6:]


def test_languages_draw_the_same_problems(repository, tmp_path):
    drawn_ids = [
        list(sample(repository, tmp_path / f"{language}.parquet", language=language)["parallel_id"])
        for language in ("en", "ja", "zh", "tr", "pt")
    ]
    assert all(ids == drawn_ids[0] for ids in drawn_ids)


def test_the_demo_draws_problems_with_several_steps(repository, tmp_path):
    """A one-step chain has no intermediate number that could be corrupted."""
    levels = list(sample(repository, tmp_path / "a.parquet")["level"])
    assert levels.count(1) >= 2 and levels.count(2) >= 2


def test_a_wrong_size_names_both_numbers_and_the_data_set(repository, tmp_path):
    with pytest.raises(DataError, match=r"size is 9 .* has 224 questions(.|\n)*data set arithmetic-en"):
        sample(repository, tmp_path / "a.parquet", size=9)
    assert not (tmp_path / "a.parquet").exists()
    sample(repository, tmp_path / "a.parquet", size=224)


def test_another_file_than_the_one_that_was_meant(repository, tmp_path):
    with pytest.raises(DataError, match=f"another SHA-256: expected {'0' * 64}"):
        sample(repository, tmp_path / "a.parquet", sha256="0" * 64)
    right = sha256_file(repository / "resources/questions/arithmetic.jsonl")
    sample(repository, tmp_path / "a.parquet", sha256=right)


# --- public data -------------------------------------------------------------------------------------

SIZES = {
    ("gsm8k/test.jsonl", "gsm8k", "en"): 1319,
    ("math500/test.jsonl", "math500", "en"): 500,
    ("math500/math500_test.json", "math500", "en"): 500,
    ("aime24/llmeval_aime24.jsonl", "aime", "en"): 30,
    ("aime24/qwen_test.jsonl", "aime", "en"): 30,
    ("aime25/aime25x8_test.jsonl", "aime", "en"): 30,
    ("aime25/glm_aime_2025.jsonl", "aime", "en"): 30,
    ("aime25/llmeval_aime25.jsonl", "aime", "en"): 30,
    ("aime25/mcd_test.jsonl", "aime", "en"): 30,
    ("aime26/llmeval_aime26.jsonl", "aime", "en"): 30,
    ("amc23/test.jsonl", "aime", "en"): 40,
    **{
        (f"mgsm/mgsm_{code}.tsv", "mgsm", code): 250
        for code in ["bn", "de", "en", "es", "fr", "ja", "ru", "sw", "te", "th", "zh"]
    },
    **{(f"mmath/{code}.json", "mmath", code): 374 for code in ["en", "ja", "pt", "zh"]},
    **{
        (f"polymath/{code}/{level}.jsonl", "polymath", code): 125
        for code in ["en", "ja", "pt", "zh"]
        for level in ["low", "medium", "high", "top"]
    },
}


@pytest.mark.shared
def test_every_public_file_is_read(shared):
    loaded = {
        path: load_questions(shared / "datasets" / path, format=format, language=language)
        for path, format, language in SIZES
    }
    assert {path: len(rows) for path, rows in loaded.items()} == {key[0]: size for key, size in SIZES.items()}
    found = {str(path.relative_to(shared / "datasets")) for path in (shared / "datasets").glob("*/*.*")}
    assert found <= set(loaded)
    # Files of the same contest agree, and so do languages of the same problems (by their parallel id).
    golds = {path: [row["gold"] for row in rows] for path, rows in loaded.items()}
    assert golds["aime24/llmeval_aime24.jsonl"] == golds["aime24/qwen_test.jsonl"]
    assert golds["aime25/aime25x8_test.jsonl"] == golds["aime25/glm_aime_2025.jsonl"]
    assert golds["aime25/mcd_test.jsonl"] == golds["aime25/llmeval_aime25.jsonl"]
    assert golds["math500/test.jsonl"] == golds["math500/math500_test.json"]
    for code in ("de", "ja", "zh", "sw"):
        assert golds[f"mgsm/mgsm_{code}.tsv"] == golds["mgsm/mgsm_en.tsv"]
        assert [row["parallel_id"] for row in loaded[f"mgsm/mgsm_{code}.tsv"]] == [
            row["parallel_id"] for row in loaded["mgsm/mgsm_en.tsv"]
        ]
    for level in ("low", "top"):
        ids = [
            [row["parallel_id"] for row in loaded[f"polymath/{c}/{level}.jsonl"]] for c in ("en", "ja", "pt")
        ]
        assert ids[0] == ids[1] == ids[2]


@pytest.mark.shared
def test_gsm8k_golds_are_what_stands_after_the_mark(shared):
    rows = load_questions(shared / "datasets/gsm8k/test.jsonl", format="gsm8k", language="en")
    assert all(row["gold"].lstrip("-").isdecimal() for row in rows)
    assert sum("," in row["gold_text"] for row in rows) > 10
    assert all(row["gold"] == row["gold_text"].replace(",", "") for row in rows)


@pytest.mark.shared
def test_the_studys_sample_is_a_prefix_of_a_larger_one(shared):
    rows = load_questions(shared / "datasets/gsm8k/test.jsonl", format="gsm8k", language="en")
    hundred = drawn(rows, seed=1234, start=0, stop=100)
    assert drawn(rows, seed=1234, start=0, stop=150)[:100] == hundred
    full = list(range(1319))
    random.Random(1234).shuffle(full)
    assert [row["question_id"] for row in hundred] == [str(place) for place in full[:100]]
