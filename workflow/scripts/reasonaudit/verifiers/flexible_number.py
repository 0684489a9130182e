"""The flexible extractor of common benchmarks: the last thing that looks like a number."""

import re

from reasonaudit.verifiers.verdict import Verdict, missing

# After the GSM8K tasks of lm-evaluation-harness (flexible-extract), with its known weakness: a run of
# marks without digits also matches.
_NUMBER = re.compile(r"(-?[$0-9.,]{2,})|(-?[0-9]+)")
_IGNORED = re.compile(r",|\$|\.$")


def verify(prediction: str | None, gold: str, *, language: str = "en", text: str | None = None) -> Verdict:
    """Accepts where the last number-like piece of the reply equals the gold as text.

    Commas, dollar signs and a final point are ignored. Without the reply the prediction is searched.
    """
    source = text if text is not None else prediction
    if verdict := missing(source, gold):
        return verdict
    found = [match[0] for match in _NUMBER.finditer(source)]
    if not found:
        return Verdict(False, "no_number")
    same = _IGNORED.sub("", found[-1]).lower() == _IGNORED.sub("", gold.strip()).lower()
    return Verdict(same, "equal" if same else "different")
