"""Which call stands in which row, and how its prompt gets there: computed, copied, or resumed."""

import time

import numpy as np

from reasonaudit.engine.calls import Call, Parked, Progress
from reasonaudit.engine.llama import Context, Model
from reasonaudit.engine.prompt_cache import CHUNK, PromptCache, chunks, common_prefix
from reasonaudit.engine.rows import RowClass

SINGLE_ROW_POSITIONS = 256  # past it, attention of a single row is split over the threads


class LoneRow:
    """How a single row is decoded past SINGLE_ROW_POSITIONS: on one thread, or beside a row of padding.

    Both give the same bits (the probe compares them). Which is faster depends on the model, the machine and
    the position, so both are tried for a few steps, and again after many.
    """

    TRIES, STEPS = 4, 256

    def __init__(self):
        self._step, self._fastest = 0, {}  # fastest: padded -> seconds

    @property
    def padded(self) -> bool:
        """Whether the next step is to have a row of padding."""
        if self._step < 2 * self.TRIES:
            return self._step >= self.TRIES
        return self._fastest[True] < self._fastest[False]

    def took(self, seconds: float) -> None:
        """Note what that step took."""
        padded = self.padded
        self._fastest[padded] = min(seconds, self._fastest.get(padded, seconds))
        self._step += 1
        if self._step == self.STEPS:
            self._step, self._fastest = 0, {}


class Cells:
    """The rows of one context.

    Args:
        context_length: positions a row may ever use.
        expected: positions that rows are expected to need; the context grows past it only if it must.
        n_parallel: rows for calls.
        share: copy shared prompts instead of computing them again.
        cache_bytes: host memory for prompts to share and parked conversations. The latter are never
            dropped: cells written while generating differ in the last bits from those of a prefill.
        context_type: makes contexts; tests put their own here.
    """

    def __init__(
        self,
        model: Model,
        *,
        context_length: int,
        expected: int,
        n_parallel: int,
        threads: int,
        row_class: RowClass,
        share: bool,
        cache_bytes: int,
        progress: Progress,
        context_type: type = Context,
    ):
        self._model, self._context_length, self._expected = model, context_length, expected
        self._threads, self._row_class, self._share = threads, row_class, share
        self._context_type, self._context, self._progress = context_type, None, progress
        self._cache, self._parked_bytes = PromptCache(cache_bytes), 0
        self._rows: list[Call | None] = [None] * n_parallel
        self._lone_row = LoneRow()

    @property
    def has_free_row(self) -> bool:
        """Whether another call can start."""
        return None in self._rows

    # --- the life of a call ---

    def start(self, call: Call) -> None:
        """Put all of a call's prompt but the last token into the first free row."""
        started = time.monotonic()
        self._reserve(min(len(call.prompt) + call.ask.max_tokens, self._context_length))
        row = self._rows.index(None)
        self._rows[row] = call
        body = call.prompt[:-1]
        have = self._resume(call, row, body)
        if have is None:
            have = self._copy_shared(row, body)
            call.pristine = len(body)
        for start, end in chunks(have, len(body)):
            self._context.prefill(row, body[start:end], start)
        if self._share and call.pristine == len(body) > have:
            self._cache.keep(body, self._context.save(row), self._parked_bytes)
        self._progress.prompt_tokens += len(call.prompt)
        self._progress.computed_prompt_tokens += len(call.prompt) - have
        self._progress.prefill_seconds += time.monotonic() - started

    def decode(self) -> tuple[list[Call], np.ndarray]:
        """One step of every active call: the calls in the order of their rows, and their logits."""
        self._compact()
        active = [call for call in self._rows if call]
        if not active:
            return active, np.empty((0, 0), np.float32)
        positions = [call.position for call in active]
        width, threads = self._row_class.width(len(active)), self._threads
        lone = width == 1 and threads > 1 and positions[0] >= SINGLE_ROW_POSITIONS
        if lone:
            width, threads = (2, threads) if self._lone_row.padded else (1, 1)
        started = time.monotonic()
        logits = self._context.decode(
            np.array([call.token for call in active], np.int32),
            np.array(positions, np.int32),
            threads=threads,
            padding=width - len(active),
            padding_logits=not lone,  # beside a lone row, a fifth of a small model's work
        )
        seconds = time.monotonic() - started
        if lone:
            self._lone_row.took(seconds)
        self._progress.decode_seconds += seconds
        return active, logits

    def end(self, call: Call) -> None:
        """Free the row of a call at once; a conversation is parked."""
        row = self._rows.index(call)
        name = call.ask.conversation
        if name is not None:
            parked = Parked(call.held, call.pristine, self._context.save(row))
            call.session.parked[name] = parked
            self._parked_bytes += parked.state.size
        self._rows[row] = None
        self._context.clear(row)

    def forget(self, parked: Parked) -> None:
        """A parked conversation ended, or runs again."""
        self._parked_bytes -= parked.state.size

    # --- how a prompt gets into its row ---

    def _resume(self, call: Call, row: int, body: np.ndarray) -> int | None:
        """Restore the parked conversation that this call goes on with; positions kept, or None."""
        parked = call.parked
        if parked is None:
            return None
        self.forget(parked)
        common = common_prefix(parked.tokens, body)
        if len(body) - common == 1:
            common -= 1  # a chunk of one token would be a single row
        if common <= parked.pristine:
            return None  # nothing that was generated is kept, so it is a prompt like any other
        self._context.restore(row, parked.state)
        if common < len(parked.tokens) and not self._context.trim(row, common):
            return None
        call.pristine = parked.pristine
        return common

    def _copy_shared(self, row: int, body: np.ndarray) -> int:
        """Copy the longest usable beginning of an earlier prompt into an emptied row; positions copied."""
        have, state = self._cache.find(body) if self._share else (0, None)
        if have:
            self._context.restore(row, state)
            if self._context.trim(row, have):
                return have
        self._context.clear(row)
        return 0

    def _compact(self) -> None:
        """Move the last rows into gaps: the rows of a batch must be contiguous from 0."""
        while None in self._rows:
            gap = self._rows.index(None)
            last = max((i for i, call in enumerate(self._rows) if call), default=-1)
            if last < gap:
                return
            self._context.restore(gap, self._context.save(last))
            self._context.clear(last)
            self._rows[gap], self._rows[last] = self._rows[last], None

    def _reserve(self, cells: int) -> None:
        """Make sure that rows hold ``cells`` positions; grow the context, keeping what rows hold."""
        old, states = self._context, {}
        if old and cells <= old.cells:
            return
        if self._model.rope_depends_on_context:
            cells = self._context_length
        if old:
            states = {row: old.save(row) for row, call in enumerate(self._rows) if call}
            cells = max(cells, min(2 * old.cells, self._expected))
            old.close()
        rows = self._row_class.width(max(len(self._rows), 2))
        self._context = self._context_type(
            self._model, rows=rows, cells=cells, threads=self._threads, chunk=CHUNK
        )
        for row, state in states.items():
            self._context.restore(row, state)
