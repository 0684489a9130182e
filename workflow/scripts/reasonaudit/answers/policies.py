"""Choices about reading and comparing answers on which people differ; see config/README.md for reasons."""

from dataclasses import dataclass, fields
from typing import Literal, get_args, get_type_hints

from reasonaudit.errors import ConfigError


@dataclass(frozen=True)
class Policy:
    """How replies are read and answers compared.

    Args:
        percent: ``sign``: 35% is the number 35 with a unit; ``value``: 35% is 35/100.
        truncated: a reply cut by the token limit. ``stated``: read if it states its answer (a closed
            box, a labelled line), since the last number of a chain cut short is an intermediate one;
            ``grade``: read like any other; ``unreadable``: never read.
        several_boxes: ``last``: the last box counts; ``join``: the boxes of the last line that has
            any are one list; ``unreadable``: boxes with different answers are no answer.
        inequality: ``interval``: 3 < x < 8 is the interval (3, 8); ``distinct``: another answer.
        base_suffix: ``required``: 52 is not 52_8; ``optional``: digits without their base are
            accepted where the gold has one.
        tolerance: relative error at which a decimal still stands for a number that no finite decimal
            can write (1/12, pi). Numbers that a finite decimal can write are compared exactly.
    """

    percent: Literal["sign", "value"] = "sign"
    truncated: Literal["stated", "grade", "unreadable"] = "stated"
    several_boxes: Literal["last", "join", "unreadable"] = "last"
    inequality: Literal["interval", "distinct"] = "interval"
    base_suffix: Literal["required", "optional"] = "required"
    tolerance: float = 1e-6


DEFAULT = Policy()


def policy_from(settings: dict | None) -> Policy:
    """A policy from plain values; names that are left out keep their default.

    Raises:
        ConfigError: a name that does not exist, or a value that it does not allow.
    """
    hints = get_type_hints(Policy)
    names = [field.name for field in fields(Policy)]
    for name, value in (settings or {}).items():
        if name not in names:
            raise ConfigError(
                f"grading has no policy {name!r}", where="grading", hint=f"known: {', '.join(names)}"
            )
        allowed = get_args(hints[name])
        if allowed and value not in allowed:
            raise ConfigError(
                f"{value!r} is no value of the policy {name}",
                where="grading",
                hint=f"allowed: {', '.join(map(str, allowed))}",
            )
    return Policy(**(settings or {}))
