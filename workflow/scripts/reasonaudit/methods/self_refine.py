"""Self-refine: a first solution, then rounds of critique and revision by the same model.

Madaan et al., "Self-Refine: Iterative Refinement with Self-Feedback" (NeurIPS 2023), at temperature 0
and without a stopping test, as in the equal-cost study.

The critique is the next turn after the solution that it reviews ("your solution above"). The revision
does not continue the critique: it is another turn after the same solution, with the feedback quoted in
it. With ``history: last`` a round starts from the question and the latest solution, which is what the
study must have done, since its longest runs would not have fitted 4,096 tokens otherwise;
``history: all`` keeps every earlier solution and its feedback, as the original method does.
"""

from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet, assistant, user
from reasonaudit.methods.sampling import greedy

PROMPTS = ("system", "solve", "critique", "revise")
DEFAULTS = {"rounds": 3, "history": "last"}
CHOICES = {"history": ("last", "all")}


def self_refine(question: str, prompts: PromptSet, settings: dict) -> Method:
    """1 + 2 ``rounds`` calls."""

    def ask(messages, call: int, role: str, round_: int) -> Ask:
        return Ask(
            messages,
            **greedy(settings),
            seed_offset=call,
            role=role,
            round=round_,
            conversation="solution",
        )

    opening = prompts.opening(question)
    solution = yield ask(opening, 0, "sample", 0)
    so_far = (*opening, assistant(solution.text))
    for r in range(1, settings["rounds"] + 1):
        critique = yield ask((*so_far, user(prompts.render("critique"))), 2 * r - 1, "critique", r)
        feedback = user(prompts.render("revise", feedback=critique.text.strip()))
        solution = yield ask((*so_far, feedback), 2 * r, "revise", r)
        before = (*so_far, feedback) if settings["history"] == "all" else opening
        so_far = (*before, assistant(solution.text))


def replies_in_longest_prompt(settings: dict) -> int:
    """A revision holds a solution and its feedback, of this round or of all."""
    rounds = settings["rounds"] if settings["history"] == "all" else 1
    return 2 * rounds
