"""Loaders: what each format gives, and what each refuses."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reasonaudit.errors import DataError
from reasonaudit.questions.gsm8k import gold_of
from reasonaudit.questions.looks import looks_like
from reasonaudit.questions.rows import plain_number, plain_value
from reasonaudit.questions.sampling import load_questions

GSM8K = {"question": "How many?", "answer": "He has 1,200-120=<<1200-120=1080>>1,080.\n#### 1,080"}
OWN = {"id": "p1", "language": "en", "question": "How many?", "gold": "7", "level": 2, "subject": "s"}
MATH = {
    "problem": "Find $x$.",
    "answer": "\\frac{1}{2}",
    "level": 3,
    "subject": "Algebra",
    "unique_id": "t/1",
}
POLY = {"id": "low-en-3", "question": "How many?", "answer": "$\\frac{1}{2}$"}
MMATH = {"question": "How many?", "answer": "204", "gid": 5, "lang": "en", "data_source": "CNMO"}


@pytest.fixture
def write(tmp_path):
    def write(content, name="data.jsonl"):
        path = tmp_path / name
        if isinstance(content, list):
            content = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def only(rows):
    (row,) = rows
    return row


def refusal(path, format, language="en", columns=None) -> str:
    with pytest.raises(DataError) as caught:
        load_questions(path, format=format, language=language, columns=columns)
    return str(caught.value)


# --- numbers and values ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("18", "18"),
        ("1,080", "1080"),
        ("114,200", "114200"),
        ("1,234,567.50", "1234567.5"),
        ("27.0", "27"),
        ("025", "25"),
        ("-3", "-3"),
        ("+3", "3"),
        ("-0", "0"),
        ("0.5", "0.5"),
        ("000", "0"),
        ("1,08", None),
        ("12,34", None),
        ("1.2.3", None),
        ("٣", None),
        ("x", None),
        ("", None),
        ("3/4", None),
    ],
)
def test_plain_number(text, number):
    assert plain_number(text) == number


@pytest.mark.parametrize(("value", "text"), [(27.0, "27"), (0.5, "0.5"), (7, "7"), (" 7 ", "7")])
def test_plain_value(value, text):
    assert plain_value(value, place="here", name="answer") == text


@pytest.mark.parametrize("value", [None, True, [1], {"a": 1}])
def test_plain_value_refuses_what_is_no_text_and_no_number(value):
    with pytest.raises(DataError, match="answer is"):
        plain_value(value, place="here", name="answer")


# --- each format -------------------------------------------------------------------------------------


def test_gsm8k_gold_follows_the_mark_and_never_comes_from_an_annotation(write):
    row = only(load_questions(write([GSM8K]), format="gsm8k", language="en"))
    assert (row["gold"], row["gold_text"]) == ("1080", "1,080")
    assert (row["question_id"], row["parallel_id"]) == ("0", "0")


def test_gsm8k_of_the_reported_case(repository):
    """The case ext-18 of the collected bug reports."""
    path = repository / "tests" / "cases" / "gsm8k_gold.json"
    case = json.loads(path.read_text(encoding="utf-8"))
    assert gold_of(case["gold_field"])[0] == case["gold"]


@pytest.mark.parametrize("answer", ["#### ", "#### many", "7 ####"])
def test_gsm8k_without_a_number_after_the_mark(write, answer):
    assert "no number follows ####" in refusal(write([{**GSM8K, "answer": answer}]), "gsm8k")


def test_the_projects_own_format_takes_one_language(write):
    path = write([OWN, {**OWN, "language": "ja", "question": "いくつ"}, {**OWN, "id": "p2"}])
    rows = load_questions(path, format="questions", language="en")
    assert [row["question_id"] for row in rows] == ["p1", "p2"]
    assert rows[0] == {
        "question_id": "p1",
        "parallel_id": "p1",
        "question": "How many?",
        "gold": "7",
        "gold_text": "7",
        "level": 2,
        "subject": "s",
    }
    assert only(load_questions(path, format="questions", language="ja"))["parallel_id"] == "p1"
    text = refusal(path, "questions", language="zh")
    assert "no question is in the language zh" in text and "the file has en, ja" in text


def test_math500_keeps_latex(write):
    row = only(load_questions(write([MATH]), format="math500", language="en"))
    assert (row["question_id"], row["gold"], row["level"]) == ("t/1", "\\frac{1}{2}", 3)
    array = write(json.dumps([MATH]), "data.json")
    assert load_questions(array, format="math500", language="en") == [row]


def test_mgsm_lines(write):
    path = write('She said "7 times"\t2,125\nTwo?\t2\n', "mgsm_en.tsv")
    rows = load_questions(path, format="mgsm", language="en")
    assert [(row["question_id"], row["gold"]) for row in rows] == [("0", "2125"), ("1", "2")]
    assert rows[0]["question"] == 'She said "7 times"'
    assert "line 1 has 2 tabs" in refusal(write("a\tb\tc\n", "x.tsv"), "mgsm")
    assert "the gold is no number: 'seven'" in refusal(write("a\tseven\n", "x.tsv"), "mgsm")


@pytest.mark.parametrize(
    ("record", "gold"),
    [
        ({"problem": "How many?", "answer": "025"}, "25"),
        ({"problem": "How many?", "answer": 204}, "204"),
        ({"problem": "How many?", "answer": 27.0}, "27"),
        ({"question": "How many?", "answer": "336^\\circ"}, "336"),
        ({"problem": "How many?", "question": "How many?", "solution": "x", "answer": "-1"}, "-1"),
        (
            {
                "prompt": "How many?\n"
                "Please reason step by step, and put your final answer within \\boxed{}.",
                "answer": "7",
            },
            "7",
        ),
    ],
)
def test_aime_under_its_several_names(write, record, gold):
    row = only(load_questions(write([record]), format="aime", language="en"))
    assert (row["question"], row["gold"], row["question_id"]) == ("How many?", gold, "0")


def test_aime_repeats_are_one_question_and_contradictions_are_refused(write):
    first, second = {"id": 90, "problem": "A", "answer": 1}, {"id": 91, "problem": "B", "answer": 2}
    rows = load_questions(write([first, second, first, second]), format="aime", language="en")
    assert [row["question_id"] for row in rows] == ["90", "91"]
    assert "the answers 1 and 3" in refusal(write([first, {**first, "answer": 3}]), "aime")
    assert "no whole number: '1.5'" in refusal(write([{"problem": "A", "answer": 1.5}]), "aime")


def test_polymath(write):
    row = only(load_questions(write([POLY]), format="polymath", language="en"))
    assert (row["question_id"], row["parallel_id"], row["level"]) == ("low-en-3", "low-3", 1)
    assert (row["gold"], row["gold_text"]) == ("\\frac{1}{2}", "$\\frac{1}{2}$")
    odd = {**POLY, "answer": "$b \\geq $-\\frac{2}{3}$"}  # as it stands in the source
    assert only(load_questions(write([odd]), format="polymath", language="en"))["gold"] == odd["answer"]
    assert "the file is in en, the data set in ja" in refusal(write([POLY]), "polymath", language="ja")


def test_mmath(write):
    row = only(load_questions(write(json.dumps([MMATH]), "en.json"), format="mmath", language="en"))
    assert (row["question_id"], row["parallel_id"], row["gold"], row["subject"]) == ("5", "5", "204", "CNMO")
    assert "the file is in en, the data set in zh" in refusal(write([MMATH]), "mmath", language="zh")


def test_csv_with_mapped_columns(write):
    path = write('nr;text;right;hard\na;"One; or\ntwo?";1.50;Level 2\nb;Three?;3;\n', "data.csv")
    columns = {"id": "nr", "question": "text", "gold": "right", "level": "hard", "subject": None}
    rows = load_questions(path, format="csv", language="en", columns=columns)
    assert [(row["question_id"], row["question"], row["gold"], row["level"]) for row in rows] == [
        ("a", "One; or\ntwo?", "1.50", 2),
        ("b", "Three?", "3", None),
    ]
    text = refusal(path, "csv", columns={"question": "texts", "gold": "right"})
    assert "no column texts (question)" in text and "nr, text, right, hard" in text
    assert "3 fields where the header has 2" in refusal(write("question,answer\na,b,c\n", "x.csv"), "csv")
    assert "question stands twice" in refusal(write("question,question\na,b\n", "x.csv"), "csv")
    assert "no questions" in refusal(write("question,answer\n", "x.csv"), "csv")
    assert "broken table" in refusal(write('question,answer\n"a,b\n', "x.csv"), "csv")
    leveled = write("question,answer,level\na,b,hard\n", "x.csv")
    text = refusal(leveled, "csv", columns={"level": "level"})
    assert "the level is no whole number: 'hard'" in text and "line 2" in text


def test_jsonl_and_parquet_with_default_columns(write, tmp_path):
    records = [{"question": "One?", "answer": 1}, {"question": "Half?", "answer": 0.5}]
    rows = load_questions(write(records), format="jsonl", language="en")
    assert [(row["question_id"], row["gold"]) for row in rows] == [("0", "1"), ("1", "0.5")]
    pq.write_table(
        pa.Table.from_pylist([{**r, "answer": float(r["answer"])} for r in records]), tmp_path / "p"
    )
    assert load_questions(tmp_path / "p", format="parquet", language="en") == rows
    assert "not a readable Parquet file" in refusal(write(records), "parquet")


def test_formats_of_records_read_the_hubs_parquet_files_too(write, tmp_path):
    for format, record in {"gsm8k": GSM8K, "math500": MATH, "polymath": POLY}.items():
        pq.write_table(pa.Table.from_pylist([record]), tmp_path / "table.parquet")
        of_lines = load_questions(write([record]), format=format, language="en")
        assert load_questions(tmp_path / "table.parquet", format=format, language="en") == of_lines
    text = refusal(tmp_path / "table.parquet", "gsm8k")
    assert "this is no gsm8k file" in text and "it looks like format: polymath" in text


# --- what all formats share --------------------------------------------------------------------------


def test_marks_and_line_ends_of_other_systems_do_not_matter(write):
    plain = load_questions(write([GSM8K, GSM8K]), format="gsm8k", language="en")
    text = "".join(json.dumps(GSM8K) + "\r\n" for _ in range(2))
    assert load_questions(write(b"\xef\xbb\xbf" + text.encode()), format="gsm8k", language="en") == plain
    assert load_questions(write(text.replace("\r\n", "\n\n")), format="gsm8k", language="en") == plain


def test_line_separators_inside_a_text_do_not_cut_it(write):
    odd = {**GSM8K, "question": "One\u2028two\u0085three?"}
    assert only(load_questions(write([odd]), format="gsm8k", language="en"))["question"] == odd["question"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"question": "a"\n', ["broken JSON", "line 1"]),
        (json.dumps(OWN) + "\n\n{oops}\n", ["broken JSON", "line 3: {oops}"]),
        ("[{}, \n", ["broken JSON", "line 2"]),
        ("[1]", ["not a JSON object", "item 0"]),
        ("7\n", ["not a JSON object", "line 1"]),
        ("", ["the file has no questions"]),
        (b'{"question": "\xff"}\n', ["not UTF-8", "line 1"]),
    ],
)
def test_broken_files_name_the_line(write, content, expected):
    text = refusal(write(content), "questions")
    assert all(part in text for part in expected), text


def test_a_missing_file(tmp_path):
    assert "cannot be read" in refusal(tmp_path / "gone.jsonl", "gsm8k")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"question": " "}, "question is empty"),
        ({"gold": ""}, "gold is empty"),
        ({"id": ""}, "question_id is empty"),
    ],
)
def test_empty_fields_are_refused(write, change, expected):
    assert expected in refusal(write([{**OWN, **change}]), "questions")


def test_repeated_ids_are_refused(write):
    text = refusal(write([OWN, {**OWN, "id": "p2"}, OWN]), "questions")
    assert "the id 'p1' stands twice, at questions 0 and 2" in text


RECORDS = {"gsm8k": GSM8K, "questions": OWN, "math500": MATH, "polymath": POLY, "mmath": MMATH}


@pytest.mark.parametrize("format", RECORDS)
@pytest.mark.parametrize("read_as", RECORDS)
def test_a_file_of_another_format_is_named(write, format, read_as):
    if format == read_as:
        return
    text = refusal(write([RECORDS[format]]), read_as)
    assert f"this is no {read_as} file" in text and f"it looks like format: {format}" in text


@pytest.mark.parametrize(
    ("content", "format"),
    [("Two?\t2\n", "mgsm"), ("question,answer\nTwo?,2\n", "csv"), (json.dumps({"a": 1}), "jsonl")],
)
def test_other_looks(write, content, format):
    assert looks_like(write(content)) == format
