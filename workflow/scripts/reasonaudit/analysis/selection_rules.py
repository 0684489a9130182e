"""Choosing one answer among the samples of a question, alone or with the help of sibling languages.

No rule sees a gold. Every rule chooses among the classes of the target language only, so nothing is ever
borrowed from a sibling. The idea is the target-local aggregation of "Multilingual Verifier Bias in RLVR",
which says only that one exponent alpha weights the siblings' support; the formula here is this project's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reasonaudit.errors import GateError

Votes = dict[str, int]  # class -> number of samples, classes in the order of their first sample
_TIE = 1e-9  # scores of equal value may differ by rounding (sqrt 2 + sqrt 8 against sqrt 18)


@dataclass(frozen=True)
class Rule:
    """How to choose.

    Args:
        name: as it stands in the tables.
        support: None for the local majority; ``sum`` or ``mean`` of the siblings' weighted votes.
        alpha: exponent of a sibling's votes for a class.
        min_siblings: a choice other than the local majority needs the support of this many siblings.
        reported: the rule that summaries and figures show.
    """

    name: str
    support: str | None = None
    alpha: float = 1.0
    min_siblings: int = 0
    reported: bool = False


LOCAL_MAJORITY = Rule("local_majority")


def count_votes(classes: Sequence[str | None]) -> Votes:
    """Votes of the readable samples; None (no readable answer) votes for nothing."""
    votes: Votes = {}
    for name in classes:
        if name is not None:
            votes[name] = votes.get(name, 0) + 1
    return votes


def local_majority(votes: Votes) -> str | None:
    """The class with most votes, the first in stored order among equals; None without votes."""
    return max(votes, key=votes.__getitem__) if votes else None


def score(name: str, own: Votes, siblings: Sequence[Votes], rule: Rule) -> float:
    """Own votes + sum (or mean) over the siblings of (votes for the same class) ** alpha."""
    support = sum(votes[name] ** rule.alpha for votes in siblings if name in votes)
    if rule.support == "mean" and siblings:
        support /= len(siblings)
    return own[name] + support


def siblings_supporting(name: str, siblings: Sequence[Votes]) -> int:
    """In how many siblings some sample is in the class."""
    return sum(name in votes for votes in siblings)


def choose(own: Votes, siblings: Sequence[Votes], rule: Rule) -> str | None:
    """The class that a rule chooses for the target language; None if it has no readable sample.

    Ties go to the class that comes first in the target's stored order. With ``min_siblings`` the local
    majority stays unless enough siblings support the class that would replace it.

    Raises:
        GateError: a class absent from the target language was chosen (a defect, never the data's fault).
    """
    local = local_majority(own)
    if local is None or rule.support is None:
        return local
    scores = {name: score(name, own, siblings, rule) for name in own}
    best = max(scores.values())
    chosen = next(name for name in own if scores[name] >= best - _TIE)
    if chosen != local and siblings_supporting(chosen, siblings) < rule.min_siblings:
        chosen = local
    if chosen not in own:
        raise GateError(f"the class {chosen} was borrowed from a sibling language", where=rule.name)
    return chosen


def rules_of(
    *,
    alphas: Sequence[float],
    reported_alpha: float,
    support: str,
    languages: int,
    conservative_min_siblings: int | None = None,
) -> list[Rule]:
    """The local majority, sum and mean for every alpha, and the conservative variant of the reported rule.

    Args:
        languages: of the problem set; the conservative variant needs all siblings unless told how many.
    """
    alphas = sorted({*alphas, reported_alpha})
    rules = [LOCAL_MAJORITY]
    for kind in ("sum", "mean"):
        rules += [
            Rule(
                f"aggregated_{kind}_alpha_{alpha:g}",
                kind,
                float(alpha),
                reported=kind == support and alpha == reported_alpha,
            )
            for alpha in alphas
        ]
    needed = languages - 1 if conservative_min_siblings is None else conservative_min_siblings
    rules.append(
        Rule(f"conservative_{support}_alpha_{reported_alpha:g}", support, float(reported_alpha), needed)
    )
    return rules
