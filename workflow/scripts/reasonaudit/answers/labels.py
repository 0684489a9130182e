"""Labels that announce a final answer, in the languages of MGSM and of the embedded questions.

The labels of all languages are looked for in every reply: models answer in one language under the
label of another.
"""

import re
from collections.abc import Iterator

_COLON = r"[:：=﹕∶]"
_SPACED_LABELS: tuple[tuple[str, str, str], ...] = (
    # words, verbs, "not A but" (then B is the answer)
    (
        r"(?:the\s+)?(?:final\s+|correct\s+)?answer",
        r"is|are|would\s+be|equals|=|→|->",
        r"is\s+not\b{a}\bbut",
    ),
    (
        r"(?:die\s+)?(?:endgültige\s+|finale\s+)?antwort",
        r"ist|lautet|sind|beträgt",
        r"(?:ist|lautet)\s+nicht\b{a}\bsondern",
    ),
    (r"(?:la\s+)?respuesta(?:\s+final|\s+correcta)?", r"es|son|sería", r"no\s+es\b{a}\bsino"),
    (r"(?:la\s+)?réponse(?:\s+finale|\s+correcte)?", r"est|sont", r"n['’]est\s+pas\b{a}\bmais"),
    (
        r"(?:a\s+)?resposta(?:\s+final|\s+correta)?",
        r"é|são|e|será",
        r"não\s+é\b{a}\bmas(?:\s+sim)?",
    ),
    (r"(?:окончательный\s+|итоговый\s+)?ответ", r"равен|—|–|-", r"не\b{a}\bа"),
    (r"(?:nihai\s+|son\s+|doğru\s+)?(?:cevap|cevab[ıi]|yan[ıi]t|yan[ıi]t[ıi])", r"is", r"{a}değil,?"),
    (r"jibu(?:\s+la\s+mwisho|\s+sahihi)?", r"ni", r"si\b{a}\bbali"),
    (r"(?:চূড়ান্ত\s+)?উত্তর(?:টি|টা)?", r"হল|হলো|হবে|:", r"{a}(?:নয়|নয়),?"),
    (r"(?:చివరి\s+)?(?:సమాధానం|జవాబు)", r"ఏమిటంటే", r"{a}కాదు,?"),
)
_UNSPACED_LABELS: tuple[tuple[str, str, str], ...] = (
    (
        r"(?:最終的な|最終|正しい|最后的?|最后|最終的?|正确)?(?:答え|解答|回答|答案|答)",
        r"は|が|是|为|為|應為|应为|应该是",
        r"(?:不是{a}而是|は{a}ではなく[、,]?)",
    ),
    (r"(?:최종\s*)?(?:정답|답)", r"은|는", r"[은는]{a}아니라,?"),
    (r"คำตอบ(?:สุดท้าย|ที่ถูกต้อง)?", r"คือ|เท่ากับ", r"(?:คือ)?ไม่ใช่{a}แต่(?:เป็น|คือ)"),
)
_DENIED = r"[^\n.:：。]{1,40}?(?:\.\d[^\n.:：。]{0,20}?)?"
# Languages that say "Cevap 5." without a verb: the label begins a short sentence at the end of a line.
_VERBLESS = (r"cevap", r"yan[ıi]t", r"సమాధానం", r"జవాబు", r"উত্তর", r"ответ")
_DECORATION = r"[\s*_`\"'」』】）)]*"


def _pattern() -> re.Pattern:
    of_what = r"(?:\s+(?:to|for|of)\s+(?:the|this)\s+[\w ]{1,30}?)?"
    spaced = "|".join(
        rf"(?:{word}){of_what}{_DECORATION}(?:\s(?:{denial.replace('{a}', _DENIED)})\s|{_COLON}"
        rf"|\s(?:{verb})(?!\w)\s*{_COLON}?)"
        for word, verb, denial in _SPACED_LABELS
    )
    unspaced = "|".join(
        rf"(?:{word}){_DECORATION}(?:{denial.replace('{a}', _DENIED)}|{_COLON}|(?:{verb})\s*{_COLON}?)"
        for word, verb, denial in _UNSPACED_LABELS
    )
    verbless = "|".join(_VERBLESS)
    short = rf"(?:^|(?<=[.!?।]\s))[ \t]*(?:{verbless})\s+(?=[^\n]{{1,30}}$)"
    return re.compile(
        rf"(?<![^\W_])(?:{spaced})|(?:{unspaced})|{short}",
        re.IGNORECASE | re.MULTILINE,
    )


_LABEL = _pattern()
_HASHES = re.compile(r"^[ \t]*####(?!#)[ \t]*(?=[-+$€£¥\\]*\s?[\d.])", re.MULTILINE)


# What every label holds, in small letters; finding these first spares most of a reply the long pattern.
_STEMS = (
    "answer",
    "antwort",
    "respuesta",
    "réponse",
    "resposta",
    "ответ",
    "cevap",
    "cevab",
    "yanıt",
    "yanit",
)
_STEMS += ("jibu", "উত্তর", "సమాధానం", "జవాబు", "答", "คำตอบ", "답")
_LONGEST_PREFIX = 40  # characters of a label before its stem


def find_labels(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, rule) of every label in folded text, in order; the answer begins at ``end``."""
    lowered = text.lower()
    places = [place for place in map(lowered.find, _STEMS) if place >= 0]
    found = []
    if places:
        # (Lower case of a few letters is longer than the letter.)
        start = max(0, min(places) - _LONGEST_PREFIX) if len(lowered) == len(text) else 0
        found = [(label.start(), label.end(), "label") for label in _LABEL.finditer(text, start)]
    if "####" in text:
        found += [(label.start(), label.end(), "hashes") for label in _HASHES.finditer(text)]
    yield from sorted(found)
