"""Continuous batching: many questions' method generators feed one context whose rows are kept full.

What makes the text of a call independent of the schedule (measured on llama.cpp, see the tests):

- every row has its own KV stream, and rows are the contiguous sequences 0 .. n-1;
- a prompt except its last token is prefilled alone, in chunks that start at multiples of CHUNK;
- the last prompt token and every generated token are decode rows;
- a shared prompt is copied from cells that hold nothing else (pristine), and only at chunk borders;
- a batch has a width of the model's row class (see ``probe``), and at least two rows once a row is past
  SINGLE_ROW_POSITIONS;
- a conversation that may go on is parked as bytes and restored, never prefilled again;
- draws come from the call's own stream of uniforms.
"""

import heapq
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from reasonaudit.conversation import Ask, Method, Reply
from reasonaudit.engine.llama import Context, Model
from reasonaudit.engine.rows import EVERY_WIDTH, RowClass
from reasonaudit.engine.sampling import draw, uniforms
from reasonaudit.engine.templates import ChatTemplate
from reasonaudit.engine.vocabulary import Vocabulary, decode_bytes
from reasonaudit.seeds import add_offset

CHUNK = 64  # prompt tokens computed together; also the grain at which different prompts share
SINGLE_ROW_POSITIONS = 256  # past it, attention of a single row is split over threads
PRISTINE_BYTES = 1 << 30  # host memory for prompts kept to be shared


@dataclass(frozen=True)
class Session:
    """One question under one method: its generator and the seed of its calls."""

    key: tuple
    method: Method
    seed: int


@dataclass(eq=False)
class Call:
    """One model call and all that is recorded of it."""

    session: "_OpenSession"
    ask: Ask
    index: int
    prompt: np.ndarray  # token ids
    seed: int
    uniforms: np.ndarray | None = None
    generated: list[int] = field(default_factory=list)
    stop_reason: str | None = None
    text: str = ""

    @property
    def held(self) -> np.ndarray:
        """Tokens in the row's cells: the prompt and all generated tokens but the last."""
        return np.concatenate([self.prompt, np.array(self.generated[:-1], np.int32)])


@dataclass
class _Parked:
    """A conversation between two of its turns."""

    tokens: np.ndarray
    pristine: int  # length of the part that was prefilled for its first turn
    state: np.ndarray


class _OpenSession:
    def __init__(self, session: Session, order: int):
        self.key, self.method, self.seed, self.order = session.key, session.method, session.seed, order
        self.calls: list[Call] = []
        self.waiting: list[Call] = []  # what was asked last
        self.missing = 0  # how many of them have not ended
        self.single = True
        self.parked: dict[str, _Parked] = {}
        self.known: dict[str, list[int]] = {}  # text of a reply -> the ids it was generated with


@dataclass
class Progress:
    """Counters that the log and the benchmark read."""

    calls_done: int = 0
    prompt_tokens: int = 0
    computed_prompt_tokens: int = 0
    generated_tokens: int = 0
    decode_seconds: float = 0.0
    prefill_seconds: float = 0.0
    started: float = field(default_factory=time.monotonic)


