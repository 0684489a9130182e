"""A judging job up to the engine: which calls it makes, with which seeds, under which keys."""

import json

import pytest

from reasonaudit import judge_generation
from reasonaudit.audit.step_labels import load_step_labels
from reasonaudit.tables.judge_calls import JUDGE_CALLS

SETTINGS = {"votes": 2, "temperature": 0.6, "top_p": 0.95, "max_tokens": 9, "part": [0, 1]}
IDENTITY = {"sha256": "a", "stop": ["END"]}


@pytest.fixture
def job(tmp_path, monkeypatch):
    """Runs a job on two labelled chains; gives what reaches the writer of calls."""
    source = tmp_path / "chains.jsonl"
    chain = {"problem": "P", "steps": ["x"], "label": -1}
    source.write_text("\n".join(json.dumps(chain | {"id": name}) for name in "ab"))
    load_step_labels(source=source, step_labels=tmp_path / "s.parquet", dataset="steps", language="en")
    prompt = tmp_path / "judge.txt"
    prompt.write_text("{problem} {solution}")

    def run(**changes):
        seen = {}
        monkeypatch.setattr(
            judge_generation, "write_calls", lambda *given, **named: seen.update(named, given=given)
        )
        arguments = dict.fromkeys(("questions", "calls", "answers", "injections", "panel"), ())
        arguments |= {"step_labels": tmp_path / "s.parquet", "model_file": "m", "adapter_file": None}
        arguments |= {"probe": "p", "output": "o", "judge": "j", "identity": IDENTITY, "settings": SETTINGS}
        arguments |= {"prompts": {"en": {"step": "judge", "path": prompt, "language_name": "English"}}}
        arguments |= {"study_seed": 1, "allow_context_errors": False, "schedule": {}}
        judge_generation.judge_samples(**arguments | changes)
        return seen

    return run


def test_rows_get_the_solvers_keys_and_the_vote(job):
    seen = job()
    assert seen["given"][:2] == ("o", JUDGE_CALLS)
    assert (seen["reply_tokens"], seen["index_column"]) == (9, "vote")
    sessions = list(seen["given"][2]())
    columns = [seen["columns"](session.key) for session in sessions]
    assert [(c["judge"], c["question_id"], c["condition"]) for c in columns] == [
        ("j", "a", "step_labels"),
        ("j", "b", "step_labels"),
    ]
    assert set(JUDGE_CALLS.key) == {*columns[0], "vote"}


def test_votes_are_asked_together_with_the_models_stop_texts(job):
    (asks,) = [next(session.method) for session in list(job()["given"][2]())[:1]]
    assert [ask.seed_offset for ask in asks] == [0, 1]
    assert {ask.stop for ask in asks} == {("END",)}


def test_seeds_follow_from_study_model_and_item_only(job):
    def seeds(**changes):
        return [session.seed for session in job(**changes)["given"][2]()]

    first = seeds()
    assert len(set(first)) == 2
    assert seeds(judge="another name", settings=SETTINGS | {"votes": 5}, schedule={"threads": 9}) == first
    assert seeds(study_seed=2) != first and seeds(identity=IDENTITY | {"sha256": "b"}) != first
    assert seeds(settings=SETTINGS | {"part": [1, 2]}) == first[1:]
