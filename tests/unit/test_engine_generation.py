"""Generation jobs on the real model: shards, methods, kills, faults; what stands in the calls table."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reasonaudit.errors import ContextError, ModelError, TableError
from reasonaudit.generation import generate_calls
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.parquet import read_table, write_table
from reasonaudit.tables.questions import QUESTIONS

pytestmark = pytest.mark.model

TEXTS = [
    f"A box holds {3 + i} pens. How many pens are in {2 + i} boxes?{' Think of every box.' * i}"
    for i in range(7)
]


def question_rows(numbers):
    return [
        {
            "dataset": "boxes",
            "question_id": f"q{number}",
            "language": "en",
            "parallel_id": f"q{number}",
            "question": TEXTS[number],
            "gold": str((3 + number) * (2 + number)),
            "draw_index": number,
        }
        for number in numbers
    ]


def arguments(folder: Path, model: Path, numbers, *, name="calls", **changes) -> dict:
    """Arguments of a small self-consistency job on some of the questions."""
    questions, probe = folder / f"{name}.questions.parquet", folder / "probe.json"
    if not questions.exists():
        write_table(questions, question_rows(numbers), QUESTIONS)
    probe.write_text(json.dumps({"row_class": {"least": 1, "multiple": 1}}))
    prompt = folder / "solve.txt"
    prompt.write_text("{question}")
    settings = {"pool_size": 2, "temperature": 0.7, "top_p": 1.0, "max_tokens": changes.pop("max_tokens", 12)}
    return {
        "questions": str(questions),
        "model_file": str(model),
        "adapter_file": None,
        "probe": str(probe),
        "output": str(folder / f"{name}.parquet"),
        "key": {"model": "m", "dataset": "boxes", "method": "self_consistency", "run": 0},
        "identity": {"sha256": "b179", "context_length": 512, **changes.pop("identity", {})},
        "method": {
            "module": "self_consistency",
            "settings": settings,
            "roles": {},
            "seed": {"method": "pool"},
        },
        "prompts": {"paths": {"solve": str(prompt)}, "exemplars": None, "shots": 0, "boxed": False},
        "study_seed": 5,
        "allow_context_errors": False,
        "schedule": {
            "n_parallel": 4,
            "gpu_layers": 0,
            "threads": 2,
            "memory_mb": None,
            **changes.pop("schedule", {}),
        },
        **changes,
    }


def rows_of(*paths):
    return read_table([str(path) for path in paths], CALLS).to_pylist()


@pytest.fixture(scope="module")
def whole(smollm2, tmp_path_factory):
    """The calls of all seven questions in one shard, and their file."""
    given = arguments(tmp_path_factory.mktemp("whole"), smollm2, range(7))
    generate_calls(**given)
    return Path(given["output"])


@pytest.mark.parametrize("size", [3, 7])
def test_shards(smollm2, whole, tmp_path, size):
    paths = []
    for start in range(0, 7, size):
        numbers = range(start, min(start + size, 7))
        given = arguments(tmp_path, smollm2, numbers, name=f"shard{start}", schedule={"n_parallel": 3})
        generate_calls(**given)
        paths.append(given["output"])
    assert rows_of(*paths) == rows_of(whole)
    if size == 7:  # the same rows are the same bytes
        assert Path(paths[0]).read_bytes() == whole.read_bytes()


def test_the_table_counts_tokens_from_ids(smollm2, whole):
    rows = rows_of(whole)
    assert len(rows) == 14
    for row in rows:
        assert len(row["token_ids"]) == row["completion_tokens"] <= 12
        assert row["stop_reason"] in ("stop", "length")
        # The prompt is the same for both samples, and wholly held by the first.
        assert row["cached_prompt_tokens"] == (row["prompt_tokens"] if row["call_index"] else 0)
    assert len({row["seed"] for row in rows}) == 14


def job(given: dict, log: Path) -> subprocess.Popen:
    """A generation job in a process of its own, whose log tells its progress at every step."""
    code = (
        "import json, sys\n"
        "from reasonaudit import generation, logs\n"
        "class Log(logs.ProgressLog):\n"
        "    def __init__(self, total, name): super().__init__(total, name, every=0.0)\n"
        "generation.ProgressLog = Log\n"
        "generation.generate_calls(**json.load(sys.stdin))\n"
    )
    scripts = Path(__file__).resolve().parents[2] / "workflow" / "scripts"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stderr=open(log, "w"),  # noqa: SIM115
        env={**os.environ, "PYTHONPATH": str(scripts)},
        text=True,
    )
    process.stdin.write(json.dumps(given))
    process.stdin.close()
    return process


def test_killed_in_the_middle_and_run_again(smollm2, whole, tmp_path):
    given = arguments(tmp_path, smollm2, range(7))
    log = tmp_path / "log"
    process = job(given, log)
    deadline = time.monotonic() + 120
    while not re.search(r" [4-9]/14 calls", log.read_text()) and time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not list(tmp_path.glob("*calls.parquet*"))
    again = job(given, log)
    assert again.wait() == 0, log.read_text()
    assert Path(given["output"]).read_bytes() == whole.read_bytes()
    assert "14 calls in" in log.read_text()


# --- faults ---


def test_a_prompt_that_cannot_fit_is_refused_before_anything_runs(smollm2, tmp_path):
    given = arguments(tmp_path, smollm2, range(7), identity={"context_length": 60})
    with pytest.raises(ContextError, match="the longest conversation may need") as error:
        generate_calls(**given)
    assert "set context_length of this model to at least" in str(error.value)
    assert not Path(given["output"]).exists()


def test_where_it_is_allowed_a_prompt_that_does_not_fit_is_recorded(smollm2, whole, tmp_path):
    fitting = {row["question_id"]: row["prompt_tokens"] for row in rows_of(whole)}
    length = sorted(fitting.values())[3]
    given = arguments(
        tmp_path, smollm2, range(7), identity={"context_length": length}, allow_context_errors=True
    )
    generate_calls(**given)
    for row in rows_of(given["output"]):
        fits = fitting[row["question_id"]] < length
        assert row["prompt_tokens"] == fitting[row["question_id"]]
        assert (row["completion_tokens"] > 0) == fits
        assert fits or (row["stop_reason"], row["text"], row["token_ids"]) == ("context", "", [])


def test_too_little_memory_is_refused_before_anything_runs(smollm2, tmp_path):
    given = arguments(tmp_path, smollm2, range(7), schedule={"n_parallel": 32, "memory_mb": 800})
    with pytest.raises(ContextError, match="but the job was granted 800 MB"):
        generate_calls(**given)


def test_out_of_memory_while_the_context_is_made(smollm2, tmp_path):
    given = arguments(tmp_path, smollm2, range(7), identity={"context_length": 8192}, max_tokens=7000)
    script = (
        "import json, resource, sys\n"
        "from reasonaudit.generation import generate_calls\n"
        "from reasonaudit.logs import start_log\n"
        "start_log([])\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        "generate_calls(**json.load(sys.stdin))\n"
    )
    scripts = Path(__file__).resolve().parents[2] / "workflow" / "scripts"
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps({**given, "schedule": {**given["schedule"], "n_parallel": 14}}),
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(scripts)},
    )
    assert done.returncode == 1, done
    assert "ContextError: llama.cpp cannot create a context of 14 rows" in done.stderr
    assert "lower n_parallel or context_length" in done.stderr
    assert "Traceback" not in done.stderr
    assert not Path(given["output"]).exists()


def test_a_full_disk_leaves_no_table(smollm2, tmp_path):
    given = arguments(tmp_path, smollm2, range(2))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, hard))
    try:
        with pytest.raises(TableError, match="could not be written") as error:
            generate_calls(**given)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "check free space" in str(error.value)
    assert not list(tmp_path.glob("*calls.parquet*"))


def test_a_template_that_raises_names_the_roles(smollm2, tmp_path):
    (tmp_path / "system.txt").write_text("Be brief.")
    given = arguments(tmp_path, smollm2, range(1))
    given["prompts"]["paths"]["system"] = str(tmp_path / "system.txt")
    given["identity"]["chat_template_kwargs"] = {"bos_token": "x"}  # given twice
    with pytest.raises(ModelError, match="refuses the conversation"):
        generate_calls(**given)


def test_a_probe_that_is_none_is_refused(smollm2, tmp_path):
    given = arguments(tmp_path, smollm2, range(1))
    for content in ("", "{}", '{"row_class": null}', '{"row_class": {"least": 1}}'):
        Path(given["probe"]).write_text(content)
        with pytest.raises(ModelError, match="probe cannot be read"):
            generate_calls(**given)
