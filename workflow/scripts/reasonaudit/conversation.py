"""What a method asks of a model and what it gets back; the only meeting point of methods and engine."""

from collections.abc import Generator
from dataclasses import dataclass

Message = dict[str, str]  # {"role": "system" | "user" | "assistant", "content": text}


@dataclass(frozen=True)
class Ask:
    """One model call.

    Args:
        messages: the whole conversation so far, oldest first.
        temperature: 0 is greedy (ties to the lowest token id).
        max_tokens: limit of generated tokens, the end-of-generation token included.
        seed_offset: added to the seed of (study, model, dataset, method, question, run).
        role: what the call is for: sample, critique, revise, judge, reflect, retry, agent, pick ...
        round: 0 for first attempts, then the number of the round.
        sample_index: which answer of the question the call belongs to (pools), else 0.
        top_p: nucleus; 1 keeps the whole distribution.
        conversation: a name, unique within the question, for a conversation whose later turns
            append to the cache of earlier ones; None for a call that nothing continues.
        stop: texts that end the reply (not part of the stored text).
    """

    messages: tuple[Message, ...]
    temperature: float
    max_tokens: int
    seed_offset: int
    role: str
    round: int = 0
    sample_index: int = 0
    top_p: float = 1.0
    conversation: str | None = None
    stop: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reply:
    """What the model wrote. ``stop_reason`` is stop, length or context.

    ``context`` with no tokens means the prompt did not fit and the call never started.
    """

    text: str
    token_ids: tuple[int, ...]
    prompt_tokens: int
    completion_tokens: int
    stop_reason: str


# A method: yields one Ask (gets one Reply) or a list of Asks (gets the list of Replies).
Method = Generator[Ask | list[Ask], Reply | list[Reply], None]
