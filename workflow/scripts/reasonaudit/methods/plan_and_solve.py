"""Plan-and-solve: one greedy solution that first understands the problem and devises a plan.

Wang et al., "Plan-and-Solve Prompting: Improving Zero-Shot Chain-of-Thought Reasoning by Large
Language Models" (ACL 2023).
"""

from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet
from reasonaudit.methods.sampling import greedy

PROMPTS = ("system", "solve", "plan_and_solve")
DEFAULTS = {}


def plan_and_solve(question: str, prompts: PromptSet, settings: dict) -> Method:
    """One call. Exemplars, if any, are plain solutions."""
    opening = prompts.opening(question, "plan_and_solve")
    yield Ask(opening, **greedy(settings), seed_offset=0, role="sample")


def replies_in_longest_prompt(settings: dict) -> int:
    """No prompt holds a reply."""
    return 0
