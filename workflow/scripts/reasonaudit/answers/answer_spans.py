"""Spans of text: whether one is an answer, and the same span without what is not part of the answer."""

import re

from reasonaudit.answers.canonical import canonicalize
from reasonaudit.answers.labels import find_labels
from reasonaudit.answers.number_scan import find_numbers
from reasonaudit.answers.policies import Policy
from reasonaudit.answers.splitting import depths
from reasonaudit.answers.wrappers import strip_span

MAX_AMOUNT = 120  # characters of a number with all its units
MAX_WORDS_LENGTH = 60  # characters of an answer in words
# What prompts put in place of the answer, in the languages of the labels, with or without brackets.
_PLACEHOLDER = re.compile(
    r"[<\[(]?\s*(?:your\s+)?(?:final\s+)?(?:answer|value|number|num|result|expression|n|x|cevap|değer|sayı|resposta|"
    r"respuesta|réponse|antwort|ответ|jibu|valor|valeur|wert|zahl|nombre|número|numara|значение|число|thamani|"
    r"答え|答案|数値|値|值|数字|数值|数|番号|编号|คำตอบ|ค่า|উত্তর|সংখ্যা|সমাধান|సమాధానం|విలువ|정답|값|숫자)"
    r"(?:\s+here)?\s*[>\])]?|\.{2,}|…|\?+|_+|\\[lc]?dots|\\square",
    re.IGNORECASE,
)
_BARE_PLACEHOLDERS_ALLOWED = re.compile(r"[nx]|\d.*", re.IGNORECASE)
EQUALS = re.compile(r"(?<![<>!:\\=])=(?![=>])|≈|\\approx(?![a-zA-Z])")
_JOINER = re.compile(r"(?<![a-zA-Z])(?:or|and|ou|oder|veya|где|where|и|или)(?![a-zA-Z])|或|または|\\text")
_WORD = re.compile(r"[^\W\d_]{2,}")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f\uac00-\ud7af]")
_COMMAND = re.compile(r"\\(?:text|mbox)\s*\{[^{}]*\}|\\[a-zA-Z]+")


def is_answer(content: str, language: str, policy: Policy) -> bool:
    """Whether a text is an answer and no sentence that contains one."""
    if is_prose(content):
        return False
    form = canonicalize(content, language=language, policy=policy)
    if form is None or _PLACEHOLDER.fullmatch(content):
        return form is not None and bool(_BARE_PLACEHOLDERS_ALLOWED.fullmatch(content))
    if form.kind == "text":
        return not any(map(str.isdigit, content)) and not is_long(content)
    words = len(_WORD.findall(_COMMAND.sub(" ", content)))
    if form.kind == "form":
        if content.startswith(("$", "\\")) and words <= 6 and len(content) <= 200:
            return True  # a formula with a condition: $2n$ for odd $n$
        return words <= 2 and ". " not in content and not _CJK.search(content)
    # "It takes 9 + 5 = 14 days" is a sentence, though its last member is a number.
    return words == 0 or not EQUALS.search(content)


def is_prose(content: str) -> bool:
    """A quick test that spares most replies the reading of their whole text as one answer."""
    if ("\n" in content and r"\begin" not in content) or r"\boxed" in content or r"\fbox" in content:
        return True
    if len(content) > 60 and len(_WORD.findall(_COMMAND.sub(" ", content))) > 10:
        return True
    return next(find_labels(content), None) is not None


def trimmed(text: str, start: int, end: int, language: str, policy: Policy) -> tuple[int, int]:
    """Without decoration; of a chain of equalities the last member; of an amount the number."""
    start, end = strip_span(text, start, end)
    content = text[start:end]
    if "=" in content or "≈" in content or "approx" in content:
        levels = depths(content)
        marks = [mark for mark in EQUALS.finditer(content) if levels[mark.start()] == 0]
        commas = any(
            content[i] == "," and levels[i] == 0 and content[i + 1 : i + 2] == " "
            for i in range(len(content))
        )
        exact = [mark for mark in marks if mark[0] == "="]
        if marks and not commas and not _JOINER.search(content, marks[0].end()):
            if len(exact) < len(marks) and (exact or marks[0].start() > 0):
                # An approximation after an exact value adds nothing.
                stop = next(mark.start() for mark in marks if mark[0] != "=")
                if content[:stop].strip():
                    return trimmed(text, start, start + stop, language, policy)
            if len(exact) > 1:
                return trimmed(text, start + exact[-1].end(), end, language, policy)
    return core(text, *strip_span(text, start, end), language, policy) if start < end else (start, end)


def core(text: str, start: int, end: int, language: str, policy: Policy) -> tuple[int, int]:
    """Of a number with currency and unit only the number: its value is the same without them."""
    if end - start > MAX_AMOUNT:
        return start, end
    form = canonicalize(text[start:end], language=language, policy=policy)
    if form is None or form.kind != "number" or "\\" in text[start:end].replace(r"\$", "").replace(r"\%", ""):
        return start, end
    numbers = list(find_numbers(text[start:end], language))
    if len(numbers) != 1:
        return start, end
    first, last = start + numbers[0][0], start + numbers[0][1]
    inner = canonicalize(text[first:last], language=language, policy=policy)
    same = inner is not None and inner.key == form.key and inner.percent == form.percent
    return (first, last) if same else (start, end)


def is_placeholder(content: str) -> bool:
    return bool(_PLACEHOLDER.fullmatch(content)) and not _BARE_PLACEHOLDERS_ALLOWED.fullmatch(content)


def says_something(content: str, language: str, policy: Policy) -> bool:
    return not is_placeholder(content) and canonicalize(content, language=language, policy=policy) is not None


def is_long(content: str) -> bool:
    return len(content) > MAX_WORDS_LENGTH or len(content.split()) > 6
