r"""Replies that state a gold answer in many ways; a grader must recover every one.

The first six are those of "Sample More, Reflect Less: Self-Refine and Reflexion Lose to Repeated
Sampling at Equal Token Cost": verbatim in \boxed{}, extra spaces before control sequences, \dfrac for
\frac, \left( and \right) around parentheses, a trailing period, an extra enclosing brace pair. The rest
write the gold as its language does: full-width and native digits, labels, separators.
"""

import re
from collections.abc import Callable

from reasonaudit.answers.languages import DECIMAL_COMMA, INDIAN_GROUPS

Variation = Callable[[str, str], str | None]  # (gold, language) -> reply, None where it does not apply

_COMMAND = re.compile(r"\\\\|\\[a-zA-Z]+")
_DIGITS = "0123456789"
_FULL_WIDTH = str.maketrans(_DIGITS, "０１２３４５６７８９")
_NATIVE_DIGITS = {
    "bn": "০১২৩৪৫৬৭৮৯",
    "te": "౦౧౨౩౪౫౬౭౮౯",
    "th": "๐๑๒๓๔๕๖๗๘๙",
    "ar": "٠١٢٣٤٥٦٧٨٩",
    "fa": "۰۱۲۳۴۵۶۷۸۹",
    "hi": "०१२३४५६७८९",
}
_NUMBER = re.compile(r"(-?)(\d+)(?:\.(\d+))?")
_SPACE_GROUPS = frozenset(["fr", "ru", "uk", "pl", "cs", "sv"])

# A sentence before the answer holds other numbers, so that a grader which takes any number fails.
LABEL_LINES = {
    "en": "First we get 3, then 45.\nANSWER: {x}",
    "ja": "まず3、次に45となります。\n答え：{x}",
    "zh": "先得到3，再得到45。\n答案：{x}",
    "tr": "Önce 3, sonra 45 buluruz.\nCevap: {x}",
    "pt": "Primeiro obtemos 3, depois 45.\nResposta: {x}",
    "de": "Zuerst ergibt sich 3, dann 45.\nAntwort: {x}",
    "es": "Primero sale 3, luego 45.\nRespuesta: {x}",
    "fr": "On trouve d'abord 3, puis 45.\nRéponse : {x}",
    "ru": "Сначала получаем 3, затем 45.\nОтвет: {x}",
    "sw": "Kwanza tunapata 3, kisha 45.\nJibu: {x}",
    "te": "మొదట 3, తర్వాత 45 వస్తుంది.\nసమాధానం: {x}",
    "th": "ได้ 3 ก่อน แล้วได้ 45\nคำตอบ: {x}",
    "bn": "প্রথমে 3, তারপর 45 পাই।\nউত্তর: {x}",
    "ko": "먼저 3, 다음에 45가 나옵니다.\n정답: {x}",
}
LABEL_SENTENCES = {
    "en": "First we get 3, then 45. So the answer is {x}.",
    "ja": "まず3、次に45となります。したがって、答えは{x}です。",
    "zh": "先得到3，再得到45。所以答案是{x}。",
    "tr": "Önce 3, sonra 45 buluruz. Cevap: {x}.",
    "pt": "Primeiro obtemos 3, depois 45. Portanto, a resposta é {x}.",
    "de": "Zuerst ergibt sich 3, dann 45. Die Antwort ist {x}.",
    "es": "Primero sale 3, luego 45. La respuesta es {x}.",
    "fr": "On trouve d'abord 3, puis 45. La réponse est {x}.",
    "ru": "Сначала получаем 3, затем 45. Ответ: {x}.",
    "sw": "Kwanza tunapata 3, kisha 45. Jibu ni {x}.",
    "te": "మొదట 3, తర్వాత 45 వస్తుంది. సమాధానం {x}.",
    "th": "ได้ 3 ก่อน แล้วได้ 45 ดังนั้น คำตอบคือ {x}",
    "bn": "প্রথমে 3, তারপর 45 পাই। উত্তর হল {x}।",
    "ko": "먼저 3, 다음에 45가 나옵니다. 정답은 {x}입니다.",
}


def boxed(answer: str) -> str:
    """A reply that ends with the answer in a box."""
    return f"First there are 3 and then 45. So the result is $\\boxed{{{answer}}}$."


def localised(number: str, language: str) -> str | None:
    """A plain number with the marks of its language; None if the text is no plain number."""
    found = _NUMBER.fullmatch(number)
    if not found:
        return None
    sign, whole, decimals = found.groups()
    comma = language in DECIMAL_COMMA
    mark = " " if language in _SPACE_GROUPS else "." if comma else ","
    head, tail = whole[:-3], whole[-3:]
    size = 2 if language in INDIAN_GROUPS else 3
    groups = [head[max(0, end - size) : end] for end in range(len(head), 0, -size)][::-1]
    whole = mark.join([*groups, tail]) if head else whole
    return sign + whole + (f"{',' if comma else '.'}{decimals}" if decimals else "")


def _spaced(gold: str, language: str) -> str:
    return boxed(_COMMAND.sub(lambda found: found[0] if found[0] == r"\\" else f" {found[0]}", gold))


def _left_right(gold: str, language: str) -> str | None:
    if "(" not in gold or r"\left" in gold:
        return None
    # Square brackets too, since a half-open interval pairs them: \left(3,4\right].
    return boxed(re.sub(r"(?<!\\)([)\]])", r"\\right\1", re.sub(r"([(\[])", r"\\left\1", gold)))


def _display_fraction(gold: str, language: str) -> str | None:
    return boxed(gold.replace(r"\frac", r"\dfrac")) if r"\frac" in gold else None


def _mathematical(answer: str) -> str:
    return f"${answer}$" if any(mark in answer for mark in "\\^_") else answer


def _native(gold: str, language: str) -> str | None:
    if language not in _NATIVE_DIGITS:
        return None
    return boxed(gold.translate(str.maketrans(_DIGITS, _NATIVE_DIGITS[language])))


def _separated(gold: str, language: str) -> str | None:
    written = localised(gold, language)
    return None if written is None else LABEL_LINES.get(language, LABEL_LINES["en"]).format(x=written)


VARIATIONS: dict[str, Variation] = {
    "verbatim": lambda gold, language: boxed(gold),
    "spaced_commands": _spaced,
    "display_fraction": _display_fraction,
    "left_right": _left_right,
    "trailing_period": lambda gold, language: boxed(f"{gold}."),
    "extra_braces": lambda gold, language: boxed(f"{{{gold}}}"),
    "full_width_digits": lambda gold, language: boxed(gold.translate(_FULL_WIDTH)),
    "native_digits": _native,
    "label_line": lambda gold, language: LABEL_LINES.get(language, LABEL_LINES["en"]).format(
        x=_mathematical(gold)
    ),
    "label_sentence": lambda gold, language: LABEL_SENTENCES.get(language, LABEL_SENTENCES["en"]).format(
        x=_mathematical(gold)
    ),
    "separators": _separated,
}
