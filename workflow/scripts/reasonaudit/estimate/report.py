"""The estimate as a table, beside what has been spent so far."""

import csv
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

from reasonaudit.estimate.costs import cost_of, job_memory_mb
from reasonaudit.estimate.speeds import model_speed
from reasonaudit.estimate.walk import Walk

COLUMNS = (
    "kind",
    "model",
    "dataset",
    "method",
    "jobs",
    "calls",
    "prompt_tokens",
    "computed_prompt_tokens",
    "generated_tokens",
    "generated_at_most",
    "hours",
    "hours_at_most",
    "memory_mb",
    "speed",
    "jobs_done",
    "actual_calls",
    "actual_prompt_tokens",
    "actual_generated_tokens",
    "actual_hours",
    "actual_memory_mb",
)
SUMS = tuple(name for name in COLUMNS[4:] if "memory" not in name and name != "speed")
SHOWN = (
    "model",
    "dataset",
    "method",
    "calls",
    "generated_tokens",
    "hours",
    "memory_mb",
    "jobs",
    "jobs_done",
    "actual_calls",
    "actual_generated_tokens",
    "actual_hours",
    "actual_memory_mb",
)


def estimate_cost(
    *, cells: Iterable[Mapping], results: str | Path, table: str | Path, out=None
) -> list[dict]:
    """Write and print the estimate of every cell with what its finished jobs took; then the total.

    Args:
        cells: kind (solver, judge), model, dataset, method; walk (the fields of ``Walk``), questions,
            jobs; speed_file, size_b, threads, gpu, n_parallel, context_length of the model that runs;
            folder: where the cell's calls are below ``results`` (their benchmark files stand at the
            same place below benchmarks/).
        results: the study's folder.
        table: path of the CSV file; a Markdown file of the same name goes beside it.
        out: where it is printed; standard output by default.
    """
    rows = [expected(cell) | spent(Path(results), cell["folder"]) for cell in cells]
    rows.append(_total(rows))
    path = Path(table)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _rounded(row.get(name)) for name in COLUMNS} for row in rows)
    text = _markdown(rows)
    path.with_suffix(".md").write_text(text, encoding="utf-8")
    print(text, file=out or sys.stdout)
    return rows


def expected(cell: Mapping) -> dict:
    """The estimate of one cell."""
    walk = Walk(**cell["walk"])
    speed = model_speed(cell["speed_file"], size_b=cell["size_b"], threads=cell["threads"], gpu=cell["gpu"])
    cost = cost_of(walk, speed, questions=cell["questions"], jobs=cell["jobs"])
    return {
        **{name: cell[name] for name in ("kind", "model", "dataset", "method")},
        "jobs": cost.jobs,
        "calls": cost.calls,
        "prompt_tokens": cost.prompt,
        "computed_prompt_tokens": cost.computed,
        "generated_tokens": cost.generated,
        "generated_at_most": cost.limit,
        "hours": cost.seconds / 3600,
        "hours_at_most": cost.seconds_at_limit / 3600,
        "memory_mb": job_memory_mb(
            walk, speed, n_parallel=cell["n_parallel"], context_length=cell["context_length"]
        ),
        "speed": speed.source,
    }


def spent(results: Path, folder: str) -> dict:
    """What the finished jobs of a cell took: calls and tokens from their tables, time from Snakemake's
    benchmark files. Empty before the first job is done."""
    files = sorted((results / folder).glob("*.parquet"))
    if not files:
        return {"jobs_done": 0}
    calls = prompt = generated = 0
    seconds, memory = 0.0, 0.0
    for file in files:
        table = pq.read_table(file, columns=["prompt_tokens", "completion_tokens"], partitioning=None)
        calls += table.num_rows
        prompt += pc.sum(table["prompt_tokens"]).as_py() or 0
        generated += pc.sum(table["completion_tokens"]).as_py() or 0
        benchmark = results / "benchmarks" / folder / f"{file.stem}.tsv"
        if benchmark.is_file():
            with benchmark.open(encoding="utf-8") as lines:
                for line in csv.DictReader(lines, delimiter="\t"):
                    seconds += float(line["s"])
                    memory = max(memory, _number(line["max_rss"]))
    return {
        "jobs_done": len(files),
        "actual_calls": calls,
        "actual_prompt_tokens": prompt,
        "actual_generated_tokens": generated,
        "actual_hours": seconds / 3600,
        "actual_memory_mb": round(memory),
    }


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:  # a job that was too short to be measured
        return 0.0


def _total(rows: list[dict]) -> dict:
    total = {"kind": "total", "model": "total", "dataset": "", "method": "", "speed": ""}
    for name in SUMS:
        total[name] = sum(row.get(name) or 0 for row in rows)
    total["memory_mb"] = max((row["memory_mb"] for row in rows), default=0)
    total["actual_memory_mb"] = max((row.get("actual_memory_mb") or 0 for row in rows), default=0)
    return total


def _rounded(value):
    return round(value, 4) if isinstance(value, float) else value


def _markdown(rows: list[dict]) -> str:
    """The most important columns, with units in the head."""
    units = {"memory_mb": "MB a job", "actual_memory_mb": "actual MB"}
    lines = [[units.get(name, name.replace("_", " ")) for name in SHOWN]]
    for row in rows:
        judge = "judge " if row["kind"] == "judge" else ""
        cells = [row.get(name) for name in SHOWN]
        lines.append([judge * (i == 0) + _shown(cell) for i, cell in enumerate(cells)])
    widths = [max(len(line[i]) for line in lines) for i in range(len(SHOWN))]
    text = [
        "| "
        + " | ".join(
            cell.ljust(w) if i < 3 else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        + " |"
        for line in lines
    ]
    rule = "|" + "|".join("-" * (w + 1) + ("-" if i < 3 else ":") for i, w in enumerate(widths)) + "|"
    speeds = sorted({row["speed"] for row in rows if row["speed"]})
    notes = {
        "measured": "Speeds were measured on this machine.",
        "by size": "Speeds marked `by size` in the CSV file are guesses from the number of parameters: "
        "the model's file is not here yet.",
    }
    most = rows[-1].get("hours_at_most", 0.0)
    ending = [
        f"Hours are those of one job after another; if every reply were as long as it may be: {most:.2f}.",
        *(notes[speed] for speed in speeds),
    ]
    return "\n".join([text[0], rule, *text[1:], "", *ending]) + "\n"


def _shown(value) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.3f}" if value < 10 else f"{value:.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
