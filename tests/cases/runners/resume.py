"""After a crash: no file is ever appended to, and a file is whole or not there.

The unit of resuming is a shard: its table is written at once under a temporary name and renamed, so
the torn tail of a journal cannot arise; text files that users bring are refused with the line's number.
"""

import re
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest

from cases.case import Case
from reasonaudit.errors import DataError, TableError
from reasonaudit.generation import question_seed
from reasonaudit.provenance import SCRIPTS
from reasonaudit.questions.rows import read_records
from reasonaudit.tables.parquet import TableSchema, read_table, write_table

SCHEMA = TableSchema(
    name="replies", columns={"id": pa.int64(), "a": pa.string()}, key=("id",), required=("a",)
)


def run(case: Case) -> None:
    given = case.inputs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if given.get("file") == "parquet without footer":
            _cut_off(folder / "t.parquet", case.outcome)
        elif "file" in given:
            _torn(folder, given, case.outcome)
        elif "old_ids" in given:
            _grown(folder, given, case.outcome)
        else:
            _other_settings(case)


def _torn(folder: Path, given: dict, outcome) -> None:
    """Nothing opens a file to append, a failed write leaves nothing, and a damaged text file is named."""
    for module in SCRIPTS.rglob("*.py"):
        assert not re.search(r"""open\([^)\n]*["']ab?\+?["']""", module.read_text(encoding="utf-8")), (
            module.name
        )
    path = folder / "t.parquet"
    with pytest.raises(TableError):
        write_table(path, [{"id": 1, "a": "7"}, {"id": 2}], SCHEMA)
    assert list(folder.iterdir()) == []
    rows = [{"id": 1, "a": "7"}, {"id": 2, "a": "9"}]
    write_table(path, rows, SCHEMA)
    assert read_table(path, SCHEMA).to_pylist() == rows
    text = folder / "brought.jsonl"
    text.write_text(given["file"], encoding="utf-8")
    with pytest.raises(DataError, match="line 2"):
        read_records(text)
    if isinstance(outcome, dict):
        assert [row["id"] for row in rows] == outcome["rows"]


def _grown(folder: Path, given: dict, outcome: dict) -> None:
    """Old and new shards are files of their own, read once; a row in both is an error."""
    for name in ("old", "new"):
        rows = [{"id": i, "a": "x"} for i in given[f"{name}_ids"]]
        write_table(folder / f"{name}.parquet", rows, SCHEMA)
    paths = sorted(folder.glob("*.parquet"))
    assert read_table(paths, SCHEMA).num_rows == outcome["n"]
    with pytest.raises(TableError, match="more than once"):
        read_table([*paths, paths[0]], SCHEMA)


def _other_settings(case: Case) -> None:
    """What decides text enters the seed of the calls, and so do all parts that tell two calls apart."""
    identity = {"sha256": "a" * 64, "context_length": 2048}
    key = {"model": "m", "dataset": "d", "method": "chain_of_thought", "run": 0}
    settings = {"method": "chain_of_thought", "temperature": 0.0}
    first = question_seed(1, identity, key, settings, "q1")
    other = {
        "model": question_seed(1, identity | {"sha256": "b" * 64}, key, settings, "q1"),
        "seed": question_seed(2, identity, key, settings, "q1"),
        "nothing": question_seed(1, identity, key, settings, "q1"),
        None: question_seed(1, identity, key, settings | {"temperature": 0.7}, "q1"),
    }[case.inputs.get("differs")]
    hit = case.outcome if isinstance(case.outcome, bool) else case.outcome["cache_hit"]
    assert (other == first) is hit


def _cut_off(path: Path, outcome: dict) -> None:
    write_table(path, [{"id": 1, "a": "7"}], SCHEMA)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(TableError, match="delete it and run again"):
        read_table(path, SCHEMA)
    assert outcome == {"treated_as": "missing", "rerun": True}
