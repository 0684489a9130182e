"""The engine against its alternatives on the same work: tokens a second, and whether texts repeat.

    one_by_one   llama-cpp-python's create_chat_completion, one call after the other
    server       the llama.cpp server in process (xllamacpp), a thread a slot
    ceiling      a bare llama_decode loop of as many rows, without sampling
    ours         this project's engine

The work is the demo's pool (prompts with worked examples, temperature 0.7, replies of at most 64
tokens), and the same on a file of the shape of a 1.5B model with random weights, which does not fit into
a processor's cache as the embedded model does. Each measurement is a process of its own. Generated tokens
are divided by all the time from the first prompt to the last reply. Nothing else should run: figures of a
busy machine say nothing, and those of two machines cannot be compared; their ratios can.

Run from the repository: ``make bench``, or ``python benchmarks/engine.py --quick``.
"""

import argparse
import csv
import hashlib
import json
import os
import resource
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "workflow" / "scripts"), str(ROOT / "tests"), str(ROOT / "benchmarks")]

CONTEXT, TEMPERATURE, CHUNK = 1024, 0.7, 64
WIDTHS = (1, 8, 16, 32, 64)
COLUMNS = ("model", "engine", "n_parallel", "tokens_per_s", "ratio", "same_text")
SMALL, LARGE, LONG = "SmolLM2-135M Q4_1", "1.5B-shaped Q8_0", "SmolLM2-135M Q4_1, past 256 positions"


def work(given: dict) -> list[list[dict[str, str]]]:
    """Conversations to answer; each question as many times as the pool is large."""
    from reasonaudit.methods.prompts import PromptSet

    prompts = ROOT / "resources" / "prompts"
    paths = {step: prompts / "en" / f"{step}.txt" for step in ("system", "solve")}
    paths["answer_format"] = prompts / "en" / "answer_label.txt"
    lines = (prompts / "exemplars" / "en.jsonl").read_text(encoding="utf-8").splitlines()
    texts = PromptSet.from_files(paths, [json.loads(line) for line in lines[: given["shots"]]])
    source = (ROOT / "resources" / "questions" / "arithmetic.jsonl").read_text(encoding="utf-8")
    records = [json.loads(line) for line in source.splitlines()]
    questions = [record["question"] for record in records if record["language"] == "en"]
    asked = questions[: given["questions"]]
    return [list(texts.opening(question)) for question in asked for _ in range(given["pool"])]


class Watch:
    """Seconds that passed, and seconds of processor time, since it was made."""

    def __init__(self):
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def read(self) -> dict[str, float]:
        return {"seconds": time.perf_counter() - self._wall, "cpu": time.process_time() - self._cpu}


# --- one measurement: {"tokens", "seconds", "cpu", "prompt_tokens", "texts"} ---


def one_by_one(given: dict) -> dict:
    from llama_cpp import Llama, llama_perf_context

    llama = Llama(
        given["file"],
        n_ctx=CONTEXT,
        n_threads=given["threads"],
        n_threads_batch=given["threads"],
        verbose=False,
    )
    watch, tokens, texts = Watch(), 0, []
    for seed, messages in enumerate(work(given)):
        reply = llama.create_chat_completion(
            messages,
            temperature=TEMPERATURE,
            top_p=1.0,
            top_k=0,
            min_p=0.0,
            repeat_penalty=1.0,
            max_tokens=given["max_tokens"],
            seed=seed,
        )
        tokens += reply["usage"]["completion_tokens"]
        texts.append(reply["choices"][0]["message"]["content"])
    spent = watch.read()
    computed = llama_perf_context(llama.ctx).n_p_eval
    return {"tokens": tokens, **spent, "prompt_tokens": computed, "texts": texts}


