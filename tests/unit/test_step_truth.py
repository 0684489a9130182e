"""Judges against human labels of the first wrong step."""

import json

import numpy as np
import pandas as pd
import pytest

from reasonaudit.analysis.step_truth import harmonic_mean, step_truth_rows
from reasonaudit.audit.step_labels import consistent, read_step_labels
from reasonaudit.errors import DataError

RECORD = {"id": "x-0", "problem": "P", "steps": ["a", "b", "c"], "label": 1, "generator": "w"}
STATISTICS = {"resamples": 500, "confidence": 0.95}


@pytest.mark.parametrize(
    ("label", "correct", "expected"),
    [(-1, True, True), (1, False, True), (1, True, True), (-1, None, True), (-1, False, False)],
)
def test_consistent(label, correct, expected):
    assert consistent(label, correct) is expected


@pytest.mark.parametrize("form", ["list", "lines"])
def test_both_forms_of_the_file(tmp_path, form):
    records = [RECORD, RECORD | {"id": "x-1", "label": -1, "final_answer_correct": False}]
    text = json.dumps(records) if form == "list" else "\n".join(map(json.dumps, records))
    path = tmp_path / "steps.json"
    path.write_text(text)
    rows = read_step_labels(path, dataset="d", language="en")
    assert [(row["question_id"], row["label"], row["consistent"]) for row in rows] == [
        ("x-0", 1, True),
        ("x-1", -1, False),
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": 3}, "none of 3 steps"),
        ({"label": -2}, "none of 3"),
        ({"steps": None}, "lacks steps"),
        ({"label": True}, "none of 3"),
    ],
)
def test_records_that_cannot_be_used(tmp_path, change, message):
    path = tmp_path / "steps.jsonl"
    path.write_text(json.dumps(RECORD | change))
    with pytest.raises(DataError, match=message):
        read_step_labels(path, dataset="d", language="en")


def test_no_json(tmp_path):
    path = tmp_path / "steps.jsonl"
    path.write_text("{")
    with pytest.raises(DataError, match="not JSON"):
        read_step_labels(path, dataset="d", language="en")


def rows_of(approvals: dict[str, list[bool]]) -> list[dict]:
    """Six erroneous chains, four correct ones, one inconsistent."""
    labels = [0, 1, 2, 0, 1, 2, -1, -1, -1, -1, -1]
    key = {"model": "w", "dataset": "d", "method": "step_labels", "run": 0, "sample_index": 0}
    truth = pd.DataFrame(
        [
            key | {"question_id": f"x{i}", "problem": f"p{i}", "label": label, "consistent": i != 10}
            for i, label in enumerate(labels)
        ]
    )
    judged = pd.DataFrame(
        [
            key
            | {"judge": judge, "question_id": f"x{i}", "condition": "step_labels"}
            | {f"approved_{s}": given for s in ("any", "majority", "all")}
            for judge, list_of in approvals.items()
            for i, given in enumerate(list_of)
        ]
    )
    return [
        row
        for row in step_truth_rows(truth, judged, STATISTICS, seed=1)
        if (row["dataset"], row["strategy"]) == ("all", "majority")
    ]


def test_scores():
    perfect = [False] * 6 + [True] * 5
    yes, half = [True] * 11, [False] * 3 + [True] * 3 + [True] * 3 + [False] * 2
    found = {row["judge"]: row for row in rows_of({"perfect": perfect, "yes": yes, "half": half})}
    assert found["perfect"]["harmonic_mean"] == 1
    assert found["yes"]["harmonic_mean"] == found["yes"]["low"] == found["yes"]["high"] == 0
    row = found["half"]
    assert (row["erroneous"], row["rejected"], row["correct"], row["approved"]) == (6, 3, 4, 3)
    assert row["harmonic_mean"] == pytest.approx(2 * 0.5 * 0.75 / 1.25)
    assert row["low"] < row["harmonic_mean"] < row["high"]
    assert row["inconsistent"] == 1


def test_harmonic_mean():
    assert harmonic_mean(0.6, 0.9) == pytest.approx(0.72)
    assert harmonic_mean(0.0, 0.0) == 0
    for a, b in np.random.default_rng(1).random((20, 2)):
        assert min(a, b) <= harmonic_mean(a, b) <= (a + b) / 2
