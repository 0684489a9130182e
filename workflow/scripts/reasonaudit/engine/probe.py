"""Which batch widths give a row the same logits to the last bit.

On most models a row's logits do not depend on how many rows share the batch. Some weight formats
have kernels that take rows in groups: rows of a full group and left-over rows are rounded
differently, and so are narrow and wide batches. Then every batch is padded to a width of one class:
at least ``least`` rows and a multiple of ``multiple``.
"""

from dataclasses import dataclass

import numpy as np

from reasonaudit.engine.llama import Context, Model
from reasonaudit.engine.rows import RowClass
from reasonaudit.engine.scheduler import CHUNK, SINGLE_ROW_POSITIONS
from reasonaudit.errors import ModelError

WIDTHS = (1, 2, 3, 4, 5, 7, 8, 9, 12, 14, 16, 17, 32)
POSITIONS = (40, 300, 1100)
TOKENS_TRIED = 12  # at each width, position and thread count; a third of them tells groups apart


@dataclass(frozen=True)
class RowProbe:
    """Result of the probe: the class, and each width tried with whether it equalled the widest."""

    row_class: RowClass
    positions: tuple[int, ...]
    threads: tuple[int, ...]
    equal: dict[int, bool]


def probe_rows(model: Model, *, threads: int, context_length: int) -> RowProbe:
    """Decode random tokens behind one prefix in batches of many widths, and compare with the widest.

    Tried at several cached positions, with one thread and with ``threads``. A single row is compared
    only below the position from which the scheduler never decodes one alone.

    Raises:
        ModelError: no class of widths gives equal bits.
    """
    positions = tuple(p for p in POSITIONS if p + 2 <= context_length) or (context_length - 2,)
    thread_counts = tuple(sorted({threads, 1}, reverse=True))
    widest, equal = WIDTHS[-1], dict.fromkeys(WIDTHS, True)
    random = np.random.Generator(np.random.PCG64(0))
    prefix = random.integers(0, model.vocabulary_size, max(positions)).astype(np.int32)
    tokens = random.integers(0, model.vocabulary_size, widest).astype(np.int32)
    states: dict[int, np.ndarray] = {}
    references: dict[int, np.ndarray] = {}
    for thread_count in thread_counts:
        context = Context(model, rows=widest, cells=max(positions) + 2, threads=thread_count, chunk=CHUNK)
        for position in positions:
            if position not in states:
                states[position] = _prefilled(context, prefix[:position])
            for row in range(widest):
                context.restore(row, states[position])
            for width in reversed(WIDTHS):
                if width == 1 and position >= SINGLE_ROW_POSITIONS:
                    continue
                for batch in range(-(-TOKENS_TRIED // width)):
                    # Each batch starts at another token, so that tokens stand at all places of a group.
                    chosen = (np.arange(width) + batch * width) % widest
                    logits = context.decode(tokens[chosen], np.full(width, position))
                    if position not in references:
                        references[position] = logits.copy()
                    if not np.array_equal(logits, references[position][chosen]):
                        equal[width] = False
                    for row in range(width):
                        context.trim(row, position)
        context.close()
    return RowProbe(_smallest_class(equal), positions, thread_counts, equal)


def _smallest_class(equal: dict[int, bool]) -> RowClass:
    for multiple in (1, 2, 4, 8, 16, 32):
        for least in sorted(width for width in equal if width % multiple == 0):
            if all(equal[width] for width in equal if width >= least and width % multiple == 0) and (
                multiple == max(equal) or sum(w >= least and w % multiple == 0 for w in equal) > 1
            ):
                return RowClass(least, multiple)
    raise ModelError(
        "the model's logits differ between batches of equal width", hint="try another quantisation"
    )


def _prefilled(context: Context, tokens: np.ndarray) -> np.ndarray:
    context.clear(0)
    for start in range(0, len(tokens), CHUNK):
        context.prefill(0, tokens[start : start + CHUNK], start)
    return context.save(0)
