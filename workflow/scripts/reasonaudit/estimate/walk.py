"""The calls that a method makes for one question, found by running it with invented replies.

Methods are generators, so that a dry run of one is the method itself: the replies here are of a given
length and say what leads to the longest way through (judged wrong, never the same answer twice, lists
as long as they may be). Counts are therefore upper bounds for methods that may stop early.
"""

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reasonaudit.conversation import Ask, Reply
from reasonaudit.methods.prompts import PromptSet

# Characters a token, over the tokenizers of open models; languages that are not here are like English.
CHARACTERS_PER_TOKEN = {
    "ja": 1.3,
    "zh": 1.3,
    "ko": 1.3,
    "th": 1.5,
    "te": 1.2,
    "bn": 1.3,
    "ru": 2.3,
    "ar": 2.0,
}
LIKE_ENGLISH = 3.5
QUESTION_CHARACTERS = {"ja": 120, "zh": 90}  # a word problem of a few sentences
QUESTION_LIKE_ENGLISH = 250
TEMPLATE_TOKENS = 6  # what a chat template puts around a message


@dataclass(frozen=True)
class Walk:
    """What one question costs, in tokens.

    Args:
        calls: model calls.
        prompt: tokens of all prompts.
        computed: prompt tokens that are new to the question: beyond what an earlier prompt holds.
        shared: tokens of ``computed`` that all questions share (system prompt and exemplars).
        generated: tokens generated with replies of the given share of their limit.
        limit: tokens generated if every reply is as long as it may be.
        longest: tokens of the longest conversation with replies at their limits, and room for a
            tokenizer that needs twice as many tokens.
    """

    calls: int
    prompt: int
    computed: int
    shared: int
    generated: int
    limit: int
    longest: int


def walk_method(
    module: str,
    prompts: PromptSet,
    settings: Mapping,
    roles: Mapping[str, Mapping],
    *,
    language: str,
    share: float,
) -> Walk:
    """Run a method on an invented question.

    Args:
        module: its module in reasonaudit.methods.
        prompts: its prompts in the questions' language.
        settings: complete settings, as generation takes them.
        roles: role (or * for all) -> changed settings.
        language: of the questions.
        share: length of a reply as a share of its limit.
    """
    code = importlib.import_module(f"reasonaudit.methods.{module}")
    rate = CHARACTERS_PER_TOKEN.get(language, LIKE_ENGLISH)
    question = "?" * QUESTION_CHARACTERS.get(language, QUESTION_LIKE_ENGLISH)
    method = getattr(code, module)(question, prompts, dict(settings))
    before = prompts.opening(question)[:-1]
    shared = round(len(_written(before)) / rate) + TEMPLATE_TOKENS * len(before)
    seen: list[str] = []
    prompt = computed = generated = limit = first = largest = calls = 0
    replies = None
    while True:
        try:
            asked = method.send(replies)
        except StopIteration:
            break
        several = [asked] if isinstance(asked, Ask) else asked
        answered = []
        for ask in several:
            changed = roles.get("*", {}) | roles.get(ask.role, {})
            most = changed.get("max_tokens", ask.max_tokens)
            text = _written(ask.messages)
            known = max((_shared_start(text, other) for other in seen), default=0)
            if text not in seen:
                seen.append(text)
            around = TEMPLATE_TOKENS * len(ask.messages)
            tokens = round(len(text) / rate) + around
            prompt += tokens
            computed += max(1, tokens - round(known / rate)) if known < len(text) else 1
            generated += max(1, round(most * share))
            limit += most
            first = first or tokens
            largest = max(largest, most)
            answered.append(_reply(calls, round(most * share), rate))
            calls += 1
        replies = answered[0] if isinstance(asked, Ask) else answered
    # The same bound as that by which a job plans its rows.
    longest = 2 * first + (code.replies_in_longest_prompt(dict(settings)) + 1) * largest
    return Walk(calls, prompt, computed, shared, generated, limit, longest)


def walk_judge(
    prompt: str, *, language: str, samples: int, votes: int, max_tokens: int, chain_tokens: int, share: float
) -> Walk:
    """What judging the samples of one question costs: each is read once and voted on several times."""
    rate = CHARACTERS_PER_TOKEN.get(language, LIKE_ENGLISH)
    question = QUESTION_CHARACTERS.get(language, QUESTION_LIKE_ENGLISH)
    read = round((len(prompt) + question) / rate) + chain_tokens + TEMPLATE_TOKENS
    calls = samples * votes
    return Walk(
        calls=calls,
        prompt=read * calls,
        computed=read * samples + calls - samples,
        shared=0,
        generated=max(1, round(max_tokens * share)) * calls,
        limit=max_tokens * calls,
        longest=2 * (read - chain_tokens) + round(chain_tokens / max(share, 0.1)) + max_tokens,
    )


def read_prompts(given: Mapping) -> PromptSet:
    """The prompts of a method, as generation is given them: paths, exemplars (file or None), shots, boxed."""
    examples = []
    if given["shots"] and given["exemplars"]:
        lines = Path(given["exemplars"]).read_text(encoding="utf-8").splitlines()
        examples = [json.loads(line) for line in lines if line.strip()][: given["shots"]]
    return PromptSet.from_files(given["paths"], examples, boxed=given["boxed"])


def _written(messages) -> str:
    return "".join(message["content"] for message in messages)


def _shared_start(one: str, other: str) -> int:
    """Characters that two texts have in common from the start."""
    return next(
        (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _reply(number: int, tokens: int, rate: float) -> Reply:
    """A reply that sends every method the longest way."""
    head = f"INCORRECT\nBEST=1\nANSWER: {number}\n"
    items = "".join(f"{item}. part {item}-{number}\n" for item in range(1, 9))
    text = head + items
    length = round(tokens * rate)
    return Reply(text + "x" * max(0, length - len(text)), (), 0, tokens, "stop")
