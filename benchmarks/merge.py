"""Reading one study's calls from few or many files: seconds and peak memory of the rules that merge.

    python benchmarks/merge.py

The same 16,000 calls lie in 10, 100, 1,000 and 4,000 shards; each way of reading runs in a process of
its own: a few columns (analyses), whole tables (grading), SQL over the files (the second derivation).
Writes results/bench/merge.csv; time must grow no more than linearly with the number of files.
"""

import csv
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "workflow" / "scripts"))

import numpy as np  # noqa: E402

from reasonaudit.analysis.duck import open_tables, rows_of  # noqa: E402
from reasonaudit.analysis.frames import read_columns  # noqa: E402
from reasonaudit.tables.calls import CALLS  # noqa: E402
from reasonaudit.tables.parquet import read_table, write_table  # noqa: E402

CALLS_IN_ALL = 16_000
SHARDS = (10, 100, 1_000, 4_000)
WAYS = ("columns", "whole", "sql")


def write_shards(folder: Path, count: int) -> None:
    """Calls of about 400 tokens with prompts of 2,000 characters, evenly over ``count`` files."""
    random = np.random.Generator(np.random.PCG64(0))
    each = CALLS_IN_ALL // count
    words = ["".join(chr(97 + c) for c in random.integers(0, 26, 6)) for _ in range(2000)]
    for shard in range(count):
        rows = []
        for index in range(each):
            text = " ".join(random.choice(words, 220))
            rows.append(
                {
                    "model": "m",
                    "dataset": "d",
                    "method": "self_consistency",
                    "run": 0,
                    "question_id": f"q{shard:05d}-{index // 16:05d}",
                    "sample_index": index % 16,
                    "call_index": index % 16,
                    "role": "sample",
                    "round": 0,
                    "messages": [{"role": "user", "content": text[:2000]}],
                    "seed": index,
                    "temperature": 0.7,
                    "top_p": 1.0,
                    "max_tokens": 1024,
                    "prompt_tokens": 300,
                    "cached_prompt_tokens": 0,
                    "completion_tokens": 400,
                    "stop_reason": "stop",
                    "text": text,
                    "token_ids": random.integers(0, 50_000, 400).tolist(),
                    "tokens_source": "measured",
                }
            )
        write_table(folder / f"{shard:05d}.parquet", rows, CALLS)


def read(way: str, folder: Path) -> None:
    """One way of reading all files; prints seconds."""
    paths = sorted(folder.glob("*.parquet"))
    started = time.perf_counter()
    if way == "columns":
        tokens = read_columns(paths, CALLS, ["question_id", "completion_tokens"])["completion_tokens"].sum()
    elif way == "whole":
        tokens = sum(read_table(paths, CALLS)["completion_tokens"].to_pylist())
    else:
        query = "SELECT sum(completion_tokens) AS tokens FROM calls"
        tokens = rows_of(open_tables({"calls": paths}), query)[0]["tokens"]
    assert int(tokens) == 400 * CALLS_IN_ALL
    seconds = time.perf_counter() - started
    # Not getrusage: its peak begins with that of the parent.
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
    print(f"{seconds:.2f} {int(peak.split()[1]) // 1024}")


def main() -> None:
    if len(sys.argv) == 3:
        read(sys.argv[1], Path(sys.argv[2]))
        return
    rows = []
    for count in SHARDS:
        with tempfile.TemporaryDirectory() as folder:
            write_shards(Path(folder), count)
            for way in WAYS:
                command = [sys.executable, __file__, way, folder]
                done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
                seconds, memory = done.stdout.split()
                rows.append({"files": count, "way": way, "seconds": float(seconds), "memory_mb": int(memory)})
                print(rows[-1], flush=True)
    target = ROOT / "results" / "bench" / "merge.csv"
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
