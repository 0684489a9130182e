"""What every verifier returns."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """A verifier's decision about one answer.

    Args:
        accepted: whether the answer counts as the gold.
        rule: what decided.
        timed_out: the comparison reached its limit of CPU time or memory; then it is not accepted, and
            the case is counted as a time-out.
    """

    accepted: bool
    rule: str
    timed_out: bool = False


NO_ANSWER = Verdict(False, "no_answer")
NO_GOLD = Verdict(False, "no_gold")


def missing(prediction: str | None, gold: str | None) -> Verdict | None:
    """The verdict where there is nothing to compare: an empty gold is a data error and earns nothing."""
    if gold is None or not gold.strip():
        return NO_GOLD
    if prediction is None or not prediction.strip():
        return NO_ANSWER
    return None
