r"""Where a chain is cut, and which line of the final answer is kept."""

import re

from reasonaudit.answers.boxes import find_boxes
from reasonaudit.audit.number_tokens import NumberToken

_MARKS = {"**": "**", "\\[": "\\]", "\\(": "\\)", "$$": "$$", "$": "$"}
_OPENING = re.compile(r"(?:\\\[|\\\(|\$\$?|\*\*)?\s*\\(?:boxed|fbox|framebox)\s*\{?\s*$")
_NAME_LENGTH = 40


def truncate(
    text: str, answer_start: int, answer_end: int, share: float, numbers: list[NumberToken]
) -> tuple[int, str] | None:
    """Drop the last ``share`` of ``text`` but keep the final answer.

    The line that holds the answer is kept whole if the cut falls before it, and only the boxed
    expression (or the bare answer) if the cut falls inside it, as in a solution of one line.

    Returns:
        (start, kept): ``text[start:]`` becomes ``kept``; None if nothing would be dropped.
    """
    cut = int(len(text) * (1 - share))
    cut = next((token.start for token in numbers if token.start < cut < token.end), cut)
    unit_start, unit_end = _answer_unit(text, answer_start, answer_end)
    if unit_end <= cut:
        return (cut, "") if cut < len(text) else None
    line_start = text.rfind("\n", 0, unit_start) + 1
    line_end = text.find("\n", unit_end)
    line_end = len(text) if line_end < 0 else line_end
    if line_start >= cut:
        kept = text[line_start:line_end]
    else:
        cut, kept = min(cut, unit_start), text[unit_start:unit_end]
    start = len(text[:cut].rstrip())
    kept = "\n" + kept.strip("\n")
    return (start, kept) if len(kept) < len(text) - start else None


def _answer_unit(text: str, start: int, end: int) -> tuple[int, int]:
    r"""The answer with the box and its math marks; a short line up to the answer where it names it."""
    box = next((b for b in find_boxes(text) if b.start <= start and end <= b.end), None)
    if box is None:
        line_start = text.rfind("\n", 0, start) + 1
        # "ANSWER: 12", "#### 12": without its name the number would not be read as the answer.
        return (line_start if start - line_start <= _NAME_LENGTH else start), end
    opening = _OPENING.search(text, max(0, box.start - 40), box.start)
    start, end = opening.start() if opening else box.start, box.end
    end += text[end : end + 1] == "}"
    mark = next((m for m in _MARKS if text.startswith(m, start)), None)
    if mark is not None:
        if closing := re.compile(rf"\s*[.,]?\s*{re.escape(_MARKS[mark])}").match(text, end):
            return start, closing.end()
        start += len(mark)
    return start, end
