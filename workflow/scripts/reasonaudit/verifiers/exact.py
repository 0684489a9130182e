"""Exact match: the answer string as the model wrote it must be the gold string."""

from reasonaudit.answers.extraction import extract
from reasonaudit.verifiers.verdict import Verdict, missing


def verify(prediction: str | None, gold: str, *, language: str = "en", text: str | None = None) -> Verdict:
    """Accepts where the answer as it stands in the reply equals the gold, spaces at the ends aside.

    With the reply given, the content of the box or of the labelled line is compared as written, with
    any brackets, emphasis or unit (the weak proxy of the verifier-bias study); else the prediction.
    """
    written = raw_answer(text, language) if text is not None else prediction
    if verdict := missing(written, gold):
        return verdict
    return Verdict(True, "equal") if written.strip() == gold.strip() else Verdict(False, "different")


def raw_answer(text: str, language: str) -> str | None:
    """The final answer of a reply as it was written."""
    found = extract(text, language=language)
    return found.raw if found else None