def server(given: dict) -> dict:
    try:
        import xllamacpp
    except ImportError:
        sys.exit("the server needs xllamacpp: pip install -r envs/bench.txt")
    slots = given["n_parallel"]
    parameters = xllamacpp.CommonParams()
    parameters.model.path = given["file"]
    parameters.n_ctx, parameters.n_parallel = CONTEXT * slots, slots
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = given["threads"]
    parameters.warmup, parameters.verbosity = False, -1
    running = xllamacpp.Server(parameters)
    asked = list(enumerate(work(given)))
    replies: list[dict] = [{}] * len(asked)
    lock, waiting = threading.Lock(), iter(asked)

    def slot() -> None:
        while True:
            with lock:
                place, messages = next(waiting, (None, None))
            if place is None:
                return
            replies[place] = running.handle_chat_completions(
                {
                    "messages": messages,
                    "temperature": TEMPERATURE,
                    "top_p": 1.0,
                    "top_k": 0,
                    "min_p": 0.0,
                    "max_tokens": given["max_tokens"],
                    "seed": place,
                }
            )

    threads = [threading.Thread(target=slot) for _ in range(slots)]
    watch = Watch()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {
        **watch.read(),
        "tokens": sum(reply["usage"]["completion_tokens"] for reply in replies),
        "prompt_tokens": sum(reply["timings"]["prompt_n"] for reply in replies),
        "texts": [reply["choices"][0]["message"]["content"] for reply in replies],
    }


def ceiling(given: dict) -> dict:
    """Nothing but llama_decode: each prompt once (only where it differs from the first), then full batches.

    Every reply has all its tokens, and no token is sampled.
    """
    import numpy as np

    from reasonaudit.engine.llama import Context, Model
    from reasonaudit.engine.prompt_cache import common_prefix
    from reasonaudit.engine.templates import ChatTemplate
    from reasonaudit.engine.vocabulary import Vocabulary

    model = Model(given["file"])
    template = ChatTemplate(Vocabulary(model), model.chat_template())
    prompts = [np.array(template.encode(messages), np.int32) for messages in work(given)[:: given["pool"]]]
    rows, length = given["n_parallel"], given["max_tokens"]
    cells = max(map(len, prompts)) + length
    context = Context(model, rows=rows, cells=cells, threads=given["threads"], chunk=CHUNK)
    watch, computed, state = Watch(), 0, None
    for prompt in prompts:
        have = 0
        if state is not None:
            have = common_prefix(prompt, prompts[0])
            context.restore(0, state)
            context.trim(0, have)
        for start in range(have, len(prompt), CHUNK):
            context.prefill(0, prompt[start : start + CHUNK], start)
        computed += len(prompt) - have
        state = context.save(0) if state is None else state
    tokens, first = np.full(rows, prompts[0][-1], np.int32), len(prompts[0])
    batches = round(len(prompts) * given["pool"] * length / rows)
    for batch in range(batches):
        if batch % length == 0:
            for row in range(rows):
                context.restore(row, state)
        context.decode(tokens, np.full(rows, first + batch % length, np.int32))
    return {"tokens": batches * rows, **watch.read(), "prompt_tokens": computed, "texts": None}


def ours(given: dict) -> dict:
    from reasonaudit.conversation import Ask
    from reasonaudit.engine.llama import Model
    from reasonaudit.engine.scheduler import Engine, Session
    from reasonaudit.engine.templates import ChatTemplate
    from reasonaudit.engine.vocabulary import Vocabulary

    model = Model(given["file"])
    vocabulary = Vocabulary(model)
    engine = Engine(
        model,
        ChatTemplate(vocabulary, model.chat_template()),
        vocabulary,
        context_length=CONTEXT,
        n_parallel=given["n_parallel"],
        threads=given["threads"],
    )
    asked, pool = work(given), given["pool"]

    def method(messages):
        yield [
            Ask(tuple(messages), TEMPERATURE, given["max_tokens"], i, "sample", sample_index=i)
            for i in range(pool)
        ]

    questions = asked[::pool]
    watch = Watch()
    done = dict(engine.run(Session((i,), method(m), i << 16) for i, m in enumerate(questions)))
    spent, progress = watch.read(), engine.progress
    return {
        "tokens": progress.generated_tokens,
        **spent,
        "prompt_tokens": progress.computed_prompt_tokens,
        "texts": [call.text for i in range(len(questions)) for call in done[i,]],
        "outside_llama_cpp": 1 - (progress.decode_seconds + progress.prefill_seconds) / spent["seconds"],
    }


ENGINES = {"one_by_one": one_by_one, "server": server, "ceiling": ceiling, "ours": ours}


