"""Mistakes of a configuration, collected and told on one screen."""

import difflib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from reasonaudit.errors import ConfigError

SHOWN = 8
WIDTH = 100


@dataclass(frozen=True)
class Mistake:
    """One mistake.

    Args:
        key: where, as ``models.small.sha256``.
        problem: what is wrong, in a few words.
        value: what stands there; leave out where the problem says it.
        allowed: what may stand there.
        hint: what to do.
    """

    key: str
    problem: str
    value: object = ...
    allowed: str = ""
    hint: str = ""

    def lines(self, number: int) -> list[str]:
        """The mistake as indented lines."""
        shown = "" if self.value is ... else f": {shorten(show(self.value), WIDTH - len(self.key))}"
        lines = [f"  {number}. {self.key or '(top level)'}{shown}", f"     {self.problem}"]
        if self.allowed:
            lines.append(f"     allowed: {shorten(self.allowed, 4 * WIDTH)}")
        if self.hint:
            lines.append(f"     hint: {shorten(self.hint, 4 * WIDTH)}")
        return lines


def config_error(mistakes: list[Mistake], *, file: str) -> ConfigError:
    """All mistakes of a file as one error."""
    count = "1 mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
    lines = [f"the configuration has {count}: {file}"]
    for number, mistake in enumerate(mistakes[:SHOWN], 1):
        lines.extend(mistake.lines(number))
    if len(mistakes) > SHOWN:
        lines.append(f"  ... and {len(mistakes) - SHOWN} more")
    return ConfigError("\n".join(lines), hint="config/README.md explains every key")


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """A hint naming the nearest known name, or nothing."""
    known = list(known)
    lowered = {word.lower(): word for word in known}
    close = difflib.get_close_matches(str(name).lower(), lowered, n=1, cutoff=0.6)
    return f"did you mean {lowered[close[0]]}?" if close else ""


def show(value: object) -> str:
    """A value as it would stand in the file, on one line."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(value)


def shorten(text: str, width: int) -> str:
    """A text cut in its middle to ``width`` characters."""
    width = max(width, 24)
    if len(text) <= width:
        return text
    head = (width - 5) * 2 // 3
    return f"{text[:head]} ... {text[len(text) - (width - 5 - head) :]}"
