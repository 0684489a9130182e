"""Best-of-N with self-verification: sample N solutions, then the model picks one.

The pick sees the question and all candidates, without the system prompt and the exemplars, and is
asked to reply ``BEST=<n>``. The answer of the method is the picked candidate's, never the vote
(scoring it by the vote is the mistake that the equal-cost study found in its own code).
"""

import hashlib

from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet, user
from reasonaudit.methods.sampling import sampled

PROMPTS = ("system", "solve", "candidate", "pick")
DEFAULTS = {"samples": 8, "permute_candidates": False}
RANGES = {"samples": (2, 256)}
# The permuted variant must show the same candidates as the plain one, so this keeps its seeds.
SEED_NEUTRAL = ("permute_candidates",)


def best_of_n(question: str, prompts: PromptSet, settings: dict) -> Method:
    """``samples`` + 1 calls: the candidates, then the pick.

    With ``permute_candidates`` the same candidates (the same seeds) are shown in another order, which
    depends on the question alone. ``sample_index`` is always the place where a candidate is shown,
    counted from 0: the reply ``BEST=<n>`` means the sample with index n - 1 in either case.
    """
    n = settings["samples"]
    order = shown_order(question, n) if settings["permute_candidates"] else range(n)
    opening = prompts.opening(question)
    candidates = yield [
        Ask(opening, **sampled(settings), seed_offset=offset, role="sample", sample_index=place)
        for place, offset in enumerate(order)
    ]
    solutions = "\n\n".join(
        prompts.render("candidate", number=number, solution=candidate.text.strip())
        for number, candidate in enumerate(candidates, start=1)
    )
    pick = user(prompts.render("pick", question=question, solutions=solutions))
    yield Ask((pick,), **sampled(settings), seed_offset=n, role="pick", round=1)


def shown_order(question: str, n: int) -> list[int]:
    """A permutation of 0 .. n - 1 that follows from the question's text alone."""

    def rank(i: int) -> bytes:
        return hashlib.sha256(f"{i}\n{question}".encode()).digest()

    return sorted(range(n), key=rank)


def replies_in_longest_prompt(settings: dict) -> int:
    """The pick holds every candidate."""
    return settings["samples"]
