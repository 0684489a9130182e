"""Cutting text at separators that stand outside of all brackets."""

import re

_TOKEN = re.compile(
    r"\\begin\{\w+\*?\}|\\end\{\w+\*?\}|\\[{}]|\\l(?:floor|ceil)\b|\\r(?:floor|ceil)\b|\\.|[(\[{}\])]"
)
_OPENING = frozenset(("(", "[", "{", r"\{"))
_CLOSING = frozenset((")", "]", "}", r"\}"))


def depths(text: str) -> list[int]:
    """Bracket depth at every position; round and square brackets may close each other, as in [2,5)."""
    levels = [0] * (len(text) + 1)
    depth, position = 0, 0
    for found in _TOKEN.finditer(text):
        token = found[0]
        for place in range(position, found.start()):
            levels[place] = depth
        if token in _OPENING or token.startswith((r"\begin", r"\lf", r"\lc")):
            change = 1
        elif token in _CLOSING or token.startswith((r"\end", r"\rf", r"\rc")):
            change = -1
        else:
            change = 0
        inside = depth if change >= 0 else depth - 1
        for place in range(found.start(), found.end()):
            levels[place] = inside
        depth += change
        position = found.end()
    for place in range(position, len(text) + 1):
        levels[place] = depth
    return levels


def split_outside(text: str, separator: re.Pattern) -> list[str]:
    """Pieces of ``text`` between matches of ``separator`` that lie outside of all brackets."""
    if not separator.search(text):
        return [text]
    levels = depths(text)
    pieces, start = [], 0
    for found in separator.finditer(text):
        if levels[found.start()] == 0 and found.start() >= start:
            pieces.append(text[start : found.start()])
            start = found.end()
    pieces.append(text[start:])
    return pieces


def closes_at_end(text: str) -> bool:
    """Whether the bracket that opens ``text`` is closed by its last character."""
    levels = depths(text)
    if not text or levels[-1] != 0:
        return False
    first = 2 if text.startswith("\\") else 1
    last = len(text) - (2 if text.endswith((r"\}", r"\]", r"\)")) else 1)
    return last >= first and all(level > 0 for level in levels[first:last])
