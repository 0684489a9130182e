"""The verifiers by name."""

from collections.abc import Callable

from reasonaudit.errors import ConfigError
from reasonaudit.verifiers import (
    exact,
    flexible_number,
    hybrid,
    math_verify,
    numeric,
    paper,
    strict_label,
    trusted,
)
from reasonaudit.verifiers.verdict import Verdict

Verifier = Callable[..., Verdict]

VERIFIERS: dict[str, Verifier] = {
    "exact": exact.verify,
    "numeric": numeric.verify,
    "hybrid": hybrid.verify,
    "trusted": trusted.verify,
    "math_verify": math_verify.verify,
    "strict_label": strict_label.verify,
    "flexible_number": flexible_number.verify,
    "paper": paper.verify,
}
# What a verifier judges: the extracted answer, the same as the model wrote it (brackets, emphasis, unit
# and all), or the whole reply, from which it takes the answer by its own rules.
INPUT: dict[str, str] = {
    "exact": "raw",
    "numeric": "raw",
    "hybrid": "raw",
    "trusted": "answer",
    "math_verify": "reply",
    "strict_label": "reply",
    "flexible_number": "reply",
    "paper": "reply",
}


def verifier(name: str) -> Verifier:
    """The verify function of a verifier.

    Raises:
        ConfigError: no such verifier.
    """
    if name not in VERIFIERS:
        raise ConfigError(f"no verifier {name!r}", hint=f"known: {', '.join(VERIFIERS)}")
    return VERIFIERS[name]
