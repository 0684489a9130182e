"""The engine on a real model, for tests marked ``model``."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reasonaudit.conversation import Ask
from reasonaudit.engine.llama import Model
from reasonaudit.engine.rows import EVERY_WIDTH, RowClass
from reasonaudit.engine.scheduler import Engine, Session
from reasonaudit.engine.templates import ChatTemplate
from reasonaudit.engine.vocabulary import Vocabulary
from reasonaudit.seeds import derive_seed

QUESTIONS = (
    "Tom has 3 apples and buys 4 more. How many apples has he now?",
    "What is 12 times 3?",
    "A farmer has 10 cows and sells 3 of them. How many cows are left? Explain every step of it.",
    "Count to five.",
)


@dataclass(frozen=True)
class Loaded:
    """A model with its vocabulary and template."""

    file: Path
    model: Model
    vocabulary: Vocabulary
    template: ChatTemplate
    row_class: RowClass = EVERY_WIDTH

    def run(self, sessions: Sequence[Session], *, n_parallel=5, threads=2, context_length=2048, **more):
        """Key -> calls, and the engine's counters."""
        engine = Engine(
            self.model,
            more.pop("template", self.template),
            self.vocabulary,
            context_length=context_length,
            n_parallel=n_parallel,
            threads=threads,
            row_class=more.pop("row_class", self.row_class),
            **more,
        )
        return dict(engine.run(sessions)), engine.progress

    def ids(self, sessions: Sequence[Session], **settings) -> dict:
        """Key -> token ids of each call."""
        done, _ = self.run(sessions, **settings)
        return {key: [tuple(call.generated) for call in calls] for key, calls in done.items()}


def load(file: Path, *, plain_format: str | None = None, row_class: RowClass = EVERY_WIDTH) -> Loaded:
    """Load a model for tests."""
    model = Model(file)
    vocabulary = Vocabulary(model)
    template = ChatTemplate(vocabulary, model.chat_template(), plain_format=plain_format)
    return Loaded(file, model, vocabulary, template, row_class)


def user(text: str) -> dict[str, str]:
    """A user's message."""
    return {"role": "user", "content": text}


def session(name: str, method) -> Session:
    """A session whose seed follows from its name."""
    return Session((name,), method, derive_seed(name))


def pool(text: str, size: int, max_tokens: int = 14, temperature: float = 0.7, **more):
    """Samples of one question, asked together."""
    yield [
        Ask((user(text),), temperature, max_tokens, i, "sample", sample_index=i, **more) for i in range(size)
    ]


def turns(text: str, count: int, max_tokens: int = 10, temperature: float = 0.7):
    """One conversation of several turns."""
    said = [user(text)]
    for turn in range(count):
        reply = yield Ask(tuple(said), temperature, max_tokens, turn, "agent", conversation="only")
        said += [{"role": "assistant", "content": reply.text}, user("Are you sure? Say it again.")]


def debate(text: str, agents: int = 2, rounds: int = 2, max_tokens: int = 10):
    """Agents that read each other's replies, each in a conversation of its own."""
    said = [[user(text)] for _ in range(agents)]
    for round_ in range(rounds):
        replies = yield [
            Ask(tuple(said[a]), 0.9, max_tokens, round_ * agents + a, "agent", conversation=f"agent-{a}")
            for a in range(agents)
        ]
        for agent, reply in enumerate(replies):
            other = replies[(agent + 1) % agents].text
            said[agent] += [{"role": "assistant", "content": reply.text}, user(f"Another says: {other}")]
