"""Planning a large study: seconds and memory of `snakemake -n` on a synthetic study of many jobs.

    python benchmarks/dag.py [--jobs 12000] [--limits]

Writes results/bench/dag.csv. With --limits it fails beyond 60 s or 1 GB.
"""

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
METHODS = ("self_consistency", "chain_of_thought", "plan_and_solve", "self_refine", "best_of_n", "debate")
MODELS, DATASETS = 4, 5
LARGEST_SECONDS, LARGEST_MB = 60, 1000


def synthetic_study(folder: Path, jobs: int) -> Path:
    """A configuration whose generation jobs are about ``jobs``, each of one question."""
    model = folder / "model.gguf"
    model.write_bytes(b"GGUF")
    shards = -(-jobs // (MODELS * DATASETS * len(METHODS)))
    lines = ["study: synthetic", "shard_size: 1", "models:"]
    for number in range(MODELS):
        lines += [f"  m{number}:", f"    source: file:{model}"]
        lines += [f'    sha256: "{number:064x}"', "    size_b: 1.5"]
    lines.append("datasets:")
    for number in range(DATASETS):
        lines += [
            f"  d{number}:",
            "    source: file:resources/questions/arithmetic.jsonl",
            "    format: questions",
            "    language: en",
            f"    n_questions: {shards}",
        ]
    lines += [
        f"methods: [{', '.join(METHODS)}]",
        "sampling: {pool_size: 8, max_tokens: 256}",
        "statistics: {resamples: 50000}",
    ]
    path = folder / "synthetic.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1000, 12000])
    parser.add_argument("--limits", action="store_true")
    given = parser.parse_args()
    rows = []
    for jobs in given.jobs:
        with tempfile.TemporaryDirectory() as name:
            config = synthetic_study(Path(name), jobs)
            command = [sys.executable, "-m", "snakemake", "-n", "--quiet", "rules", "--nolock"]
            started = time.perf_counter()
            process = subprocess.Popen(
                [*command, "--configfile", str(config)],
                cwd=REPOSITORY,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - started
            if status:
                sys.exit(output[-3000:])
            planned = int(re.search(r"^total\s+(\d+)", output, flags=re.M)[1])
            rows.append({"jobs": planned, "seconds": round(seconds, 1), "cpu_s": round(usage.ru_utime, 1)})
            rows[-1]["memory_mb"] = usage.ru_maxrss // 1024
            print(rows[-1], flush=True)
    target = REPOSITORY / "results" / "bench" / "dag.csv"
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    last = rows[-1]
    if given.limits and (last["seconds"] > LARGEST_SECONDS or last["memory_mb"] > LARGEST_MB):
        sys.exit(f"beyond {LARGEST_SECONDS} s or {LARGEST_MB} MB")


if __name__ == "__main__":
    main()
