"""An engine's parts without a model, which notice every difference in how a row was computed.

A cell holds a digest of all cells before it, its token, and the way it was computed: the chunk it stood in
when it was prefilled, or the kernel of its batch when it was decoded. Logits come from the digest. So two
schedules give the same tokens only if every row was computed in the same way.
"""

import hashlib
from collections.abc import Sequence

import numpy as np

from reasonaudit.engine.scheduler import Engine, Session
from reasonaudit.errors import ModelError

END, USER, ASSISTANT, TWIN = 256, 257, 258, 259  # TWIN spells "a", as does the byte itself
SIZE = 260
_ALPHABET = [*range(97, 123), 32, 46, TWIN, END]


def _split_over_threads(place: int, width: int, position: int, threads: int) -> bool:
    return width == 1 and position >= 256 and threads > 1


class FakeModel:
    """What the engine reads of a model.

    Args:
        trims: whether cells can be trimmed (recurrent models cannot).
        kernel: (place in the batch, width of the batch, position, threads) -> name of the kernel that
            computes a row.
    """

    name, vocabulary_size, rope_depends_on_context = "fake.gguf", SIZE, False

    def __init__(self, *, trims: bool = True, kernel=None):
        self.trims = trims
        self.kernel = kernel or _split_over_threads
        self.contexts: list[FakeContext] = []


class FakeContext:
    """Rows of digests; refuses what llama.cpp would refuse or compute differently.

    Attributes:
        decoded: (rows with logits, padding rows, threads) of every batch.
        prefilled: tokens of every prefilled chunk.
    """

    def __init__(self, model: FakeModel, *, rows: int, cells: int, threads: int, chunk: int):
        self._model, self.cells, self._rows = model, -(-cells // 256) * 256, [[] for _ in range(rows)]
        self._threads = threads
        self.decoded: list[tuple[int, int, int]] = []
        self.prefilled: list[int] = []
        self.closed = False
        model.contexts.append(self)

    def _add(self, row: int, token: int, position: int, how: str) -> bytes:
        held = self._rows[row]
        assert position == len(held) < self.cells, (row, position, len(held), self.cells)
        before = held[-1] if held else b""
        held.append(hashlib.blake2b(before + f"{token} {how}".encode(), digest_size=16).digest())
        return held[-1]

    def prefill(self, row, tokens, start):
        assert 0 < len(tokens) <= 65
        self.prefilled.append(len(tokens))
        for place, token in enumerate(tokens):
            self._add(row, int(token), start + place, f"prefilled from {start}, {len(tokens)} together")

    def decode(self, tokens, positions, *, threads, padding=0, padding_logits=True):
        width = len(tokens) + padding
        assert threads <= self._threads
        self.decoded.append((len(tokens), padding, threads))
        assert width <= len(self._rows)
        assert not any(self._rows[row] for row in range(len(tokens), width))
        assert all(self._rows[row] or not positions[row] for row in range(len(tokens)))
        assert not any(self._rows[width:]), "a row that runs was left out of the batch"
        logits = np.full((len(tokens), SIZE), -50.0, np.float32)
        for row, (token, position) in enumerate(zip(tokens, positions, strict=True)):
            kernel = self._model.kernel(row, width, int(position), threads)
            digest = self._add(row, int(token), int(position), f"decoded {kernel}")
            seed = int.from_bytes(digest, "big")
            logits[row, _ALPHABET] = np.random.Generator(np.random.PCG64(seed)).normal(0, 2, len(_ALPHABET))
        return logits

    def save(self, row):
        return np.frombuffer(b"".join(self._rows[row]), np.uint8).copy()

    def restore(self, row, state):
        data = state.tobytes()
        self._rows[row] = [data[i : i + 16] for i in range(0, len(data), 16)]
        assert len(self._rows[row]) <= self.cells

    def clear(self, row):
        self._rows[row] = []

    def trim(self, row, length):
        if length == len(self._rows[row]):
            return True
        if self._model.trims:
            del self._rows[row][length:]
        return self._model.trims

    def close(self):
        self.closed = True


class FakeVocabulary:
    """Bytes, and a few control tokens."""

    size, end_of_generation = SIZE, frozenset([END])

    @staticmethod
    def piece(token: int) -> bytes:
        return b"a" if token == TWIN else bytes([token]) if token < 256 else b""


class FakeTemplate:
    """Role, content and an end mark for each message; then the assistant's turn."""

    def encode(self, messages, known=None) -> list[int]:
        ids: list[int] = []
        for message in messages:
            if message["content"] == "refused":
                raise ModelError("the chat template refuses the conversation: no such role")
            own = (known or {}).get(message["content"]) if message["role"] == "assistant" else None
            ids += [ASSISTANT if message["role"] == "assistant" else USER]
            ids += message["content"].encode() if own is None else own
            ids += [END]
        return [*ids, ASSISTANT]


def fake_engine(model: FakeModel | None = None, **settings) -> Engine:
    """An engine on a fake model; two threads, 16 rows and 2,048 positions unless told otherwise."""
    settings = {"context_length": 2048, "n_parallel": 16, "threads": 2, **settings}
    return Engine(
        model or FakeModel(),
        settings.pop("template", FakeTemplate()),
        FakeVocabulary(),
        context_type=FakeContext,
        **settings,
    )


def run_fake(sessions: Sequence[Session], model: FakeModel | None = None, **settings) -> dict:
    """Key of each session -> its calls, and nothing parked is left behind."""
    engine = fake_engine(model, **settings)
    done = dict(engine.run(sessions))
    assert engine._cells._parked_bytes == 0
    return done
