"""Continuous batching: many questions' method generators feed one context whose rows are kept full.

What makes the text of a call independent of the schedule (measured on llama.cpp, see the tests):

- every row has its own KV stream, and rows are the contiguous sequences 0 .. n-1;
- a prompt except its last token is prefilled alone, in chunks that start at multiples of CHUNK;
- the last prompt token and every generated token are decode rows;
- a shared prompt is copied from cells that hold nothing else, and only at the borders of chunks;
- a batch has a width of the model's row class (see ``probe``); past SINGLE_ROW_POSITIONS a lone row is
  decoded on one thread or beside a row of padding;
- a conversation that may go on is parked as bytes and restored, never prefilled again;
- draws come from the call's own stream of uniforms;
- what a session remembers is noted in the order of asking, never in the order of finishing.
"""

import heapq
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from reasonaudit.conversation import Ask
from reasonaudit.engine.calls import Call, OpenSession, Progress, Session
from reasonaudit.engine.cells import SINGLE_ROW_POSITIONS, Cells
from reasonaudit.engine.llama import Context, Model
from reasonaudit.engine.prompt_cache import CHUNK
from reasonaudit.engine.rows import EVERY_WIDTH, RowClass
from reasonaudit.engine.sampling import draw
from reasonaudit.engine.templates import ChatTemplate
from reasonaudit.engine.vocabulary import Vocabulary, decode_bytes
from reasonaudit.errors import ModelError

__all__ = ["CHUNK", "SINGLE_ROW_POSITIONS", "Call", "Engine", "Progress", "Session"]

CACHE_BYTES = 1 << 30


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
        expected: positions that rows are expected to need (all by default); changes no text.
        cache_bytes: host memory for prompts to share and parked conversations; changes no text.
        context_type: makes contexts; tests put their own here.
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
        expected: int | None = None,
        cache_bytes: int = CACHE_BYTES,
        context_type: type = Context,
    ):
        self._template, self._vocabulary, self._context_length = template, vocabulary, context_length
        self._ends = vocabulary.end_of_generation
        self._queue: list[tuple[int, int, Call]] = []  # earliest session first, then order of asking
        self.progress = Progress()
        self._cells = Cells(
            model,
            context_length=context_length,
            expected=min(expected or context_length, context_length),
            n_parallel=n_parallel,
            threads=threads,
            row_class=row_class,
            share=share_prompts,
            cache_bytes=cache_bytes,
            progress=self.progress,
            context_type=context_type,
        )

    def run(
        self, sessions: Iterable[Session], on_progress: Callable[[Progress], None] | None = None
    ) -> Iterator[tuple[tuple, list[Call]]]:
        """Yield (key, calls in the order asked) of each session as it finishes.

        Args:
            sessions: in the order in which they are admitted.
            on_progress: called after every decoded batch.

        Raises:
            ModelError: a template that refuses a conversation, or a model that gives no finite logits.
        """
        waiting = (OpenSession(session, order) for order, session in enumerate(sessions))
        while True:
            yield from self._fill_rows(waiting)
            active, logits = self._cells.decode()
            if not active:
                return
            ended = [call for call, row in zip(active, logits, strict=True) if self._advance(call, row)]
            self.progress.generated_tokens += len(active)
            for call in ended:
                self._cells.end(call)
                if self._finish(call):
                    yield self._close(call.session)
            if on_progress:
                on_progress(self.progress)

    def _fill_rows(self, waiting: Iterator[OpenSession]) -> Iterator[tuple[tuple, list[Call]]]:
        """Start calls while rows are free: of open sessions first, then of the next ones."""
        while self._cells.has_free_row:
            if not self._queue:
                session = next(waiting, None)
                if session is None:
                    return
                if self._ask(session, None):
                    yield self._close(session)
                continue
            call = heapq.heappop(self._queue)[2]
            if len(call.prompt) < self._context_length:
                self._cells.start(call)
                continue
            call.stop_reason = "context"
            if call.parked:
                call.session.parked[call.ask.conversation] = call.parked
            if self._finish(call):
                yield self._close(call.session)

    def _ask(self, session: OpenSession, replies) -> bool:
        """Advance a generator and queue what it asks; True when it has ended."""
        asked: Ask | list[Ask] = []
        while not asked:
            try:
                asked = session.method.send(replies)
            except StopIteration:
                return True
            replies = []  # what a method gets that asked for nothing
        session.single = isinstance(asked, Ask)
        asked = [asked] if session.single else list(asked)
        names = [ask.conversation for ask in asked if ask.conversation is not None]
        if len(set(names)) < len(names):
            raise ValueError(f"one conversation is asked for twice at once: {', '.join(sorted(names))}")
        session.waiting = [self._call(session, ask) for ask in asked]
        session.missing = len(asked)
        return False

    def _call(self, session: OpenSession, ask: Ask) -> Call:
        prompt = np.array(self._template.encode(ask.messages, session.known(ask.conversation)), np.int32)
        if not len(prompt):
            raise ModelError(
                "a prompt has no tokens",
                where=f"session {session.key}, role {ask.role}",
                hint="the message is empty, and neither the template nor the model adds a token",
            )
        parked = session.parked.pop(ask.conversation, None)
        call = Call(session, ask, len(session.calls), prompt, parked)
        session.calls.append(call)
        heapq.heappush(self._queue, (session.order, call.index, call))
        self.progress.calls_asked += 1
        return call

    def _advance(self, call: Call, logits: np.ndarray) -> bool:
        """Sample a call's next token; True when the call has ended."""
        ask = call.ask
        token = draw(logits, ask.temperature, ask.top_p, call.uniform())
        call.generated.append(token)
        if token in self._ends or (call.stops and call.stops.found(self._vocabulary.piece(token))):
            call.stop_reason = "stop"
        elif len(call.generated) >= ask.max_tokens:
            call.stop_reason = "length"
        elif len(call.prompt) + len(call.generated) >= self._context_length:
            call.stop_reason = "context"
        return call.stop_reason is not None

    def _finish(self, call: Call) -> bool:
        """Record the end of a call; when all that was asked is there, ask on. True at the session's end."""
        session = call.session
        body = self._body(call)
        call.text = decode_bytes(call.stops.before(b"".join(map(self._vocabulary.piece, body))))
        call.release()
        self.progress.calls_done += 1
        session.missing -= 1
        if session.missing:
            return False
        for other in session.waiting:
            if not other.stops:  # with stop texts, the text is not all that the ids spell
                session.remember(other, self._body(other))
        replies = [other.reply() for other in session.waiting]
        return self._ask(session, replies[0] if session.single else replies)

    def _body(self, call: Call) -> list[int]:
        """Generated ids without the end-of-generation token."""
        ids = call.generated
        return ids[:-1] if ids and ids[-1] in self._ends else ids

    def _close(self, session: OpenSession) -> tuple[tuple, list[Call]]:
        for parked in session.parked.values():
            self._cells.forget(parked)
        session.parked.clear()
        return session.key, session.calls
