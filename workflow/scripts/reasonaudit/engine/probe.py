"""Which batch widths give a row the same logits to the last bit.

On most models a row's logits do not depend on how many rows share the batch. Some weight formats
have kernels that take rows in groups: rows of a full group and left-over rows are rounded
differently now and then, and so are narrow and wide batches. Then every batch is padded to a width of
one class: at least ``least`` rows and a multiple of ``multiple``.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reasonaudit.engine.cells import SINGLE_ROW_POSITIONS
from reasonaudit.engine.llama import Context, Model
from reasonaudit.engine.prompt_cache import CHUNK, chunks
from reasonaudit.engine.rows import RowClass
from reasonaudit.errors import ModelError

WIDTHS = (1, 2, 3, 4, 5, 7, 8, 9, 12, 14, 16, 17, 18, 32)
# Only one token in three shows the difference, so each place of a batch is tried with several: cached
# positions -> tokens a place, widest batch. Kernels that take rows in groups do not look at the
# positions, and long rows take memory.
PLACES = {40: (8, 32), 300: (4, 16), 1100: (2, 9)}


@dataclass(frozen=True)
class RowProbe:
    """Result of the probe: the class, and each width tried with whether it equalled the widest."""

    row_class: RowClass
    positions: tuple[int, ...]
    threads: tuple[int, ...]
    equal: dict[int, bool]


def probe_rows(model: Model, *, threads: int, context_length: int) -> RowProbe:
    """Decode tokens behind one prefix in batches of many widths, and compare with the widest.

    Tried at several cached positions, with one thread and with ``threads``. Past SINGLE_ROW_POSITIONS a
    single row is compared on one thread only, as it is never decoded alone on more.

    Raises:
        ModelError: no class of widths gives equal bits.
    """
    positions = tuple(p for p in PLACES if p + 2 <= context_length) or (context_length - 2,)
    thread_counts = tuple(sorted({threads, 1}, reverse=True))
    random = np.random.Generator(np.random.PCG64(0))
    prefix = random.integers(0, model.vocabulary_size, max(positions)).astype(np.int32)
    equal = dict.fromkeys(WIDTHS, True)
    for position in positions:
        places, widest = PLACES.get(position, (4, WIDTHS[-1]))
        tokens = random.integers(0, model.vocabulary_size, max(widest, 2 * places)).astype(np.int32)
        state = reference = None
        for thread_count in thread_counts:
            context = Context(model, rows=widest, cells=position + 2, threads=thread_count, chunk=CHUNK)
            if state is None:
                state = _prefilled(context, prefix[:position])
            for row in range(widest):
                context.restore(row, state)
            if reference is None:
                reference = _reference(context, tokens, widest, position)
            for width in WIDTHS:
                split = width == 1 and thread_count > 1 and position >= SINGLE_ROW_POSITIONS
                if width > widest or split:
                    continue
                tried = places if thread_count == thread_counts[0] else -(-places // 4)
                equal[width] &= _equals(context, tokens, width, position, tried, reference)
            context.close()
    return RowProbe(smallest_class(equal), positions, thread_counts, equal)


def smallest_class(equal: Mapping[int, bool]) -> RowClass:
    """The class with the smallest width, then the smallest multiple, all of whose widths were equal.

    Raises:
        ModelError: there is none.
    """
    for least in sorted(equal):
        for multiple in (1, 2, 4, 8, 16):
            widths = [width for width in equal if width >= least and width % multiple == 0]
            # A class is seen in two widths at least, and starts at one of its own.
            if least in widths and len(widths) > 1 and all(equal[width] for width in widths):
                return RowClass(least, multiple)
    raise ModelError(
        "the model's logits differ between batches of different width", hint="try another quantisation"
    )


def _reference(context: Context, tokens: np.ndarray, width: int, position: int) -> np.ndarray:
    """Logits of all tokens in batches of one width; the last batch is filled up with the first tokens."""
    logits = []
    for start in range(0, len(tokens), width):
        chosen = np.arange(start, start + width) % len(tokens)
        logits.append(_logits(context, tokens[chosen], position).copy())
    return np.concatenate(logits)[: len(tokens)]


def _equals(
    context: Context, tokens: np.ndarray, width: int, position: int, tried: int, reference: np.ndarray
) -> bool:
    """Whether batches of a width give the logits of the reference, ``tried`` tokens at each place."""
    for batch in range(tried):
        # Odd steps through the tokens bring new ones to each place, in the left-over part as well.
        chosen = (np.arange(width) + batch * (width | 1)) % len(tokens)
        if not np.array_equal(_logits(context, tokens[chosen], position), reference[chosen]):
            return False
    return True


def _logits(context: Context, tokens: np.ndarray, position: int) -> np.ndarray:
    logits = context.decode(tokens, np.full(len(tokens), position, np.int32))
    for row in range(len(tokens)):
        context.trim(row, position)
    return logits


def _prefilled(context: Context, tokens: np.ndarray) -> np.ndarray:
    context.clear(0)
    for start, end in chunks(0, len(tokens)):
        context.prefill(0, tokens[start:end], start)
    return context.save(0)
