"""One measurement of one engine, in a process of its own: ``python benchmarks/engines.py NAME JSON``.

What the engines and their work are is said in ``engine.py``, which starts these processes.
"""

import hashlib
import json
import os
import resource
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "workflow" / "scripts"))

CONTEXT, TEMPERATURE = 1024, 0.7
STEADY_CACHE = 32 << 20  # bytes of shared prompts: full soon, so that what still grows is a leak


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


def resident_mb() -> float:
    """Memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / (1 << 20)


# --- one measurement: {"tokens", "seconds", "prompt_tokens", "texts"} and more ---


def one_by_one(given: dict) -> dict:
    from llama_cpp import Llama, llama_perf_context

    llama = Llama(
        given["file"],
        n_ctx=CONTEXT,
        n_threads=given["threads"],
        n_threads_batch=given["threads"],
        verbose=False,
    )
    started, tokens, texts = time.perf_counter(), 0, []
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
        ended = reply["choices"][0]["finish_reason"] == "stop"
        tokens += reply["usage"]["completion_tokens"] + ended  # the end token is sampled, but not counted
        texts.append(reply["choices"][0]["message"]["content"])
    seconds = time.perf_counter() - started
    computed = llama_perf_context(llama.ctx).n_p_eval
    return {"tokens": tokens, "seconds": seconds, "prompt_tokens": computed, "texts": texts}


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
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {
        "seconds": time.perf_counter() - started,
        "tokens": sum(reply["usage"]["completion_tokens"] for reply in replies),
        "prompt_tokens": sum(reply["timings"]["prompt_n"] for reply in replies),
        "texts": [reply["choices"][0]["message"]["content"] for reply in replies],
    }


def ceiling(given: dict) -> dict:
    """Nothing but llama_decode: each prompt once (only where it differs from the first), then full batches.

    As many tokens as ``given["tokens"]``, in replies of the mean length; none is sampled.
    """
    import numpy as np

    from reasonaudit.engine.llama import Context, Model
    from reasonaudit.engine.prompt_cache import CHUNK, chunks, common_prefix
    from reasonaudit.engine.templates import ChatTemplate
    from reasonaudit.engine.vocabulary import Vocabulary

    model = Model(given["file"])
    template = ChatTemplate(Vocabulary(model), model.chat_template())
    prompts = [np.array(template.encode(messages), np.int32) for messages in work(given)[:: given["pool"]]]
    rows = given["n_parallel"]
    length = round(given["tokens"] / len(prompts) / given["pool"])
    cells = max(map(len, prompts)) + length
    context = Context(model, rows=rows, cells=cells, threads=given["threads"], chunk=CHUNK)
    started, computed, state = time.perf_counter(), 0, None
    for prompt in prompts:
        have = 0
        if state is not None:
            have = common_prefix(prompt, prompts[0])
            context.restore(0, state)
            context.trim(0, have)
        for start, end in chunks(have, len(prompt)):
            context.prefill(0, prompt[start:end], start)
        computed += len(prompt) - have
        state = context.save(0) if state is None else state
    tokens, first = np.full(rows, prompts[0][-1], np.int32), len(prompts[0])
    batches = -(-given["tokens"] // rows)
    for batch in range(batches):
        if batch % length == 0:
            for row in range(rows):
                context.restore(row, state)
        context.decode(tokens, np.full(rows, first + batch % length, np.int32))
    seconds = time.perf_counter() - started
    return {"tokens": batches * rows, "seconds": seconds, "prompt_tokens": computed, "texts": None}


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
        **({"cache_bytes": STEADY_CACHE} if given.get("steady") else {}),
    )
    asked, pool = work(given), given["pool"]

    def method(messages):
        yield [
            Ask(tuple(messages), TEMPERATURE, given["max_tokens"], i, "sample", sample_index=i)
            for i in range(pool)
        ]

    questions, memory = asked[::pool], []
    started = time.perf_counter()
    sessions = (Session((i,), method(m), i << 16) for i, m in enumerate(questions))
    note = (lambda _: memory.append(resident_mb())) if given.get("steady") else None
    done = dict(engine.run(sessions, note))
    seconds, progress = time.perf_counter() - started, engine.progress
    half = len(memory) // 2
    return {
        "tokens": progress.generated_tokens,
        "seconds": seconds,
        "prompt_tokens": progress.computed_prompt_tokens,
        "texts": [call.text for i in range(len(questions)) for call in done[i,]],
        "outside_llama_cpp": 1 - (progress.decode_seconds + progress.prefill_seconds) / seconds,
        **({"grown_mb": max(memory[half:]) - max(memory[:half])} if memory else {}),
    }


ENGINES = {"one_by_one": one_by_one, "server": server, "ceiling": ceiling, "ours": ours}


def main(engine: str, given: dict) -> None:
    """Print the numbers, and a digest in place of the texts."""
    result = ENGINES[engine](given)
    texts = result.pop("texts")
    digest = texts and hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:12]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    found = {"tokens": result.pop("tokens"), "digest": digest, "peak_mb": peak, **result}
    print("\n" + json.dumps(found), flush=True)
    os._exit(0)  # the server's threads need not be waited for


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
