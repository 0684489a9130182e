"""The engine against its alternatives on the same work: tokens a second, and whether texts repeat.

    one_by_one   llama-cpp-python's create_chat_completion, one call after the other
    server       the llama.cpp server in process (xllamacpp), a thread a slot
    ceiling      a bare llama_decode loop of as many rows, without sampling: the prompts, then full batches
                 until as many tokens are decoded as one_by_one generated
    ours         this project's engine

The work is the demo's pool (prompts with worked examples, temperature 0.7, replies of at most 64
tokens, past 256 positions); a single row below 256 positions; a long run, for its memory; and a file of
the shape of a 1.5B model with random weights, which does not fit into a processor's cache as the embedded
model does.
Each measurement is a process of its own, and a run measures everything once, so that the ratios of a run
are of the same minutes. Generated tokens are divided by all the time from the first prompt to the last
reply. Nothing else should run: figures of a busy machine say nothing, and those of two machines cannot be
compared; their ratios can.

Run from the repository: ``make bench``, or ``python benchmarks/engine.py --quick``.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "workflow" / "scripts"), str(ROOT / "tests"), str(ROOT / "benchmarks")]

WIDTHS = (1, 8, 16, 32, 64)
SMALL, LARGE = "SmolLM2-135M Q4_1", "1.5B-shaped Q8_0"
BELOW, STEADY = f"{SMALL}, below 256 positions", f"{SMALL}, long run"


def measure(engine: str, given: dict) -> dict:
    """One measurement in a process of its own."""
    command = [sys.executable, str(ROOT / "benchmarks" / "engines.py"), engine, json.dumps(given)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    line = next((line for line in done.stdout.splitlines() if line.startswith('{"tokens"')), None)
    if done.returncode or line is None:
        sys.exit(f"{engine} with {given['n_parallel']} failed:\n{done.stderr[-2000:]}")
    return json.loads(line)


@dataclass(frozen=True)
class Part:
    """Work, and the engines and widths that do it; the first engine is the base of the ratios."""

    model: str
    engines: dict[str, tuple[int, ...]]
    given: dict

    def run(self) -> dict[tuple[str, int], dict]:
        """Each engine at each of its widths, once."""
        results: dict[tuple[str, int], dict] = {}
        for engine, widths in self.engines.items():
            for width in widths:
                tokens = next(iter(results.values()))["tokens"] if results else None
                result = measure(engine, {**self.given, "n_parallel": width, "tokens": tokens})
                results[engine, width] = {**result, "speed": result["tokens"] / result["seconds"]}
        return results


def ratios(runs: list[dict], part: str, engine: tuple, base: tuple) -> list[float]:
    """Speed over speed in each run, sorted; of several widths (None) the fastest."""

    def speed(run: dict, name: str, width: int | None) -> float:
        return max(r["speed"] for (e, w), r in run[part].items() if e == name and width in (None, w))

    return sorted(speed(run, *engine) / speed(run, *base) for run in runs)


def middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def show(parts: list[Part], runs: list[dict]) -> list[dict]:
    """Print the table, and give its rows."""
    rows = []
    for part in parts:
        print(f"\n{part.model}: { ({k: v for k, v in part.given.items() if k != 'file'}) }")
        print(
            f"{'engine':12}{'rows':>5}{'tokens/s':>16}{'x first row':>20}{'prompt tokens':>15}"
            f"{'peak MB':>9}{'grown MB':>9}{'not llama.cpp':>15}  same text"
        )
        base = next(iter(runs[0][part.model]))
        digests: dict[str, set] = {}
        for run in runs:
            for (engine, _), result in run[part.model].items():
                digests.setdefault(engine, set()).add(result["digest"])
        for engine, width in runs[0][part.model]:
            results = [run[part.model][engine, width] for run in runs]
            speeds = sorted(result["speed"] for result in results)
            ratio = ratios(runs, part.model, (engine, width), base)
            same = None if engine == "ceiling" else len(digests[engine]) == 1
            rest = [f"{r['outside_llama_cpp']:.1%}" for r in results[:1] if "outside_llama_cpp" in r]
            grown = [f"{r['grown_mb']:.1f}" for r in results[:1] if "grown_mb" in r]
            print(
                f"{engine:12}{width:5}{middle(speeds):8.1f} ({speeds[0]:.0f}-{speeds[-1]:.0f})"
                f"{middle(ratio):8.2f} ({ratio[0]:.2f}-{ratio[-1]:.2f}){results[0]['prompt_tokens']:13}"
                f"{max(r['peak_mb'] for r in results):9}{''.join(grown):>9}{''.join(rest):>15}"
                f"  {({None: '', True: 'yes', False: 'no'})[same]}"
            )
            rows.append(
                {
                    "model": part.model,
                    "engine": engine,
                    "n_parallel": width,
                    "tokens_per_s": round(middle(speeds), 2),
                    "ratio": round(middle(ratio), 3),
                    "same_text": "" if same is None else same,
                    "ratio_low": round(ratio[0], 3),
                    "ratio_high": round(ratio[-1], 3),
                }
            )
    return rows


def show_targets(runs: list[dict]) -> None:
    """Print the ratios that the engine is held to."""
    alone, best = ("one_by_one", 1), ("ours", None)
    targets = [
        ("fastest / one by one", SMALL, best, alone, 1.6),
        ("fastest / fastest of the server", SMALL, best, ("server", None), 1.6),
        ("32 rows / bare llama_decode", SMALL, ("ours", 32), ("ceiling", 32), 0.9),
        ("one row below 256 positions / one by one", BELOW, ("ours", 1), alone, 1.0),
        ("one row past 256 positions / one by one", SMALL, ("ours", 1), alone, 0.7),
        ("1.5B-shaped: fastest / one by one", LARGE, best, alone, 2.8),
        ("1.5B-shaped: 64 rows / bare llama_decode", LARGE, ("ours", 64), ("ceiling", 64), 0.9),
    ]
    print()
    for name, part, engine, base, target in targets:
        if part in runs[0]:
            found = ratios(runs, part, engine, base)
            print(f"{name:45}{middle(found):6.2f} ({found[0]:.2f}-{found[-1]:.2f})   target {target}")


def draw(rows: list[dict], path: Path) -> None:
    """Tokens a second over rows decoded together, a panel a model."""
    import matplotlib.pyplot as plt

    from reasonaudit.figures.style import MARKERS, PALETTE, SERIES, save_figure

    names = {"server": "llama.cpp server", "ceiling": "bare llama_decode", "ours": "reasonaudit"}
    models = [model for model in (SMALL, LARGE) if any(row["model"] == model for row in rows)]
    size = (3.6 * len(models), 3.4)
    figure, axes = plt.subplots(1, len(models), figsize=size, squeeze=False, layout="constrained")
    for axis, model in zip(axes[0], models, strict=True):
        speeds = {
            (row["engine"], row["n_parallel"]): row["tokens_per_s"] for row in rows if row["model"] == model
        }
        axis.axhline(speeds["one_by_one", 1], color=PALETTE["black"], linestyle="--", label="one by one")
        for place, (engine, name) in enumerate(names.items()):
            widths = [width for each, width in speeds if each == engine]
            axis.plot(
                widths,
                [speeds[engine, width] for width in widths],
                marker=MARKERS[place],
                color=SERIES[place],
                label=name,
            )
        axis.set(title=model, xlabel="rows decoded together", xscale="log", xticks=WIDTHS, xticklabels=WIDTHS)
        axis.minorticks_off()
        axis.set_ylim(bottom=0)
    axes[0][0].set_ylabel("generated tokens per second")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4)
    save_figure(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a quarter of the work, one run, no large file")
    parser.add_argument("--runs", type=int, default=3, help="measurements of each kind (default 3)")
    parser.add_argument("--threads", type=int, default=min(len(os.sched_getaffinity(0)), 2))
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "bench")
    options = parser.parse_args()
    from model_files import SMOLLM2, model_file

    small, one = str(model_file(SMOLLM2)), {"one_by_one": (1,), "ours": (1,)}
    given = {"file": small, "threads": options.threads, "pool": 16, "max_tokens": 64}
    everything = {"one_by_one": (1,), "server": WIDTHS, "ceiling": WIDTHS, "ours": WIDTHS}
    parts = [
        Part(SMALL, everything, {**given, "questions": 2 if options.quick else 6, "shots": 3}),
        Part(BELOW, one, {**given, "questions": 2, "shots": 1}),
    ]
    if not options.quick:
        from random_model import random_model_file

        file = str(random_model_file(small, options.output / "random-1.5b-q8_0.gguf"))
        large = {**given, "file": file, "questions": 2, "pool": 32, "shots": 0}
        parts += [
            Part(STEADY, {"ours": (32,)}, {**given, "questions": 48, "shots": 3, "steady": True}),
            Part(LARGE, {"one_by_one": (1,), "ceiling": (32, 64), "ours": (8, 32, 64)}, large),
        ]
    runs = []
    for run in range(1 if options.quick else options.runs):
        runs.append({part.model: part.run() for part in parts})
        print(f"run {run + 1} done", file=sys.stderr, flush=True)
    rows = show(parts, runs)
    show_targets(runs)
    options.output.mkdir(parents=True, exist_ok=True)
    with open(options.output / "engine.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    draw(rows, options.output / "engine.png")
    print(f"\nwritten to {options.output}: engine.csv, engine.png")


if __name__ == "__main__":
    main()
