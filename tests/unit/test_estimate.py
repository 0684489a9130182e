"""The estimate: calls by running methods with invented replies, tokens, time, memory."""

import csv
import io
import json
from pathlib import Path

import pytest

from reasonaudit.engine.memory import memory_needed_mb
from reasonaudit.estimate.costs import cost_of, job_memory_mb, job_minutes
from reasonaudit.estimate.report import COLUMNS, estimate_cost, spent
from reasonaudit.estimate.speeds import Speed, model_speed, speed_by_size, stored_speed
from reasonaudit.estimate.walk import Walk, read_prompts, walk_judge, walk_method
from reasonaudit.methods.declarations import method_names, method_settings, prompt_paths
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.parquet import write_table

SPEED = Speed(
    decode=100.0,
    prefill=200.0,
    load_seconds=2.0,
    kv_bytes=1 << 14,
    file_bytes=1 << 28,
    vocabulary=50_000,
    source="measured",
)
WALK = Walk(calls=3, prompt=300, computed=120, shared=20, generated=96, limit=192, longest=400)


@pytest.fixture
def walk(repository):
    def run(
        module: str, language: str = "en", share: float = 0.5, shots: int = 0, roles=None, **given
    ) -> Walk:
        folder = repository / "resources" / "prompts"
        prompts = read_prompts(
            {
                "paths": prompt_paths(module, language, "label", folder),
                "exemplars": folder / "exemplars" / f"{language}.jsonl",
                "shots": shots,
                "boxed": False,
            }
        )
        settings = {"temperature": 0.7, "top_p": 1.0, "max_tokens": 64, "pool_size": 8}
        settings |= method_settings(module, given)
        return walk_method(module, prompts, settings, roles or {}, language=language, share=share)

    return run


@pytest.mark.parametrize(
    ("module", "given", "calls"),
    [
        ("self_consistency", {}, 8),
        ("chain_of_thought", {}, 1),
        ("plan_and_solve", {}, 1),
        ("best_of_n", {"samples": 5}, 6),
        ("self_refine", {"rounds": 3}, 7),  # an attempt, then a critique and a revision a round
        ("reflexion", {"rounds": 3}, 10),  # never judged correct
        ("debate", {"agents": 3, "rounds": 2}, 9),
        ("least_to_most", {"max_subquestions": 4}, 6),
    ],
)
def test_calls_are_those_of_the_longest_way(walk, module, given, calls):
    found = walk(module, **given)
    assert found.calls == calls
    assert found.limit == 64 * calls
    assert found.generated == 32 * calls


@pytest.mark.parametrize("module", method_names())
def test_every_method_can_be_walked(walk, module):
    found = walk(module)
    assert found.calls >= 1
    assert 0 < found.computed <= found.prompt
    assert found.longest >= 64


def test_a_pool_computes_its_prompt_once(walk):
    pool, one = walk("self_consistency"), walk("chain_of_thought")
    assert pool.prompt == 8 * one.prompt
    assert pool.computed == one.computed + 7  # the last token of each further row


def test_exemplars_are_shared_by_all_questions(walk):
    plain, shown = walk("chain_of_thought"), walk("chain_of_thought", shots=3)
    assert shown.shared - plain.shared > 50
    assert shown.computed - shown.shared == pytest.approx(plain.computed - plain.shared, abs=3)


def test_the_longest_conversation_holds_all_replies(walk):
    short, long = walk("best_of_n", samples=2), walk("best_of_n", samples=6)
    assert long.longest - short.longest == 4 * 64
    assert walk("chain_of_thought").longest > 64 + walk("chain_of_thought").prompt


def test_limits_of_a_role_are_its_own(walk):
    short = walk("best_of_n", samples=2, roles={"pick": {"max_tokens": 8}})
    assert short.limit == 2 * 64 + 8


def test_a_judge_reads_a_chain_once_and_votes_often():
    found = walk_judge(
        "p" * 350, language="en", samples=4, votes=3, max_tokens=100, chain_tokens=200, share=0.5
    )
    assert found.calls == 12
    assert found.limit == 1200
    assert found.prompt == 12 * (found.computed - 8) // 4


def test_cost_adds_up():
    cost = cost_of(WALK, SPEED, questions=10, jobs=2)
    assert (cost.calls, cost.prompt, cost.generated, cost.limit) == (30, 3000, 960, 1920)
    assert cost.computed == 10 * 100 + 2 * 20
    assert cost.seconds == pytest.approx(2 * (8 + 2) + 1040 / 200 + 960 / 100)
    assert cost.seconds_at_limit - cost.seconds == pytest.approx(960 / 100)


def test_a_job_asks_for_twice_the_time_of_full_replies():
    assert job_minutes(WALK, SPEED, questions=0) == 10
    seconds = 10 + (100 * 1000 + 20) / 200 + 192 * 1000 / 100
    assert job_minutes(WALK, SPEED, questions=1000) == 10 + int(2 * seconds / 60)


