"""Chain of thought: one greedy solution, written step by step.

Wei et al., "Chain-of-Thought Prompting Elicits Reasoning in Large Language Models" (NeurIPS 2022).
"""

from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet
from reasonaudit.methods.sampling import greedy

PROMPTS = ("system", "solve")
DEFAULTS = {}


def chain_of_thought(question: str, prompts: PromptSet, settings: dict) -> Method:
    """One call."""
    yield Ask(prompts.opening(question), **greedy(settings), seed_offset=0, role="sample")


def replies_in_longest_prompt(settings: dict) -> int:
    """No prompt holds a reply."""
    return 0
