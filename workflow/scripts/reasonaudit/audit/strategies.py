"""How the votes of a judge on one sample become one decision.

    any        at least one yes
    majority   more yes than no among the verdicts present; missing ones are left out
    all        every vote is yes; a missing verdict counts as rejection

``credited`` is the counterfactual of the majority that bounds what length stops do: a judgement that
was stopped before its verdict counts as an approval, and the sample is approved where
yes + stopped > no.
"""

from collections.abc import Sequence

from reasonaudit.errors import GateError

STRATEGIES = ("any", "majority", "all")


def approved(verdicts: Sequence[str], strategy: str) -> bool:
    """Whether ``verdicts`` (yes, no, missing) of one sample approve it.

    Raises:
        GateError: the sample has no judgement at all; it is never approved by default.
        ValueError: unknown strategy.
    """
    if not verdicts:
        raise GateError(
            "a sample has no judgement", hint="every judged sample needs its votes; run the judge again"
        )
    yes, no = verdicts.count("yes"), verdicts.count("no")
    return bool(decide(yes, no, len(verdicts), strategy))


def decide(yes, no, votes, strategy: str):
    """The same from counts; works on numbers and on arrays."""
    if strategy == "any":
        return yes >= 1
    if strategy == "majority":
        return yes > no
    if strategy == "all":
        return yes == votes
    raise ValueError(f"unknown strategy {strategy!r}; known: {', '.join(STRATEGIES)}")


def credit_stopped(yes, no, stopped, strategy: str, votes):
    """The decision if every judgement stopped by length had been an approval."""
    return decide(yes + stopped, no, votes, strategy)
