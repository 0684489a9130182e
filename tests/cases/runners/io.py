"""Storing: text that is hard to store, ids, missing values, joins."""

import json
import tempfile
from pathlib import Path

import pandas as pd
import pyarrow as pa

from cases.case import Case
from reasonaudit.analysis.verdict_counts import SAMPLE_KEY, with_verdicts
from reasonaudit.questions.rows import read_records
from reasonaudit.tables.export import as_csv
from reasonaudit.tables.parquet import TableSchema, read_table, to_frame, write_table

SCHEMA = TableSchema(
    name="texts",
    columns={"id": pa.string(), "text": pa.string(), "value": pa.float64()},
    key=("id",),
)


def run(case: Case) -> None:
    given = case.inputs
    if "text" in given:
        _text(given["text"].split(" (")[0].encode().decode("unicode_escape"), case.outcome)
    elif "how" in case.replaced:
        _json_lines(given["ids"])
    elif "ids" in given:
        stored = _stored(
            [{"id": str(i), "text": value and str(value)} for i, value in enumerate(given["ids"])]
        )
        assert stored.column("text").to_pylist() == case.outcome["ids"]
        assert to_frame(stored)["text"].dropna().tolist() == [id_ for id_ in case.outcome["ids"] if id_]
    elif "metrics" in given:
        stored = _stored([{"id": "pass_at_8", "value": float("nan")}])
        assert {row["id"]: row["value"] for row in stored.to_pylist()} == case.outcome["written"]
        assert json.loads(json.dumps(stored.to_pylist(), allow_nan=False))
        assert as_csv(stored).splitlines()[1] == "pass_at_8,,"
    else:
        _join(given, case.outcome["rows"])


def _stored(rows: list[dict]) -> pa.Table:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.parquet"
        write_table(path, rows, SCHEMA)
        return read_table(path, SCHEMA)


def _text(text: str, outcome: dict) -> None:
    (row,) = _stored([{"id": "a", "text": text}]).to_pylist()
    if "length_after_round_trip" in outcome:
        assert len(row["text"]) == outcome["length_after_round_trip"]
        assert row["text"] == text
    else:
        assert (row["text"] is not None) is outcome["stored"]
        assert (row["text"] != text) is outcome["replaced"]
        assert row["text"].startswith("ok ")


def _json_lines(ids: list) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ids.jsonl"
        path.write_text("".join(json.dumps({"id": id_}) + "\n" for id_ in ids), encoding="utf-8")
        assert [record["id"] for _, record in read_records(path)] == ids


def _join(given: dict, rows: int) -> None:
    """Samples and their verdicts: joined on every key, never on the question alone."""
    fixed = {"model": "m", "dataset": "d", "method": "pool", "run": 0}

    def frame(pairs: list, **more) -> pd.DataFrame:
        keys = ({**fixed, "question_id": str(q), "sample_index": i} for q, i in pairs)
        return pd.DataFrame([{**key, **more} for key in keys])

    samples = frame(given["left_rows"], problem_set="p")
    if "problem_set" in SAMPLE_KEY:
        samples = samples.assign(problem_set="p")
    verdicts = frame(given["right_rows"], verifier="trusted", accepted=True, rule="equal", timed_out=False)
    assert len(with_verdicts(samples, verdicts, trusted="trusted")) == rows
