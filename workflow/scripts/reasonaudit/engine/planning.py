"""How many rows fit into the memory that a generation job is granted."""

from reasonaudit.engine.llama import Model
from reasonaudit.engine.memory import LARGEST_DEFAULT_ROWS, kv_bytes_per_position, memory_needed_mb
from reasonaudit.engine.rows import EVERY_WIDTH, RowClass
from reasonaudit.errors import ContextError


def plan_rows(
    model: Model,
    *,
    n_parallel: int | None,
    context_length: int,
    positions: int,
    file_bytes: int,
    granted_mb: int | None,
    row_class: RowClass = EVERY_WIDTH,
) -> int:
    """Rows to decode together: what the config says, or as many (up to 32) as the memory granted allows.

    Args:
        n_parallel: from the config; None plans it.
        context_length: from the config.
        positions: positions that a row is expected to need, at most ``context_length``.
        file_bytes: size of the model file.
        granted_mb: memory granted to the job; None is no limit.
        row_class: rows that only pad need cells too.

    Raises:
        ContextError: the rows asked for do not fit, or the context is longer than the model's.
    """
    if context_length > model.trained_context > 0:
        raise ContextError(
            f"context_length {context_length} is longer than the {model.trained_context} positions "
            "that the model was trained for",
            where=model.name,
            hint=f"set context_length to at most {model.trained_context}",
        )
    positions = min(positions, context_length)
    kv_bytes = kv_bytes_per_position(model.metadata)

    def needed(rows: int) -> int:
        return memory_needed_mb(
            kv_bytes=kv_bytes,
            rows=row_class.width(rows),
            positions=positions,
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
            f"{rows} rows of {positions} positions need {needed(rows)} MB, "
            f"but the job was granted {granted_mb} MB",
            where=model.name,
            hint=f"set {suggestion} for this model, or grant more memory (resources: mem_mb)",
        )
    return rows
