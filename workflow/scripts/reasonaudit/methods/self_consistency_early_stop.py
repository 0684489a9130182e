"""Self-consistency that stops early: sample until the leading answer is unlikely to be overtaken.

Aggarwal et al., "Let's Sample Step by Step: Adaptive-Consistency for Efficient Reasoning and Coding
with LLMs" (EMNLP 2023), with its Beta rule: with v1 votes for the leading answer and v2 for the second,
stop when P(p1 > p2) = P(X > 1/2), X ~ Beta(v1 + 1, v2 + 1), exceeds the threshold. (Their limit is 40
samples; the default here is the pool of the equal-cost study, beyond which no baseline exists.)
"""

from collections import Counter
from fractions import Fraction
from math import comb

from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet
from reasonaudit.methods.reply_formats import answer_key, read_answer
from reasonaudit.methods.sampling import sampled

PROMPTS = ("system", "solve")
DEFAULTS = {"max_samples": 16, "threshold": 0.95}
RANGES = {"threshold": (0.5, 0.9999)}


def self_consistency_early_stop(question: str, prompts: PromptSet, settings: dict) -> Method:
    """As many samples as the rule wants, at most ``max_samples``. Unreadable replies do not vote.

    Samples are asked for together as long as the rule could not fire between them, so what is sampled
    is exactly what one by one would give.
    """
    opening = prompts.opening(question)
    votes = Counter()
    drawn = 0
    while more := _samples_to_stop(votes, settings["threshold"], settings["max_samples"] - drawn):
        replies = yield [
            Ask(opening, **sampled(settings), seed_offset=i, role="sample", sample_index=i)
            for i in range(drawn, drawn + more)
        ]
        drawn += more
        answers = (read_answer(reply.text) for reply in replies)
        votes.update(answer_key(answer) for answer in answers if answer is not None)


def probability_of_lead(first: int, second: int) -> Fraction:
    """P(X > 1/2) for X ~ Beta(first + 1, second + 1), exactly.

    For whole parameters the Beta tail is a binomial one: P(X > 1/2) = P(Bin(first + second + 1, 1/2)
    <= first).
    """
    n = first + second + 1
    return Fraction(sum(comb(n, j) for j in range(first + 1)), 2**n)


def _samples_to_stop(votes: Counter, threshold: float, limit: int) -> int:
    """The fewest further samples, at most ``limit``, after which the rule can hold: all for the leader."""
    top = [count for _, count in votes.most_common(2)]
    first, second = (*top, 0, 0)[:2]
    more = 0
    while more < limit and probability_of_lead(first + more, second) <= Fraction(threshold):
        more += 1
    return more


def replies_in_longest_prompt(settings: dict) -> int:
    """No prompt holds a reply."""
    return 0
