"""Exact match first, then normalised numeric match."""

from reasonaudit.verifiers import exact, numeric
from reasonaudit.verifiers.verdict import NO_ANSWER, NO_GOLD, Verdict


def verify(prediction: str | None, gold: str, *, language: str = "en", text: str | None = None) -> Verdict:
    """Accepts what ``exact`` or ``numeric`` accepts; the rule names the one that decided."""
    first = exact.verify(prediction, gold, language=language, text=text)
    if first.accepted:
        return Verdict(True, "exact")
    if first in (NO_ANSWER, NO_GOLD):
        return first
    second = numeric.verify(prediction, gold, language=language, text=text)
    return Verdict(second.accepted, f"numeric_{second.rule}")
