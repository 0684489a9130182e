"""The class of an answer: a key that is equal for equivalent answers, and what the answer is."""

import functools

from reasonaudit.answers.characters import plain
from reasonaudit.answers.forms import Canonical
from reasonaudit.answers.numerals import parse_number
from reasonaudit.answers.policies import DEFAULT, Policy
from reasonaudit.answers.structures import read_structure
from reasonaudit.answers.wrappers import strip_wrappers


def canonicalize(answer: str | None, *, language: str = "en", policy: Policy = DEFAULT) -> Canonical | None:
    """The canonical form of an answer, None if there is nothing to read.

    Args:
        answer: an answer without its sentence, as extraction gives it.
        language: decides what a single mark before three digits means, and which number words exist.
    """
    if answer is None:
        return None
    return _canonicalize(answer, language, policy)


def canonicalize_gold(gold: str, *, language: str = "en", policy: Policy = DEFAULT) -> Canonical | None:
    """The canonical form of a gold answer.

    Golds are written with decimal points and ASCII digits whatever the language of the question (data
    set loaders make them so), so a gold is read by English conventions; its words are not.
    """
    found = _canonicalize(gold, "en", policy)
    if found is not None and found.is_prose and language != "en":
        return _canonicalize(gold, language, policy)
    return found


@functools.lru_cache(maxsize=1 << 15)
def _canonicalize(answer: str, language: str, policy: Policy) -> Canonical | None:
    text = answer.strip()
    if text.isascii() and text.isdigit() and len(text) < 400:
        number = parse_number(text)
        return Canonical(str(number.value), "number", number.value)
    text = strip_wrappers(plain(strip_wrappers(text)))
    if not text:
        return None
    found = read_structure(text, language, policy)
    return found if found.key else None
