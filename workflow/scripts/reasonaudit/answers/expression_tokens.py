"""Tokens of a mathematical expression in LaTeX or plain notation."""

import re


class UnreadableError(Exception):
    """The text is no expression that this reader knows."""


_FUNCTION_NAMES = (
    "sin cos tan cot sec csc sinh cosh tanh arcsin arccos arctan ln log exp gcd lcm min max det arccot"
)
FUNCTIONS = frozenset(_FUNCTION_NAMES.split())
SYNONYMS = {"arcsec": None, "lg": "log10", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "tg": "tan"}
SYNONYMS |= {"ctg": "cot", "arctg": "arctan"}
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.(?=\s*\\overline)|\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<command>\\[a-zA-Z]+)"
    r"|(?P<word>[a-zA-Z]{2,}(?![a-zA-Z]))"
    r"|(?P<letter>[a-zA-Z])"
    r"|(?P<mark>\\[{}|%$]|\*\*|[-+*/^_!(){}\[\]|,:'])"
    r"|(?P<other>\S))"
)
_WORDS = (
    frozenset(["pi", "sqrt", "cbrt", "abs", "infinity", "inf", "oo", "binom", "floor", "ceil"])
    | FUNCTIONS
    | SYNONYMS.keys()
)


# Letters that are multiplied stand together (ab); words stand apart (it is 9).
_SPACED_WORD = re.compile(r"(?<![\\a-zA-Z])([a-zA-Z]{2,})(?=\s+[a-zA-Z0-9])|(?<=[a-zA-Z0-9]\s)([a-zA-Z]{2,})")


def tokenize(text: str) -> list[tuple[str, str]]:
    tokens, position = [], 0
    text = text.rstrip()
    if any((before or after) not in _WORDS for before, after in _SPACED_WORD.findall(text)):
        raise UnreadableError("words")
    while position < len(text):
        found = _TOKEN.match(text, position)
        kind, value = found.lastgroup, found[found.lastgroup]
        position = found.end()
        if kind == "other":
            raise UnreadableError(value)
        if kind == "word":
            tokens.extend(_split_word(value))
            continue
        if kind == "command":
            value = value[1:]
        tokens.append((kind, value))
    return tokens


def _split_word(word: str) -> list[tuple[str, str]]:
    """A word is a function or constant, or a product of at most three letters; else it is prose."""
    if word in _WORDS:
        return [("command", word)]
    for name in sorted(_WORDS, key=len, reverse=True):
        # "sinx", "2pix", "xsqrt"
        if len(name) > 1 and word.startswith(name) and len(word) - len(name) == 1:
            return [("command", name), ("letter", word[-1])]
        if len(name) > 1 and word.endswith(name) and len(word) - len(name) == 1:
            return [("letter", word[0]), ("command", name)]
    if len(word) > 3:
        raise UnreadableError(word)
    return [("letter", letter) for letter in word]
