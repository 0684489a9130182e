"""Decoration around an answer: markdown, math delimiters, quotes, brackets, sentence stops.

``strip_span`` only moves the ends of a span, so that what remains is a piece of the original text.
"""

import re

from reasonaudit.answers.boxes import matching_brace

_LEADING = re.compile(
    r"(?:\s|\\[,;:!](?!\w)|\\(?:displaystyle|textstyle|quad|qquad|limits)(?![a-zA-Z])|~|[:：=](?!=)|、|,|，|…|>(?=\s))+"
)
_TRAILING = frozenset(" \t\n\r\v\f.。．｡,，、;；:：！？?।…~\u200b\u3000\u00a0")
_TRAILING_PIECES = (r"\,", r"\;", r"\:", r"\!", r"\\", r"\quad", r"\qquad")
# The end of a sentence in Japanese and Korean.
_COPULAS = ("です", "でした", "である", "となります", "になります", "だ", "입니다", "ครับ", "ค่ะ")
MAX_LAYERS = 40
_PAIRS = (
    ("$$", "$$"),
    ("$", "$"),
    (r"\(", r"\)"),
    (r"\[", r"\]"),
    ("**", "**"),
    ("__", "__"),
    ("```", "```"),
    ("`", "`"),
    ("*", "*"),
    ('"', '"'),
    ("“", "”"),
    ("‘", "’"),
    ("„", "“"),
    ("«", "»"),
    ("'", "'"),
    ("「", "」"),
    ("『", "』"),
    ("【", "】"),
    ("〈", "〉"),
    ("《", "》"),
    ("［", "］"),
    ("<", ">"),
)
_LONE = ("**", "__", "```", "`")


_OPENINGS = frozenset("".join(left[0] for left, _ in _PAIRS) + "{")
_CLOSINGS = frozenset("".join(mark[-1] for mark in _LONE) + "])")


def strip_span(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without decoration at its ends; an empty span if nothing else is there."""
    for _ in range(MAX_LAYERS):
        before = (start, end)
        start, end = _trim(text, start, end)
        start, end = _unpair(text, start, end)
        if (start, end) == before:
            break
    return start, end


def strip_wrappers(text: str) -> str:
    """``text`` without decoration at its ends."""
    start, end = strip_span(text, 0, len(text))
    return text[start:end]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    if leading := _LEADING.match(text, start, end):
        start = leading.end()
    while start < end:
        if text[end - 1] in _TRAILING:
            end -= 1
            continue
        tail = text[max(start, end - 6) : end]
        piece = next((piece for piece in _TRAILING_PIECES if tail.endswith(piece)), None)
        if piece is None and ord(tail[-1]) > 0xE00:
            piece = next((word for word in _COPULAS if tail.endswith(word) and tail != word), None)
        if piece is None:
            break
        end -= len(piece)
    return start, end


def _unpair(text: str, start: int, end: int) -> tuple[int, int]:
    if start < end and text[start] not in _OPENINGS and text[end - 1] not in _CLOSINGS:
        return start, end
    piece = text[start:end]
    for left, right in _PAIRS:
        if len(piece) > len(left) + len(right) and piece.startswith(left) and piece.endswith(right):
            inner = piece[len(left) : len(piece) - len(right)]
            if right in inner or (left == "<" and inner[:1] in "=>") or inner.endswith("\\"):
                continue
            return start + len(left), end - len(right)
    if piece[:1] == "{" and matching_brace(piece, 0) == len(piece) - 1:
        return start + 1, end - 1
    for mark in _LONE:
        # An emphasis that opens or closes outside of what was cut out of the line.
        if piece.startswith(mark) and mark not in piece[len(mark) :]:
            return start + len(mark), end
        if piece.endswith(mark) and mark not in piece[: -len(mark)]:
            return start, end - len(mark)
    for left, right in ((r"\(", r"\)"), (r"\[", r"\]"), ("$", "$")):
        if piece.startswith(left) and right not in piece[len(left) :] and left != "$":
            return start + len(left), end
        if piece.endswith(right) and left not in piece[: -len(right)] and right != "$":
            return start, end - len(right)
    return start, end
