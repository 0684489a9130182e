"""Which candidate a pick names: ``BEST=<n>``."""

import re

from reasonaudit.answers.characters import fold

# Prompts ask for exactly this; spaces, a colon, emphasis and a bracket around the number do no harm.
_PICK = re.compile(
    r"(?<![A-Za-z])BEST\s*[=:]\s*[*_`\"'(\[<{$]*\s*(?:(?i:solution|candidate)\s*)?#?\s*(\d{1,4})(?!\d|\.\d)"
)


def read_pick(text: str) -> int | None:
    """The number after the last ``BEST=``, counted from 1 as candidates are shown; None if there is none.

    ``BEST=<n>`` repeated from the instruction names nothing. Two different numbers are two picks, and
    the last one counts.
    """
    found = _PICK.findall(fold(text))
    return int(found[-1]) if found else None
