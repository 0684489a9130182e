"""Reflexion: attempt, judge yourself, and only if the judgement is bad, reflect and try again.

Shinn et al., "Reflexion: Language Agents with Verbal Reinforcement Learning" (NeurIPS 2023), with the
model as its own evaluator and at temperature 0, as in the equal-cost study. Nothing here knows the
gold: a loop that stops when the answer is right would leak it.

One conversation holds an attempt, its judgement and the reflection on both (the reflection sees the
trajectory and its evaluation). A retry starts afresh from the question and the memory of reflections.
No judgement follows the last retry, since nothing would depend on it: 2, 5, 8 or 10 calls for three
rounds. The judge's reply is stored as it is; a round beyond the first means that it did not say CORRECT.
"""

from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet, assistant, user
from reasonaudit.methods.reply_formats import read_judgement
from reasonaudit.methods.sampling import greedy

PROMPTS = ("system", "solve", "judge_self", "reflect", "retry")
DEFAULTS = {"rounds": 3, "memory": 3, "unreadable_judgement": "continue"}
CHOICES = {"unreadable_judgement": ("continue", "stop")}


def reflexion(question: str, prompts: PromptSet, settings: dict) -> Method:
    """2 calls if the first attempt is judged correct, 3 more a round, one fewer in the last.

    ``memory`` is how many of the latest reflections a retry reads. An unreadable judgement counts as
    INCORRECT (``continue``) or as CORRECT (``stop``).
    """
    rounds = settings["rounds"]
    satisfied = (True,) if settings["unreadable_judgement"] == "continue" else (True, None)

    def ask(messages, call: int, role: str, round_: int) -> Ask:
        return Ask(
            messages, **greedy(settings), seed_offset=call, role=role, round=round_, conversation="attempt"
        )

    opening = prompts.opening(question)
    attempt = yield ask(opening, 0, "sample", 0)
    reflections = []
    for r in range(1, rounds + 1):
        judged = (*opening, assistant(attempt.text), user(prompts.render("judge_self")))
        judgement = yield ask(judged, 3 * r - 2, "judge", r - 1)
        if read_judgement(judgement.text) in satisfied:
            return
        reflected = (*judged, assistant(judgement.text), user(prompts.render("reflect")))
        reflection = yield ask(reflected, 3 * r - 1, "reflect", r)
        reflections.append(reflection.text.strip())
        memory = "\n\n".join(reflections[-settings["memory"] :])
        opening = prompts.opening(question, "retry", reflections=memory)
        attempt = yield ask(opening, 3 * r, "retry", r)


def replies_in_longest_prompt(settings: dict) -> int:
    """A reflection holds the retry's memory, the attempt and its judgement."""
    return min(settings["memory"], max(settings["rounds"] - 1, 0)) + 2
