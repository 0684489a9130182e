"""Tables as CSV, Markdown and LaTeX."""

import csv

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from reasonaudit.errors import TableError
from reasonaudit.tables.export import export_table


@pytest.fixture
def stored(tmp_path):
    table = pa.table(
        {
            "model": ["a", "b|c", "d"],
            "basis": ["x", "x", "y"],
            "n": [1, None, 3],
            "p": [0.1 + 0.2, 2.2e-7, None],
            "ok": [True, None, False],
            "note": ["5% & \\more_{}", 'say "no"', "two\nlines"],
            "nothing": pa.array([None, None, None], pa.string()),
            "list": [[1, 2], [], None],
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    return tmp_path


def run(folder, where=None):
    paths = {kind: folder / "out" / f"t.{kind}" for kind in ("csv", "md", "tex")}
    export_table(table=folder / "t.parquet", **paths, where=where)
    return {kind: path.read_text(encoding="utf-8") for kind, path in paths.items()}


def test_csv_keeps_every_column_and_digit(stored):
    rows = list(csv.DictReader(run(stored)["csv"].splitlines(keepends=True)))
    assert float(rows[0]["p"]) == 0.1 + 0.2
    assert float(rows[1]["p"]) == 2.2e-7
    assert [r["n"] for r in rows] == ["1", "", "3"]
    assert [r["ok"] for r in rows] == ["true", "", "false"]
    assert [r["note"] for r in rows] == ["5% & \\more_{}", 'say "no"', "two\nlines"]
    assert [r["list"] for r in rows] == ["[1, 2]", "[]", ""]
    assert [r["nothing"] for r in rows] == ["", "", ""]


def test_markdown_is_for_reading(stored):
    lines = run(stored)["md"].splitlines()
    assert lines[0] == "| model | basis | n | p | ok | note | list |"
    assert lines[1] == "| :-- | :-- | --: | --: | :-- | :-- | :-- |"
    assert lines[2] == "| a | x | 1 | 0.3 | true | 5% & \\more_{} | [1, 2] |"
    assert lines[3].startswith("| b\\|c | x |  | 2.2e-07 |")
    assert lines[4].endswith("| two lines |  |")


def test_latex_is_escaped(stored):
    text = run(stored)["tex"]
    assert text.startswith("\\begin{tabular}{llrrlll}\n\\toprule\nmodel & basis &")
    assert r"5\% \& \textbackslash{}more\_\{\} & [1, 2] \\" in text
    assert text.endswith("\\bottomrule\n\\end{tabular}\n")


def test_rows_are_chosen(stored):
    out = run(stored, {"basis": "x"})
    assert len(out["csv"].splitlines()) == 3
    assert "basis" in out["csv"].splitlines()[0]
    assert "basis" not in out["md"]
    with pytest.raises(TableError, match="no column colour"):
        run(stored, {"colour": "red"})


def test_an_empty_table_keeps_its_header(stored):
    out = run(stored, {"basis": "z"})
    assert out["csv"] == "model,basis,n,p,ok,note,nothing,list\n"
    assert out["md"].splitlines()[0] == "| model | n | p | ok | note | nothing | list |"


def test_no_temporary_file_stays(stored):
    run(stored)
    assert sorted(p.name for p in (stored / "out").iterdir()) == ["t.csv", "t.md", "t.tex"]
