r"""``\boxed`` and ``\fbox`` with braces counted, so that nested braces end where they should."""

import re
from dataclasses import dataclass

_START = re.compile(r"\\(?:boxed|fbox|framebox)(?![a-zA-Z])\s*")
_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|[0-9]+(?:\.[0-9]+)?|\S", re.DOTALL)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_LEFT_OPEN = re.compile(r"\n|\$|\\\)|\\\]")


@dataclass(frozen=True)
class Box:
    """Content span ``text[start:end]`` of a box; ``closed`` is False if its brace never closes."""

    start: int
    end: int
    closed: bool


def find_boxes(text: str) -> list[Box]:
    r"""All outermost boxes in order. ``\boxed 5`` holds the next token; a box in a box is part of it."""
    boxes, position = [], 0
    closing: dict[int, int] | None = None
    line_end = -1  # of the unclosed box before; boxes come in order, so it is looked for anew only behind it
    while found := _START.search(text, position):
        start = found.end()
        if text[start : start + 1] == "{":
            closing = _pairs(text) if closing is None else closing
            end = closing.get(start)
            if end is None:
                # What can be said of a box without end: it reaches to the end of its line or math.
                if line_end <= start:
                    stop = _LEFT_OPEN.search(text, start + 1)
                    line_end = stop.start() if stop else len(text)
                boxes.append(Box(start + 1, line_end, closed=False))
                position = start + 1
                continue
            boxes.append(Box(start + 1, end, closed=True))
            position = end
        else:
            token = _TOKEN.match(text, start)
            if token and token[0] not in "$}":
                boxes.append(Box(start, token.end(), closed=True))
            position = max(start, found.start() + 1)
    return boxes


def matching_brace(text: str, start: int) -> int | None:
    """Position of the brace that closes the one at ``start``; escaped braces do not count."""
    depth = 0
    for found in _BRACE.finditer(text, start):
        if found[0] == "{":
            depth += 1
        elif found[0] == "}":
            depth -= 1
            if depth == 0:
                return found.start()
    return None


def _pairs(text: str) -> dict[int, int]:
    """Opening brace -> closing brace, of all that are closed, in one pass."""
    pairs, open_ = {}, []
    for found in _BRACE.finditer(text):
        if found[0] == "{":
            open_.append(found.start())
        elif found[0] == "}" and open_:
            pairs[open_.pop()] = found.start()
    return pairs
