"""How much memory a generation job needs, and how many rows fit into what it is granted."""

from collections.abc import Mapping

from reasonaudit.engine.llama import Model
from reasonaudit.errors import ContextError

MEGABYTE = 1 << 20
LARGEST_DEFAULT_ROWS = 32  # more rows gain little on CPUs
OVERHEAD_MB = 700  # interpreter, libraries, compute buffers


def kv_bytes_per_position(metadata: Mapping[str, str]) -> int:
    """Bytes of one position of one row in the KV cache (16-bit keys and values), from GGUF metadata.

    Layers with a head count of their own (lists in the metadata) count one by one. Models with
    recurrent layers need less than this.

    Raises:
        KeyError: the metadata does not describe attention heads.
    """
    architecture = metadata["general.architecture"]

    def value(name: str, default: str | None = None) -> str:
        key = f"{architecture}.{name}"
        found = metadata.get(key, default)
        if found is None:
            raise KeyError(key)
        return found

    layers = int(value("block_count"))
    heads = int(value("attention.head_count").strip("[]").split(",")[0])
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
    parked = kv // 2  # conversations between turns and prompts kept to be shared
    logits = 4 * vocabulary * rows
    return OVERHEAD_MB + -(-(kv + parked + logits + file_bytes) // MEGABYTE)


def plan_rows(
    model: Model,
    *,
    n_parallel: int | None,
    context_length: int,
    positions: int,
    file_bytes: int,
    granted_mb: int | None,
) -> int:
    """Rows to decode together: what the config says, or as many (up to 32) as the memory granted allows.

    Args:
        n_parallel: from the config; None plans it.
        context_length: from the config.
        positions: positions that a row is expected to need, at most ``context_length``.
        file_bytes: size of the model file.
        granted_mb: memory granted to the job; None is no limit.

    Raises:
        ContextError: the rows asked for do not fit, or the context is longer than the model's.
    """
    if context_length > model.trained_context > 0:
        raise ContextError(
            f"context_length {context_length} is longer than the model was trained for ({model.trained_context})",
            where=model.name,
            hint=f"set context_length to at most {model.trained_context}",
        )
    kv_bytes = kv_bytes_per_position(model.metadata)

    def needed(rows: int) -> int:
        return memory_needed_mb(
            kv_bytes=kv_bytes,
            rows=rows,
            positions=min(positions, context_length),
            file_bytes=file_bytes,
            vocabulary=model.vocabulary_size,
        )

    if granted_mb is None:
        return n_parallel or LARGEST_DEFAULT_ROWS
    fitting = [rows for rows in range(1, LARGEST_DEFAULT_ROWS + 1) if needed(rows) <= granted_mb]
    rows = n_parallel or max(fitting, default=1)
    if needed(rows) > granted_mb:
        suggestion = f"n_parallel {max(fitting)}" if fitting else "a smaller context_length"
        raise ContextError(
            f"{rows} rows of {min(positions, context_length)} positions need {needed(rows)} MB, "
            f"but the job was granted {granted_mb} MB",
            where=model.name,
            hint=f"set {suggestion} for this model, or grant more memory (resources: mem_mb)",
        )
    return rows