class Engine:
    """Runs method generators on a model.

    Args:
        model: the loaded model.
        template: how conversations become prompts.
        context_length: positions a row may use; part of what decides text.
        n_parallel: rows decoded together; changes no text.
        threads: as granted; changes no text.
        row_class: widths of batches that give this model's rows the same bits.
        share_prompts: copy shared prompts instead of computing them again; changes no text.
    """

    def __init__(
        self,
        model: Model,
        template: ChatTemplate,
        vocabulary: Vocabulary,
        *,
        context_length: int,
        n_parallel: int,
        threads: int,
        row_class: RowClass = EVERY_WIDTH,
        share_prompts: bool = True,
    ):
        self._model, self._template, self._vocabulary = model, template, vocabulary
        self._context_length, self._n_parallel, self._threads = context_length, n_parallel, threads
        self._row_class, self._share = row_class, share_prompts
        self._context: Context | None = None
        self._rows: list[Call | None] = []
        self._pristine: OrderedDict[bytes, tuple[np.ndarray, np.ndarray]] = OrderedDict()
        self._stops = vocabulary.end_of_generation
        self.progress = Progress()

    def run(
        self, sessions: Iterable[Session], on_progress: Callable[[Progress], None] | None = None
    ) -> Iterator[tuple[tuple, list[Call]]]:
        """Yield (key, calls in the order asked) of each session as it finishes.

        Args:
            sessions: in the order in which they are admitted.
            on_progress: called after every decoded batch.
        """
        waiting_sessions = iter(sessions)
        queue: list[tuple[int, int, Call]] = []  # earliest session first, then order of asking
        self._rows, order, exhausted = [None] * self._n_parallel, 0, False
        while True:
            while None in self._rows and (queue or not exhausted):
                if not queue:
                    session = next(waiting_sessions, None)
                    if session is None:
                        exhausted = True
                        continue
                    opened, order = _OpenSession(session, order), order + 1
                    if self._ask(opened, None, queue):
                        yield self._close(opened)
                    continue
                call = heapq.heappop(queue)[2]
                if self._fits(call):
                    self._start(call, self._rows.index(None))
                elif self._finish(call, "context", queue):
                    yield self._close(call.session)
            self._compact()
            active = [call for call in self._rows if call]
            if not active:
                break
            for row in self._step(active):
                call = active[row]
                self._park(call, row)
                self._rows[row] = None
                self._context.clear(row)
                if self._finish(call, call.stop_reason, queue):
                    yield self._close(call.session)
            if on_progress:
                on_progress(self.progress)

    # --- sessions and calls ---

    def _ask(self, session: _OpenSession, replies, queue: list) -> bool:
        """Advance a generator and queue what it asks; True when it has ended."""
        try:
            asked = session.method.send(replies)
        except StopIteration:
            return True
        session.single = isinstance(asked, Ask)
        session.waiting = []
        for ask in [asked] if session.single else asked:
            prompt = np.array(self._template.encode(ask.messages, session.known), np.int32)
            call = Call(session, ask, len(session.calls), prompt, add_offset(session.seed, ask.seed_offset))
            session.calls.append(call)
            session.waiting.append(call)
            heapq.heappush(queue, (session.order, call.index, call))
        session.missing = len(session.waiting)
        return not session.waiting and self._ask(session, [], queue)

    def _finish(self, call: Call, stop_reason: str, queue: list) -> bool:
        """Record the end of a call; when all that was asked is there, ask on. True at the session's end."""
        call.stop_reason = stop_reason
        session = call.session
        body = call.generated
        if stop_reason == "stop" and body and body[-1] in self._stops:
            body = body[:-1]
        data = b"".join(map(self._vocabulary.piece, body))
        call.text = decode_bytes(_before_stop(data, call.ask.stop))
        if call.text and not call.ask.stop:
            session.known.setdefault(call.text, body)
        self.progress.calls_done += 1
        session.missing -= 1
        if session.missing:
            return False
        replies = [_reply(other) for other in session.waiting]
        return self._ask(session, replies[0] if session.single else replies, queue)

    def _close(self, session: _OpenSession) -> tuple[tuple, list[Call]]:
        session.parked.clear()
        return session.key, session.calls

    def _fits(self, call: Call) -> bool:
        return len(call.prompt) < self._context_length

    # --- rows ---

    def _start(self, call: Call, row: int) -> None:
        """Put all of a call's prompt but the last token into a row."""
        started = time.monotonic()
        call.uniforms = uniforms(call.seed, call.ask.max_tokens) if call.ask.temperature > 0 else None
        self._reserve(min(len(call.prompt) + call.ask.max_tokens, self._context_length))
        self._rows[row] = call
        body = call.prompt[:-1]
        have = self._resume(call, row, body)
        fresh = have is None
        if fresh:
            have = self._copy_pristine(row, body) if self._share else 0
            if not have:
                self._context.clear(row)
        computed = len(body) - have
        for start, end in _chunks(have, len(body)):
            self._context.prefill(row, body[start:end], start)
        if fresh and computed and self._share:
            self._keep_pristine(body, row)
        self.progress.prompt_tokens += len(call.prompt)
        self.progress.computed_prompt_tokens += computed + 1
        self.progress.prefill_seconds += time.monotonic() - started

    def _resume(self, call: Call, row: int, body: np.ndarray) -> int | None:
        """Restore the parked conversation that this call goes on with; positions kept, or None."""
        parked = call.session.parked.get(call.ask.conversation) if call.ask.conversation else None
        if parked is None:
            return None
        common = _common_prefix(parked.tokens, body)
        if len(body) - common == 1:
            common -= 1  # a chunk of one token would be a single row
        if common <= parked.pristine:
            return None
        self._context.restore(row, parked.state)
        if common < len(parked.tokens) and not self._context.trim(row, common):
            return None
        return common

    def _park(self, call: Call, row: int) -> None:
        name = call.ask.conversation
        if name is None:
            return
        parked = call.session.parked.get(name)
        pristine = parked.pristine if parked else len(call.prompt) - 1
        call.session.parked[name] = _Parked(call.held, pristine, self._context.save(row))

    def _copy_pristine(self, row: int, body: np.ndarray) -> int:
        """Copy the longest usable prefix of an earlier prompt; positions copied."""
        same = body.tobytes()
        if same in self._pristine:
            self._pristine.move_to_end(same)
            self._context.restore(row, self._pristine[same][1])
            return len(body)
        best, best_key = 0, None
        for key, (tokens, _) in self._pristine.items():
            common = min(_common_prefix(tokens, body), _last_border(len(tokens)), _last_border(len(body)))
            common -= common % CHUNK
            if common > best:
                best, best_key = common, key
        if not best:
            return 0
        self._pristine.move_to_end(best_key)
        self._context.restore(row, self._pristine[best_key][1])
        return best if self._context.trim(row, best) else 0

    def _keep_pristine(self, body: np.ndarray, row: int) -> None:
        self._pristine[body.tobytes()] = (body, self._context.save(row))
        while (
            sum(state.size for _, state in self._pristine.values()) > PRISTINE_BYTES
            and len(self._pristine) > 1
        ):
            self._pristine.popitem(last=False)

    def _compact(self) -> None:
        """Move the last rows into gaps: the ids of a batch must be contiguous."""
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
        if self._context and cells <= self._context.cells:
            return
        old, states = self._context, {}
        if old:
            states = {row: old.save(row) for row, call in enumerate(self._rows) if call}
            old.close()
            cells = min(max(cells, 2 * old.cells), self._context_length)
        if self._model.rope_depends_on_context:
            cells = self._context_length
        rows = self._row_class.width(max(self._n_parallel, 2))
        self._context = Context(self._model, rows=rows, cells=cells, threads=self._threads, chunk=CHUNK)
        for row, state in states.items():
            self._context.restore(row, state)

    # --- decoding ---

    def _step(self, active: list[Call]) -> list[int]:
        """Decode one token for every active row; rows whose call has ended."""
        tokens = [call.generated[-1] if call.generated else call.prompt[-1] for call in active]
        positions = [len(call.prompt) - 1 + len(call.generated) for call in active]
        least = 2 if max(positions) >= SINGLE_ROW_POSITIONS else 1
        padding = self._row_class.width(max(len(active), least)) - len(active)
        started = time.monotonic()
        logits = self._context.decode(
            np.array(tokens + [tokens[0]] * padding, np.int32), np.array(positions + [0] * padding, np.int32)
        )
        self.progress.decode_seconds += time.monotonic() - started
        for row in range(len(active), len(active) + padding):
            self._context.clear(row)
        ended = []
        for row, call in enumerate(active):
            ask, place = call.ask, len(call.generated)
            uniform = call.uniforms[place] if call.uniforms is not None else 0.0
            token = draw(logits[row], ask.temperature, ask.top_p, uniform)
            call.generated.append(token)
            call.stop_reason = self._stop_reason(call, token)
            if call.stop_reason:
                ended.append(row)
        self.progress.generated_tokens += len(active)
        return ended

    def _stop_reason(self, call: Call, token: int) -> str | None:
        if token in self._stops:
            return "stop"
        if call.ask.stop and _has_stop(self._tail(call), call.ask.stop):
            return "stop"
        if len(call.generated) >= call.ask.max_tokens:
            return "length"
        if len(call.prompt) + len(call.generated) >= self._context_length:
            return "context"
        return None

    def _tail(self, call: Call) -> bytes:
        """Bytes of the last tokens, enough to hold any stop text that ends in the newest token."""
        need = max(len(stop.encode()) for stop in call.ask.stop)
        data, new = b"", len(self._vocabulary.piece(call.generated[-1]))
        for token in reversed(call.generated):
            data = self._vocabulary.piece(token) + data
            if len(data) >= need + new:
                break
        return data


def _chunks(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Chunk borders from ``start``; the last chunk is never a single token behind a full one."""
    while start < end:
        stop = end if end - start <= CHUNK + 1 else start + CHUNK
        yield start, stop
        start = stop


def _last_border(length: int) -> int:
    """Where the last chunk of a fresh prompt of this length starts, or its end if that is a full chunk."""
    if length % CHUNK == 1:
        return max(length - 1 - CHUNK, 0)
    return length - length % CHUNK


def _reply(call: Call) -> Reply:
    return Reply(
        text=call.text,
        token_ids=tuple(call.generated),
        prompt_tokens=len(call.prompt),
        completion_tokens=len(call.generated),
        stop_reason=call.stop_reason,
    )


def _has_stop(data: bytes, stops: tuple[str, ...]) -> bool:
    return any(stop.encode() in data for stop in stops)


def _before_stop(data: bytes, stops: tuple[str, ...]) -> bytes:
    places = [place for stop in stops if (place := data.find(stop.encode())) >= 0]
    return data[: min(places)] if places else data


def _common_prefix(a: np.ndarray, b: np.ndarray) -> int:
    length = min(len(a), len(b))
    differing = np.flatnonzero(a[:length] != b[:length])
    return int(differing[0]) if len(differing) else length
