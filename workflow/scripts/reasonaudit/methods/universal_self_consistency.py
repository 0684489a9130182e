"""Universal self-consistency: sample N solutions, then the model picks the most consistent one.

Chen et al., "Universal Self-Consistency for Large Language Model Generation" (2023). Like Best-of-N,
but the model is asked for agreement among the candidates, not for correctness, and chooses greedily.
"""

from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet, user
from reasonaudit.methods.sampling import greedy, sampled

PROMPTS = ("system", "solve", "candidate", "pick_consistent")
DEFAULTS = {"samples": 8}
RANGES = {"samples": (2, 256)}


def universal_self_consistency(question: str, prompts: PromptSet, settings: dict) -> Method:
    """``samples`` + 1 calls. The pick has no system prompt; ``BEST=<n>`` is the sample n - 1."""
    n = settings["samples"]
    opening = prompts.opening(question)
    candidates = yield [
        Ask(opening, **sampled(settings), seed_offset=i, role="sample", sample_index=i) for i in range(n)
    ]
    solutions = "\n\n".join(
        prompts.render("candidate", number=number, solution=candidate.text.strip())
        for number, candidate in enumerate(candidates, start=1)
    )
    pick = user(prompts.render("pick_consistent", question=question, solutions=solutions))
    yield Ask((pick,), **greedy(settings), seed_offset=n, role="pick", round=1)


def replies_in_longest_prompt(settings: dict) -> int:
    """The pick holds every candidate."""
    return settings["samples"]
