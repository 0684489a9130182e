"""The reader and writer of tables."""

import hashlib

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonaudit.errors import TableError
from reasonaudit.provenance import module_names
from reasonaudit.tables import parquet
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.parquet import TableSchema, read_frame, read_table, to_table, write_table

SMALL = TableSchema(
    name="small",
    columns={
        "id": pa.string(),
        "n": pa.int64(),
        "share": pa.float64(),
        "yes": pa.bool_(),
        "text": pa.string(),
    },
    key=("id",),
    required=("n",),
)
ROW = {"id": "a", "n": 1, "share": 0.5, "yes": True, "text": "t"}


def call(**changes) -> dict:
    row = {
        "model": "m",
        "dataset": "d",
        "method": "x",
        "run": 0,
        "question_id": "7205759403792793601",
        "sample_index": 0,
        "call_index": 0,
        "role": "sample",
        "round": 0,
        "messages": [{"role": "user", "content": "2 + 2 = {?}"}],
        "seed": 2**32 - 2,
        "token_ids": [1, 2, 3],
        "text": "4",
        "tokens_source": "measured",
    }
    return row | changes


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "calls.parquet"
    write_table(path, [call()], CALLS)
    [row] = read_table(path, CALLS).to_pylist()
    assert {name: row[name] for name in call()} == call()
    assert row["prompt_tokens"] is None


@given(st.permutations([{**ROW, "id": str(i), "n": i} for i in range(6)]))
def test_bytes_do_not_depend_on_the_order_of_rows(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("tables")
    write_table(folder / "a.parquet", rows, SMALL)
    write_table(folder / "b.parquet", sorted(rows, key=lambda row: -row["n"]), SMALL)
    first, second = (
        hashlib.sha256((folder / name).read_bytes()).digest() for name in ("a.parquet", "b.parquet")
    )
    assert first == second


@given(st.lists(st.text(), min_size=1, max_size=5))
def test_any_text_survives_unless_it_is_no_unicode(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("tables") / "t.parquet"
    write_table(path, [{**ROW, "id": str(i), "text": text} for i, text in enumerate(texts)], SMALL)
    stored = read_table(path, SMALL).column("text").to_pylist()
    assert stored == [text.encode("utf-8", "replace").decode() for text in texts]


def test_lone_surrogates_are_replaced_and_nul_is_kept(tmp_path):
    path = tmp_path / "t.parquet"
    write_table(path, [{**ROW, "text": "ok \ud83d"}, {**ROW, "id": "b", "text": "a\0b"}], SMALL)
    assert read_table(path, SMALL).column("text").to_pylist() == ["ok ?", "a\0b"]


def test_missing_is_null_never_nan(tmp_path):
    path = tmp_path / "t.parquet"
    rows = pd.DataFrame({"id": ["a", "b"], "n": [1, 2], "share": [0.5, float("nan")], "text": ["x", None]})
    write_table(path, rows, SMALL)
    assert pq.read_table(path).column("share").null_count == 1
    assert pq.read_table(path).column("text").to_pylist() == ["x", None]
    assert pq.read_table(path).column("yes").null_count == 2


def test_nullable_whole_numbers_stay_whole(tmp_path):
    path = tmp_path / "calls.parquet"
    write_table(path, [call(seed=None), call(call_index=1, seed=2**53 + 1)], CALLS)
    frame = read_frame(path, CALLS)
    assert frame["seed"].dtype == "Int64"
    assert frame["seed"].iloc[1] == 2**53 + 1
    assert frame["run"].dtype == "int64"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**ROW, "extra": 1}, "table small has no column extra"),
        ({**ROW, "n": "1"}, "column n wants int64"),
        ({**ROW, "n": True}, "column n wants int64"),
        ({**ROW, "n": 1.5}, "column n wants int64"),
        ({**ROW, "yes": 1}, "column yes wants bool"),
        ({**ROW, "id": 7}, "column id wants string"),
        ({**ROW, "n": None}, "column n is missing in 1 of 1 rows"),
        ({**ROW, "n": 2**63}, "column n wants int64"),
    ],
)
def test_what_does_not_fit_is_refused(row, message):
    with pytest.raises(TableError, match=message):
        to_table([row], SMALL)


def test_repeated_keys_are_named():
    with pytest.raises(TableError, match="keys more than once") as error:
        to_table([ROW, ROW, {**ROW, "id": "b"}], SMALL)
    assert "id=a" in str(error.value)


def test_repeats_over_files_are_found(tmp_path):
    for name in ("a", "b"):
        write_table(tmp_path / f"{name}.parquet", [ROW], SMALL)
    with pytest.raises(TableError, match="more than once"):
        read_table([tmp_path / "a.parquet", tmp_path / "b.parquet"], SMALL)


def test_a_file_without_its_end_is_named_with_what_to_do(tmp_path):
    path = tmp_path / "t.parquet"
    write_table(path, [ROW], SMALL)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(TableError, match="not a readable Parquet file") as error:
        read_table(path, SMALL)
    assert str(path) in str(error.value)
    assert "Hint:" in str(error.value)


def test_other_columns_are_refused(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"id": ["a"]}), path)
    with pytest.raises(TableError, match="columns do not fit table small: n, share"):
        read_table(path, SMALL)


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(*arguments, **keywords):
        (tmp_path / "half").write_text("x")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parquet.pq, "write_table", full)
    path = tmp_path / "out" / "t.parquet"
    with pytest.raises(TableError, match="No space left on device"):
        write_table(path, [ROW], SMALL)
    assert list(path.parent.iterdir()) == []


def test_no_rows_keep_the_columns(tmp_path):
    path = tmp_path / "t.parquet"
    write_table(path, [], SMALL)
    assert read_table(path, SMALL).column_names == list(SMALL.columns)
    assert read_table([], SMALL).num_rows == 0


def test_every_schema_module_holds_one_schema_whose_key_are_columns():
    import importlib

    found = {}
    for name in module_names("tables"):
        module = importlib.import_module(f"reasonaudit.tables.{name}")
        schemas = {v.name: v for v in vars(module).values() if isinstance(v, TableSchema)}
        own = schemas.get(name)
        if own is not None:
            assert set(own.key) <= set(own.columns)
            assert set(own.required) <= set(own.columns)
            found[name] = own
    assert {"questions", "calls", "answers", "verdicts", "curves", "comparisons", "judgements"} <= set(found)