def measure(engine: str, given: dict) -> dict:
    """One measurement in a process of its own."""
    command = [sys.executable, __file__, "--one", engine, json.dumps(given)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    line = next((line for line in done.stdout.splitlines() if line.startswith('{"tokens"')), None)
    if done.returncode or line is None:
        sys.exit(f"{engine} with {given['n_parallel']} failed:\n{done.stderr[-2000:]}")
    return json.loads(line)


def print_one(engine: str, given: dict) -> None:
    """What a measuring process says: the numbers, and a digest in place of the texts."""
    result = ENGINES[engine](given)
    texts = result.pop("texts")
    digest = texts and hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:12]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    found = {"tokens": result.pop("tokens"), "digest": digest, "peak_mb": peak, **result}
    print("\n" + json.dumps(found), flush=True)
    os._exit(0)  # the server's threads need not be waited for


def compare(model: str, file: str, engines: dict[str, tuple[int, ...]], given: dict, runs: int) -> list[dict]:
    """Measure the engines at their widths, print the table, and give its rows."""
    print(f"\n{model}: {given}")
    print(
        f"{'engine':12}{'rows':>5}{'tokens/s':>16}{'x one by one':>14}{'prompt tokens':>15}"
        f"{'peak MB':>9}{'per CPU s':>11}{'not llama.cpp':>15}  same text"
    )
    rows, base = [], None
    for engine, widths in engines.items():
        first = None
        for width in widths:
            arguments = {**given, "file": file, "n_parallel": width}
            results = [measure(engine, arguments) for _ in range(runs)]
            speeds = sorted(result["tokens"] / result["seconds"] for result in results)
            speed = speeds[len(speeds) // 2]
            base = base or speed
            first = first or results[0]["digest"]
            same = None if engine == "ceiling" else all(r["digest"] == first for r in results)
            rest = results[0].get("outside_llama_cpp")
            said = {None: "", True: "yes", False: "no"}[same]
            by_cpu = max(result["tokens"] / result["cpu"] for result in results)
            print(
                f"{engine:12}{width:5}{speed:8.1f} ({speeds[0]:.0f}-{speeds[-1]:.0f}){speed / base:11.2f}"
                f"{results[0]['prompt_tokens']:15}{max(r['peak_mb'] for r in results):9}{by_cpu:11.1f}"
                f"{'' if rest is None else f'{rest:.1%}':>15}  {said}",
                flush=True,
            )
            rows.append(
                {
                    "model": model,
                    "engine": engine,
                    "n_parallel": width,
                    "tokens_per_s": round(speed, 2),
                    "ratio": round(speed / base, 3),
                    "same_text": "" if same is None else same,
                }
            )
    return rows


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
    parser.add_argument("--runs", type=int, default=2, help="measurements of each kind (default 2)")
    parser.add_argument("--threads", type=int, default=min(len(os.sched_getaffinity(0)), 2))
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "bench")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print_one(options.one[0], json.loads(options.one[1]))
    from model_files import SMOLLM2, model_file

    small = str(model_file(SMOLLM2))
    runs = 1 if options.quick else options.runs
    given = {
        "threads": options.threads,
        "questions": 2 if options.quick else 6,
        "pool": 16,
        "max_tokens": 64,
        "shots": 3,
    }
    everything = {"one_by_one": (1,), "server": WIDTHS, "ceiling": WIDTHS, "ours": WIDTHS}
    rows = compare(SMALL, small, everything, given, runs)
    # One question after the other, its prompt past 256 positions: a row that no other row accompanies.
    alone = {**given, "questions": 6, "pool": 2, "shots": 5}
    rows += compare(LONG, small, {"one_by_one": (1,), "ours": (1,)}, alone, runs)
    if not options.quick:
        from random_model import random_model_file

        large = str(random_model_file(small, options.output / "random-1.5b-q8_0.gguf"))
        given = {**given, "questions": 2, "max_tokens": 32, "shots": 0}
        some = {"one_by_one": (1,), "ceiling": (32,), "ours": (1, 8, 16, 32)}
        rows += compare(LARGE, large, some, given, 1)
    options.output.mkdir(parents=True, exist_ok=True)
    with open(options.output / "engine.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    draw(rows, options.output / "engine.png")
    print(f"\nwritten to {options.output}: engine.csv, engine.png")


if __name__ == "__main__":
    main()
