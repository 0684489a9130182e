"""How fast a model runs here: a few seconds of decoding and of reading a prompt."""

import json
import time
from pathlib import Path

import numpy as np

from reasonaudit.engine.llama import Context, Model
from reasonaudit.engine.memory import LARGEST_DEFAULT_ROWS, kv_bytes_per_position
from reasonaudit.engine.scheduler import CHUNK

SECONDS = 2.0  # of each kind
CELLS = 512
SAMPLING = 0.92  # share of a step's time in decoding; the rest picks tokens


def measure_speed(
    *,
    model_file: str | Path,
    adapter_file: str | Path | None,
    n_parallel: int | None,
    gpu_layers: int,
    threads: int,
    output: str | Path,
) -> None:
    """Write tokens a second (decoding all rows, reading prompts), load time and sizes as JSON."""
    started = time.perf_counter()
    model = Model(model_file, gpu_layers=gpu_layers, lora=adapter_file)
    loaded = time.perf_counter() - started
    rows = min(n_parallel or LARGEST_DEFAULT_ROWS, LARGEST_DEFAULT_ROWS)
    context = Context(model, rows=max(rows, 2), cells=CELLS, threads=threads, chunk=CHUNK)
    random = np.random.Generator(np.random.PCG64(0))
    tokens = random.integers(0, model.vocabulary_size, CELLS).astype(np.int32)

    def prefill() -> int:
        context.clear(0)
        for start in range(0, CELLS // 2, CHUNK):
            context.prefill(0, tokens[start : start + CHUNK], start)
        return CELLS // 2

    depth = 0

    def decode() -> int:
        nonlocal depth
        if depth == CELLS - 1:
            depth = 0
        if depth == 0:
            for row in range(rows):
                context.clear(row)
        context.decode(tokens[:rows], np.full(rows, depth))
        depth += 1
        return rows

    record = {
        "decode_tokens_per_s": round(_rate(decode) * SAMPLING, 2),
        "prefill_tokens_per_s": round(_rate(prefill), 2),
        "load_s": round(loaded, 2),
        "rows": rows,
        "threads": threads,
        "kv_bytes_per_position": kv_bytes_per_position(model.metadata),
        "file_bytes": Path(model_file).stat().st_size,
        "vocabulary_size": model.vocabulary_size,
    }
    context.close()
    path = Path(output)
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    temporary.replace(path)


def _rate(step) -> float:
    """Tokens a second of a step that returns its tokens; the first run warms up."""
    step()
    tokens, started = 0, time.perf_counter()
    while True:
        tokens += step()
        passed = time.perf_counter() - started
        if passed >= SECONDS:
            return tokens / passed
