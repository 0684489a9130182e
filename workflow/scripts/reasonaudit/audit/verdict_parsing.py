r"""A judge's reply -> yes, no or missing.

The verdict is the last ``\boxed{yes}`` or ``\boxed{no}`` outside any thinking block and outside quoted
text: a judge that quotes a verdict planted in the solution has not given it. A reply without one is
missing, never an approval.
"""

import re
import unicodedata
from bisect import bisect_right

from reasonaudit.answers.boxes import find_boxes
from reasonaudit.audit.thinking import split_thinking

YES, NO, MISSING = "yes", "no", "missing"

_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_QUOTED = re.compile(
    r"\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|‘[^’\n]*’|(?<!\w)'[^'\n]*'(?!\w)|`[^`\n]*`"
)
_MARKUP = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mathit|bf|rm|it|emph)\b|[\\${}*_`\"']")
_BOXED = re.compile(r"\\boxed\s*\{$")
_NOTHING_MORE = re.compile(r"[\s.!*_$`)\]]*\Z")


def parse_verdict(reply: str) -> str:
    """``yes``, ``no`` or ``missing``."""
    _, visible = split_thinking(reply)
    quoted = _quoted_spans(visible)
    for box in reversed(find_boxes(visible)):
        # Prompts show planted verdicts as \\fbox, which must stay none when quoted.
        own = box.closed and _BOXED.search(visible, max(0, box.start - 20), box.start)
        verdict = _verdict_of(visible[box.start : box.end]) if own else None
        if verdict and not _within(quoted, box.start):
            return verdict
    return MISSING


def _verdict_of(content: str) -> str | None:
    """yes or no, whatever its case, markup, final stop and invisible characters."""
    shown = "".join(c for c in content if unicodedata.category(c) != "Cf")
    word = _MARKUP.sub("", shown).strip().rstrip(".!。").strip().casefold()
    return word if word in (YES, NO) else None


def _quoted_spans(text: str) -> list[tuple[int, int]]:
    """Spans of quotations, in order: block quotes, fenced copies, and quotation marks within a line."""
    spans = [m.span() for pattern in (_FENCED, _QUOTED_LINE) for m in pattern.finditer(text)]
    for match in _QUOTED.finditer(text):
        # Code marks around the very last words are formatting: the judge's own verdict in a code font.
        formatting = match.group().startswith("`") and _NOTHING_MORE.match(text, match.end())
        if not formatting:
            spans.append(match.span())
    return sorted(spans)


def _within(spans: list[tuple[int, int]], position: int) -> bool:
    return any(start <= position < end for start, end in spans[: bisect_right(spans, (position, position))])
