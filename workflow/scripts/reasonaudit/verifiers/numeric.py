"""Normalised numeric match: everything that is not part of a plain number is taken out first."""

import re
import unicodedata
from fractions import Fraction

from reasonaudit.verifiers.exact import raw_answer
from reasonaudit.verifiers.verdict import Verdict, missing

TOLERANCE = Fraction(1, 10**6)
_NOT_NUMERIC = re.compile(r"[^0-9.\-]")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def verify(prediction: str | None, gold: str, *, language: str = "en", text: str | None = None) -> Verdict:
    """Accepts where the digits of both, as numbers, differ by at most 1e-6.

    Compatibility normalisation turns full-width digits into plain ones; then all characters but
    digits, points and minus signs are dropped, commas among them, in every language alike. What is
    left must be one number. (The numeric proxy of the verifier-bias study.)
    """
    written = raw_answer(text, language) if text is not None else prediction
    if verdict := missing(written, gold):
        return verdict
    left, right = numeric_value(written), numeric_value(gold)
    if left is None or right is None:
        return Verdict(False, "not_numeric")
    return Verdict(True, "equal") if abs(left - right) <= TOLERANCE else Verdict(False, "different")


def numeric_value(text: str) -> Fraction | None:
    """The number that is left of a text, None if none or several are."""
    kept = _NOT_NUMERIC.sub("", unicodedata.normalize("NFKC", text)).rstrip(".")
    return Fraction(kept) if len(kept) < 1000 and _NUMBER.fullmatch(kept) else None
