"""The language of a chain: prose only, sentence by sentence, by a library (py3langid).

Formulas, code, commands and digits have no language and are taken out first. A sentence that restates
the question says nothing about the language of reasoning and is left out too. Each remaining sentence
counts with its letters. (Procedure after "Does CoT-Pass@k Really Check the CoT?", appendix C.5.)
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

MIN_LETTERS = 20
QUESTION_OVERLAP = 0.7
# Without languages that nobody uses here, short sentences are confused less often.
CANDIDATES = (
    "ar",
    "bn",
    "cs",
    "da",
    "de",
    "el",
    "en",
    "es",
    "fa",
    "fi",
    "fr",
    "he",
    "hi",
    "hu",
    "id",
    "it",
    "ja",
    "ko",
    "ms",
    "nl",
    "pl",
    "pt",
    "ro",
    "ru",
    "sv",
    "sw",
    "te",
    "th",
    "tr",
    "uk",
    "ur",
    "vi",
    "zh",
)
_NOT_PROSE = [
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"```.*?(?:```|\Z)",
        r"\$\$.*?\$\$",
        r"\\\[.*?\\\]",
        r"\\\(.*?\\\)",
        r"\$[^$\n]{0,400}\$",
        r"\\begin\{(\w+\*?)\}.*?\\end\{\1\}",
        r"\\(?:boxed|fbox)\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}",
        r"\\[A-Za-z]+\*?(?:\[[^\]]*\])?(?:\{(?:[^{}]|\{[^{}]*\})*\})*",
        r"https?://\S+",
        r"[*#`_|~>]+",
        r"\d+(?:[.,]\d+)*",
        r"[-+−–—×÷·=<>≤≥≠≈^/\\(){}\[\]%&]+",
    )
]
_SENTENCE_END = re.compile(r"(?<=[.!?;:。！？；।])\s*")
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True)
class LanguageShares:
    """Letters by language, and the class that follows.

    Attributes:
        letters: all letters that were given a language.
        target, english, other: shares of them; None where there are no letters. For an English question
            English is the target.
        main_other: the most frequent of the other languages.
    """

    letters: int
    target: float | None
    english: float | None
    other: float | None
    main_other: str | None

    def language_class(self, threshold: float = 0.8) -> str:
        """target, english, mixed, or none."""
        if not self.letters:
            return "none"
        if self.target >= threshold:
            return "target"
        return "english" if self.english >= threshold else "mixed"


def language_shares(text: str, language: str, question: str = "") -> LanguageShares:
    """Shares of languages in the prose of ``text``.

    Args:
        language: of the question, an ISO 639-1 code.
        question: its text; sentences of ``text`` that restate it are left out.
    """
    known = set(_WORD.findall(question.lower()))
    letters: Counter[str] = Counter()
    for sentence in sentences(text):
        if not _restates(sentence, known):
            letters[identify(sentence, language)] += _letters(sentence)
    total = sum(letters.values())
    if not total:
        return LanguageShares(0, None, None, None, None)
    target, english = letters.pop(language, 0), letters.pop("en", 0) if language != "en" else 0
    other = max(sorted(letters), key=letters.__getitem__, default=None)
    rest = sum(letters.values())
    return LanguageShares(total, target / total, english / total, rest / total, other)


def sentences(text: str) -> list[str]:
    """Sentences of prose with enough letters to identify."""
    for pattern in _NOT_PROSE:
        text = pattern.sub(" ", text)
    pieces = (" ".join(piece.split()) for line in text.split("\n") for piece in _SENTENCE_END.split(line))
    return [piece for piece in pieces if _letters(piece) >= _enough(piece)]


def identify(sentence: str, language: str = "en") -> str:
    """ISO 639-1 code of the most likely language."""
    return _identifier(tuple(sorted({*CANDIDATES, language}))).classify(sentence)[0]


@cache
def _identifier(languages: tuple[str, ...]) -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(list(languages))
    return identifier


def _restates(sentence: str, known: set[str]) -> bool:
    words = _WORD.findall(sentence.lower())
    return bool(words) and bool(known) and sum(w in known for w in words) / len(words) >= QUESTION_OVERLAP


def _letters(text: str) -> int:
    return sum(c.isalpha() for c in text)


def _enough(text: str) -> int:
    """A Chinese or Japanese sentence says in 6 letters what others say in 20."""
    dense = sum("\u3040" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7af" for c in text)
    return 6 if dense * 2 > len(text) else MIN_LETTERS
