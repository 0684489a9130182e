"""The strict extractor of common benchmarks: one fixed label, one fixed pattern, then exact match."""

import re

from reasonaudit.verifiers.verdict import Verdict, missing

# After the GSM8K tasks of lm-evaluation-harness (strict-match): the first label, digits, marks.
_LABELS = re.compile(r"(?:####\s*|The answer is )(-?[0-9.,]+)")
_IGNORED = re.compile(r",|\$|\.$")


def verify(prediction: str | None, gold: str, *, language: str = "en", text: str | None = None) -> Verdict:
    """Accepts where the number right behind "####" or "The answer is" equals the gold as text.

    Commas, dollar signs and a final point are ignored; nothing else is. Without the reply the
    prediction is taken as what the label said.
    """
    source = text if text is not None else (None if prediction is None else f"#### {prediction}")
    if verdict := missing(source, gold):
        return verdict
    found = _LABELS.search(source)
    if not found:
        return Verdict(False, "no_label")
    same = _IGNORED.sub("", found[1]).lower() == _IGNORED.sub("", gold.strip()).lower()
    return Verdict(same, "equal" if same else "different")
