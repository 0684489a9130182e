"""Comparing results with a second derivation, and the record of what they rest on."""

import json

import pytest

from reasonaudit.errors import GateError
from reasonaudit.provenance import sha256_file
from reasonaudit.provenance_record import record_provenance
from reasonaudit.verification import compare_folders, verify_study


@pytest.fixture
def folders(tmp_path):
    for name in ("first", "second"):
        for place in ("tables/a.csv", "answers/m/d/x.parquet", "calls/m/00000.parquet", "logs/a.log"):
            path = tmp_path / name / place
            path.parent.mkdir(parents=True)
            path.write_text(place)
    return tmp_path / "first", tmp_path / "second"


def test_equal_files_are_counted(folders):
    first, second = folders
    (first / "logs/a.log").write_text("another time")
    (first / "tables/old.csv").write_text("of a method that was taken out")
    assert compare_folders(first, second) == 2


def test_other_bytes_are_named(folders):
    first, second = folders
    (first / "tables/a.csv").write_text("edited")
    with pytest.raises(GateError, match=r"1 of 2 results") as error:
        compare_folders(first, second)
    assert "tables/a.csv: other bytes" in str(error.value)


def test_missing_files_are_named(folders):
    first, second = folders
    (first / "answers/m/d/x.parquet").unlink()
    with pytest.raises(GateError, match=r"answers/m/d/x\.parquet: missing"):
        compare_folders(first, second)


def test_many_differences_are_shortened(folders):
    first, second = folders
    for number in range(30):
        (second / "tables" / f"{number:02d}.csv").write_text("new")
    with pytest.raises(GateError, match="and 20 more"):
        compare_folders(first, second)


def test_nothing_to_verify(tmp_path):
    with pytest.raises(GateError, match="no results yet"):
        verify_study(
            results=tmp_path,
            repository=tmp_path,
            config_files=[],
            allowed_rules=[],
            targets=[tmp_path / "tables/a.csv"],
            cores=1,
        )


def test_the_record_holds_what_a_second_run_needs(tmp_path):
    prompts = tmp_path / "prompts" / "en"
    prompts.mkdir(parents=True)
    (prompts / "solve.txt").write_text("{question}")
    data = tmp_path / "data.jsonl"
    data.write_text("{}\n")
    probe = tmp_path / "small.json"
    probe.write_text(json.dumps({"row_class": {"least": 8, "multiple": 1}, "system_info": "AVX2 = 1"}))
    paths = [tmp_path / "one.json", tmp_path / "two.json"]
    for path in paths:
        record_provenance(
            study={"study": "s", "seed": 1},
            code={"grade_answers.py": "0123"},
            sources={"m.gguf": {"source": ["file:m.gguf"], "sha256": "ab"}},
            prompts=tmp_path / "prompts",
            probes=[probe],
            data=[data],
            output=path,
        )
    assert paths[0].read_bytes() == paths[1].read_bytes()
    record = json.loads(paths[0].read_text())
    assert record["models"]["small"]["row_class"] == {"least": 8, "multiple": 1}
    assert record["data"] == {"data.jsonl": sha256_file(data)}
    assert record["prompts"] == {"en/solve.txt": sha256_file(prompts / "solve.txt")}
    assert record["packages"]["pytest"] == pytest.__version__
    assert record["machine"]["cpu"]
