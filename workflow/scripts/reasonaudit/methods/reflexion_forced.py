"""Reflexion, forced: the reflect-and-retry rounds of Reflexion, always run and never judged.

The equal-cost study's own variant, not Shinn et al.'s: it asks whether the mechanism helps where the
published method would not have used it. An attempt and the reflection on it share a conversation; a
retry starts afresh from the question and the memory of reflections.
"""

from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet, assistant, user
from reasonaudit.methods.sampling import greedy

PROMPTS = ("system", "solve", "reflect", "retry")
DEFAULTS = {"rounds": 3, "memory": 3}


def reflexion_forced(question: str, prompts: PromptSet, settings: dict) -> Method:
    """1 + 2 ``rounds`` calls; ``memory`` is how many of the latest reflections a retry reads."""

    def ask(messages, call: int, role: str, round_: int) -> Ask:
        return Ask(
            messages, **greedy(settings), seed_offset=call, role=role, round=round_, conversation="attempt"
        )

    opening = prompts.opening(question)
    attempt = yield ask(opening, 0, "sample", 0)
    reflections = []
    for r in range(1, settings["rounds"] + 1):
        reflected = (*opening, assistant(attempt.text), user(prompts.render("reflect")))
        reflection = yield ask(reflected, 2 * r - 1, "reflect", r)
        reflections.append(reflection.text.strip())
        memory = "\n\n".join(reflections[-settings["memory"] :])
        opening = prompts.opening(question, "retry", reflections=memory)
        attempt = yield ask(opening, 2 * r, "retry", r)


def replies_in_longest_prompt(settings: dict) -> int:
    """A retry holds the memory, or the last reflection holds the memory before it and the attempt."""
    rounds, memory = settings["rounds"], settings["memory"]
    return max(min(memory, rounds), min(memory, max(rounds - 1, 0)) + 1)