def test_memory_is_that_of_the_plan_and_a_quarter_more():
    needed = memory_needed_mb(
        kv_bytes=SPEED.kv_bytes, rows=16, positions=400 + 512, file_bytes=SPEED.file_bytes, vocabulary=50_000
    )
    assert job_memory_mb(WALK, SPEED, n_parallel=16, context_length=4096) == needed + needed // 4
    short = job_memory_mb(WALK, SPEED, n_parallel=16, context_length=256)
    assert short < needed + needed // 4


def test_open_rows_stay_on_a_usual_node():
    large = speed_by_size(8.0, threads=8)
    long = Walk(calls=8, prompt=1, computed=1, shared=0, generated=1, limit=1, longest=30_000)
    assert job_memory_mb(long, large, n_parallel=None, context_length=32_768) <= 48_000
    assert job_memory_mb(long, large, n_parallel=32, context_length=32_768) > 100_000


def test_speed_is_measured_or_guessed(tmp_path):
    path = tmp_path / "speed.json"
    assert stored_speed(path, threads=2) is None
    guessed = model_speed(path, size_b=2.0, threads=4)
    assert guessed.source == "by size"
    assert guessed.decode == pytest.approx(2 * model_speed(path, size_b=4.0, threads=4).decode)
    record = {
        "decode_tokens_per_s": 90.0,
        "prefill_tokens_per_s": 200.0,
        "load_s": 0.4,
        "rows": 32,
        "threads": 2,
        "kv_bytes_per_position": 11_520,
        "file_bytes": 98_362_432,
        "vocabulary_size": 49_152,
    }
    path.write_text(json.dumps(record))
    measured = model_speed(path, size_b=2.0, threads=4)
    assert (measured.source, measured.decode, measured.prefill) == ("measured", 180.0, 400.0)


def call_rows(count: int) -> list[dict]:
    return [
        {
            "model": "m",
            "dataset": "d",
            "method": "best_of_n",
            "run": 0,
            "question_id": "q1",
            "sample_index": index,
            "call_index": index,
            "role": "sample",
            "round": 0,
            "messages": [{"role": "user", "content": "?"}],
            "seed": 1,
            "temperature": 0.7,
            "top_p": 1.0,
            "max_tokens": 64,
            "prompt_tokens": 50,
            "cached_prompt_tokens": 0,
            "completion_tokens": 30 + index,
            "stop_reason": "stop",
            "text": "x",
            "token_ids": [1],
            "tokens_source": "measured",
        }
        for index in range(count)
    ]


def cell(**changed) -> dict:
    return {
        "kind": "solver",
        "model": "m",
        "dataset": "d",
        "method": "best_of_n",
        "folder": "calls/m/d/best_of_n",
        "walk": vars(WALK),
        "questions": 10,
        "jobs": 2,
        "speed_file": "none.json",
        "size_b": 0.5,
        "threads": 2,
        "gpu": False,
        "n_parallel": 8,
        "context_length": 2048,
    } | changed


def test_estimate_and_actual_stand_side_by_side(tmp_path):
    results = tmp_path / "results"
    write_table(results / "calls/m/d/best_of_n/00000.parquet", call_rows(3), CALLS)
    benchmark = results / "benchmarks/calls/m/d/best_of_n/00000.tsv"
    benchmark.parent.mkdir(parents=True)
    benchmark.write_text("s\th:m:s\tmax_rss\n36.0\t0:00:36\t512.4\n")
    printed = io.StringIO()
    rows = estimate_cost(
        cells=[cell(), cell(method="debate", folder="calls/m/d/debate")],
        results=results,
        table=tmp_path / "estimate.csv",
        out=printed,
    )
    done, planned, total = rows
    assert (done["calls"], done["actual_calls"], done["jobs"], done["jobs_done"]) == (30, 3, 2, 1)
    assert done["actual_generated_tokens"] == 30 + 31 + 32
    assert done["actual_hours"] == pytest.approx(0.01)
    assert done["actual_memory_mb"] == 512
    assert planned["jobs_done"] == 0
    assert (total["calls"], total["actual_calls"], total["generated_at_most"]) == (60, 3, 3840)
    with (tmp_path / "estimate.csv").open(newline="") as file:
        written = list(csv.DictReader(file))
    assert tuple(written[0]) == COLUMNS
    assert written[1]["actual_calls"] == ""
    text = printed.getvalue()
    assert text == (tmp_path / "estimate.md").read_text() + "\n"
    widths = {len(line) for line in text.splitlines() if line.startswith("|")}
    assert len(widths) == 1
    assert "guesses from the number of parameters" in text


def test_what_was_spent_without_a_benchmark_file(tmp_path):
    write_table(tmp_path / "calls/m/d/x/00000.parquet", call_rows(2), CALLS)
    found = spent(Path(tmp_path), "calls/m/d/x")
    assert (found["actual_calls"], found["actual_hours"]) == (2, 0.0)
    assert spent(Path(tmp_path), "calls/m/d/y") == {"jobs_done": 0}
