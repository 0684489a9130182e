"""Memory of a generation job, from plain numbers; imports no llama.cpp, so that rules may ask."""

from collections.abc import Mapping

MEGABYTE = 1 << 20
OVERHEAD_MB = 700  # interpreter, libraries, compute buffers
LARGEST_DEFAULT_ROWS = 32  # more rows gain little on CPUs


def kv_bytes_per_position(metadata: Mapping[str, str]) -> int:
    """Bytes of one position of one row in the KV cache (16-bit keys and values), from GGUF metadata.

    Layers with a head count of their own (lists in the metadata) count one by one. Models with
    recurrent layers need less than this; with nothing but those, 0.

    Raises:
        KeyError: the metadata does not say how many layers there are.
    """
    architecture = metadata["general.architecture"]

    def value(name: str, default: str | None = None) -> str:
        key = f"{architecture}.{name}"
        found = metadata.get(key, default)
        if found is None:
            raise KeyError(key)
        return found

    layers = int(value("block_count"))
    heads = int(value("attention.head_count", "0").strip("[]").split(",")[0])
    if not heads:
        return 0  # recurrent layers only: a state of fixed size
    default_length = str(int(value("embedding_length")) // heads)
    lengths = int(value("attention.key_length", default_length)) + int(
        value("attention.value_length", default_length)
    )
    kv_heads = [int(n) for n in value("attention.head_count_kv", str(heads)).strip("[]").split(",")]
    total_heads = kv_heads[0] * layers if len(kv_heads) == 1 else sum(kv_heads)
    return 2 * total_heads * lengths


def memory_needed_mb(*, kv_bytes: int, rows: int, positions: int, file_bytes: int, vocabulary: int) -> int:
    """Megabytes of a job: weights, KV cache, logits, shared prompts and parked conversations."""
    kv = kv_bytes * positions * rows
    cached = cache_bytes(kv_bytes, rows, positions)
    logits = 4 * vocabulary * rows
    return OVERHEAD_MB + -(-(kv + cached + logits + file_bytes) // MEGABYTE)


def cache_bytes(kv_bytes: int, rows: int, positions: int) -> int:
    """Bytes for prompts kept to be shared and for conversations between their turns."""
    return kv_bytes * positions * rows // 2
