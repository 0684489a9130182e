"""How fast a model runs on this machine: measured for a few seconds, or a rule of thumb by its size."""

import json
from dataclasses import dataclass
from pathlib import Path

# Billions of weights times tokens a second and thread, on CPUs of a few years' age (8- and 4-bit
# files, many rows decoded together; prompts in chunks).
DECODE_PER_THREAD = 7.0
PREFILL_PER_THREAD = 14.0
GPU_FACTOR = 30.0  # layers on a GPU
DEFAULT_SIZE_B = 1.0


@dataclass(frozen=True)
class Speed:
    """Tokens a second with ``rows`` rows, seconds to load, and what memory depends on.

    Args:
        source: ``measured`` or ``by size``.
        kv_bytes: bytes of a cached position; file_bytes, vocabulary: of the model.
    """

    decode: float
    prefill: float
    load_seconds: float
    kv_bytes: int
    file_bytes: int
    vocabulary: int
    source: str


def model_speed(path: str | Path, *, size_b: float | None, threads: int, gpu: bool = False) -> Speed:
    """The measured speed where there is one, else a guess from the size."""
    return stored_speed(path, threads=threads) or speed_by_size(size_b, threads=threads, gpu=gpu)


def stored_speed(path: str | Path, *, threads: int) -> Speed | None:
    """What ``measure_speed`` wrote, scaled to another number of threads; None where there is nothing."""
    try:
        stored = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    scale = threads / stored["threads"]
    return Speed(
        decode=stored["decode_tokens_per_s"] * scale,
        prefill=stored["prefill_tokens_per_s"] * scale,
        load_seconds=stored["load_s"],
        kv_bytes=stored["kv_bytes_per_position"],
        file_bytes=stored["file_bytes"],
        vocabulary=stored["vocabulary_size"],
        source="measured",
    )


def speed_by_size(size_b: float | None, *, threads: int, gpu: bool = False) -> Speed:
    """A guess from the number of parameters (in billions)."""
    size = size_b or DEFAULT_SIZE_B
    factor = GPU_FACTOR if gpu else threads
    return Speed(
        decode=DECODE_PER_THREAD * factor / size,
        prefill=PREFILL_PER_THREAD * factor / size,
        load_seconds=5 + 2 * size,
        kv_bytes=round(32768 * max(1.0, size / 2)),
        file_bytes=round(1.1e9 * size),
        vocabulary=150_000,
        source="by size",
    )
