"""Tokens of prompts that an earlier call of the same question already held."""

from collections.abc import Sequence

import numpy as np

from reasonaudit.engine.prompt_cache import common_prefix


def cached_prompt_tokens(prompts: Sequence[Sequence[int]], completions: Sequence[Sequence[int]]) -> list[int]:
    """Longest prefix that each call's prompt shares with an earlier call of the same question and method.

    A function of the conversations alone: what the engine really reused depends on the schedule and
    goes to the log. An earlier call holds its prompt followed by its completion.

    Args:
        prompts: token ids of every call's prompt, in the order of asking.
        completions: token ids that each call generated.

    Returns:
        One length in tokens per call; the first is 0.
    """
    shared: list[int] = []
    earlier: list[np.ndarray] = []
    for prompt, completion in zip(prompts, completions, strict=True):
        prompt = np.asarray(prompt, np.int32)
        shared.append(max((common_prefix(prompt, held) for held in earlier), default=0))
        earlier.append(np.concatenate([prompt, np.asarray(completion, np.int32)]))
    return shared
