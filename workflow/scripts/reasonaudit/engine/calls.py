"""Sessions and calls: what the scheduler keeps of each question while its method runs."""

import time
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from reasonaudit.conversation import Ask, Method, Reply
from reasonaudit.engine.sampling import uniforms
from reasonaudit.engine.stops import StopTexts
from reasonaudit.seeds import add_offset


@dataclass(frozen=True)
class Session:
    """One question under one method: its generator and the seed of its calls."""

    key: tuple
    method: Method
    seed: int


@dataclass(frozen=True)
class Parked:
    """A conversation between two of its turns: tokens, their cells, and how many were prefilled afresh."""

    tokens: np.ndarray
    pristine: int
    state: np.ndarray


class Call:
    """One model call and all that is recorded of it.

    Args:
        index: place in the order of asking within the session.
        prompt: token ids.
        parked: the conversation that the call goes on with.

    Attributes:
        generated: sampled token ids, the end-of-generation token included.
        stop_reason: stop, length or context; None while it runs.
        text: the reply, once it has ended.
        pristine: positions of the row that were prefilled afresh; None before the call starts.
    """

    def __init__(self, session: "OpenSession", ask: Ask, index: int, prompt: np.ndarray, parked=None):
        self.session, self.ask, self.index, self.prompt, self.parked = session, ask, index, prompt, parked
        self.seed = add_offset(session.seed, ask.seed_offset)
        self.stops = StopTexts(ask.stop)
        self.generated: list[int] = []
        self.stop_reason: str | None = None
        self.text = ""
        self.pristine: int | None = None
        self._uniforms: np.ndarray | None = None

    def uniform(self) -> float:
        """The number that draws the next token."""
        if self.ask.temperature == 0:
            return 0.0
        if self._uniforms is None:
            self._uniforms = uniforms(self.seed, self.ask.max_tokens)
        return self._uniforms[len(self.generated)]

    @property
    def token(self) -> int:
        """The token to decode next: the last of the prompt, then the last one generated."""
        return self.generated[-1] if self.generated else self.prompt[-1]

    @property
    def position(self) -> int:
        """The position of that token."""
        return len(self.prompt) - 1 + len(self.generated)

    @property
    def held(self) -> np.ndarray:
        """Tokens in the row's cells: the prompt and all generated tokens but the last."""
        return np.concatenate([self.prompt, np.array(self.generated[:-1], np.int32)])

    def release(self) -> None:
        """Drop what a finished call no longer needs."""
        self._uniforms = self.parked = None

    def reply(self) -> Reply:
        """What the method gets."""
        return Reply(
            text=self.text,
            token_ids=tuple(self.generated),
            prompt_tokens=len(self.prompt),
            completion_tokens=len(self.generated),
            stop_reason=self.stop_reason,
        )


class OpenSession:
    """A session that has been admitted.

    Attributes:
        calls: every call so far, in the order of asking.
        waiting: the calls asked for last; ``missing`` of them have not ended.
        single: whether the method asked for one call and not a list.
        parked: conversation -> its cells between two turns.
    """

    def __init__(self, session: Session, order: int):
        self.key, self.method, self.seed, self.order = session.key, session.method, session.seed, order
        self.calls: list[Call] = []
        self.waiting: list[Call] = []
        self.missing = 0
        self.single = True
        self.parked: dict[str, Parked] = {}
        self._known: dict[str | None, dict[str, list[int]]] = {None: {}}

    def known(self, conversation: str | None) -> Mapping[str, list[int]]:
        """Text of a reply -> the ids it was generated with; those of the same conversation first."""
        return ChainMap(self._known.get(conversation, {}), self._known[None])

    def remember(self, call: Call, ids: list[int]) -> None:
        """Note the ids of a reply. Called in the order of asking, so that equal texts have fixed ids."""
        if call.text:
            self._known.setdefault(call.ask.conversation, {}).setdefault(call.text, ids)
            self._known[None].setdefault(call.text, ids)


@dataclass
class Progress:
    """Counters that the log and the benchmark read."""

    calls_asked: int = 0
    calls_done: int = 0
    prompt_tokens: int = 0
    computed_prompt_tokens: int = 0
    generated_tokens: int = 0
    decode_seconds: float = 0.0
    prefill_seconds: float = 0.0
    started: float = field(default_factory=time.monotonic)
