"""The hidden part of a reply: what stands inside a thinking block."""

import re

_NAMES = r"(?:think|thinking|thought|reason|reasoning)"
_OPEN = re.compile(rf"<\s*{_NAMES}\s*>", re.IGNORECASE)
_CLOSE = re.compile(rf"<\s*/\s*{_NAMES}\s*>", re.IGNORECASE)


def split_thinking(text: str) -> tuple[str, str]:
    """(hidden, visible) parts of a reply.

    A block that never closes hides everything after it. A closing mark without an opening one hides
    everything before it: some chat templates open the block in the prompt.
    """
    hidden, visible = [], []
    if (close := _CLOSE.search(text)) and not _OPEN.search(text, 0, close.start()):
        hidden.append(text[: close.start()])
        text = text[close.end() :]
    position = 0
    while opening := _OPEN.search(text, position):
        visible.append(text[position : opening.start()])
        close = _CLOSE.search(text, opening.end())
        hidden.append(text[opening.end() : close.start() if close else len(text)])
        position = close.end() if close else len(text)
    visible.append(text[position:])
    return "".join(hidden), "".join(visible)
