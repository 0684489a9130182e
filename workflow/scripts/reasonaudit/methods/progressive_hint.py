"""Progressive hints: ask again with the earlier answers as hints, until two answers in a row agree.

Zheng et al., "Progressive-Hint Prompting Improves Reasoning in Large Language Models" (2023), at
temperature 0. Every call is a fresh conversation with the question and all earlier answers.
"""

from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet
from reasonaudit.methods.reply_formats import answer_key, read_answer
from reasonaudit.methods.sampling import greedy

PROMPTS = ("system", "solve", "hint")
DEFAULTS = {"rounds": 5}


def progressive_hint(question: str, prompts: PromptSet, settings: dict) -> Method:
    """1 call without a hint, then at most ``rounds`` with hints.

    An unreadable reply ends it, because it adds no hint: the next call would repeat the last one.
    """
    reply = yield Ask(prompts.opening(question), **greedy(settings), seed_offset=0, role="sample")
    hints = []
    for r in range(1, settings["rounds"] + 1):
        answer = read_answer(reply.text)
        if answer is None or (hints and answer_key(answer) == answer_key(hints[-1])):
            return
        hints.append(answer)
        opening = prompts.opening(question, "hint", hints=", ".join(hints))
        reply = yield Ask(opening, **greedy(settings), seed_offset=r, role="retry", round=r)


def replies_in_longest_prompt(settings: dict) -> int:
    """Hints are short answers; one whole reply is room for all of them."""
    return 1
