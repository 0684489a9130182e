"""Self-consistency: many independent chains of thought, the most common answer wins.

Wang et al., "Self-Consistency Improves Chain of Thought Reasoning in Language Models" (ICLR 2023).
The chains are the pool from which the whole baseline curve is read, so the method stops at sampling;
each chain is one answer, and the vote belongs to the analysis.
"""

from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet
from reasonaudit.methods.sampling import sampled

PROMPTS = ("system", "solve")
DEFAULTS = {}


def self_consistency(question: str, prompts: PromptSet, settings: dict) -> Method:
    """``pool_size`` chains at the sampling temperature; chain i is the same in a larger pool."""
    opening = prompts.opening(question)
    yield [
        Ask(opening, **sampled(settings), seed_offset=i, role="sample", sample_index=i)
        for i in range(settings["pool_size"])
    ]


def replies_in_longest_prompt(settings: dict) -> int:
    """No prompt holds a reply."""
    return 0
