"""What a method must read in a reply while it is still generating. Small, strict and frozen.

A change here changes which calls are made, so it re-runs the methods that import it. Grading has its
own, richer extraction and never comes here. Where a reply does not say it in the agreed form, the
answer is None: a guess must not steer what is generated next.
"""

import re
import unicodedata

LONGEST_ANSWER = 200  # characters; a longer "answer" is a text that went astray

# Words are delimited by ASCII letters only: "CORRECTです" holds the word, "INCORRECT" and
# "CORRECTLY" do not.
_START, _END = r"(?<![A-Za-z])", r"(?![A-Za-z])"
_OR = r"[\s\"'*`]*(?:/|\||or|ou|oder|veya|または|もしくは|か|或者?|还是)[\s\"'*`]*"
_NOT = rf"(?:{_START}(?i:not)|(?i:n['’]t))\s+"
_OFFER = re.compile(rf"{_START}(?:CORRECT{_OR}INCORRECT|INCORRECT{_OR}CORRECT){_END}")
_NEGATED_INCORRECT = re.compile(rf"{_NOT}INCORRECT{_END}")
_INCORRECT = re.compile(rf"(?:{_START}INCORRECT|{_NOT}CORRECT){_END}")
_CORRECT = re.compile(rf"{_START}CORRECT{_END}")
# In prose only a sentence that is the verdict counts: "The answer is not correct."
_PROSE = re.compile(
    rf"(?:(?:yes|no|so|the|my|your|this|that|it|final|answer|solution|verdict|judge?ment|result|is|was)"
    rf"{_END}[\s,:]*)*(?P<not>not\s+)?(?P<word>correct|incorrect)"
    rf"(?:\s*[,:;-].*|\s+(?:because|since|as){_END}.*)?",
    re.DOTALL,
)
_SENTENCE_END = re.compile(r"[.!?。！？\n]+")

_LABEL = re.compile(rf"{_START}(?i:answer)[ \t*_]*[:：][ \t*_]*(?P<value>[^\n]*)")
_BOX = re.compile(r"\\f?boxed\s*\{")
_NUMBER = re.compile(r"(?P<sign>[+-]?)(?P<whole>[0-9]+)(?:\.(?P<part>[0-9]*))?")
_ITEM = re.compile(r"\s*(?:[-*•]\s|\(?\d{1,2}\s*[.)、:](?!\d))\s*(?P<text>\S.*)")


def read_judgement(text: str) -> bool | None:
    """Whether a judge's reply says CORRECT (True) or INCORRECT (False); None if it says neither.

    The words in capitals are the protocol's: INCORRECT is matched before CORRECT, as whole words. The
    instruction repeated ("CORRECT or INCORRECT") is no verdict. Without either word in capitals, a
    sentence that is a verdict in prose counts ("The answer is not correct."), a sentence that only
    mentions the word does not ("I cannot say that it is correct.").
    """
    text = _plain(text)
    words = _NEGATED_INCORRECT.sub(" ", _OFFER.sub(" ", text))
    if _INCORRECT.search(words):
        return False
    if _CORRECT.search(words):
        return True
    verdicts = []
    for sentence in _SENTENCE_END.split(text.casefold()):
        match = _PROSE.fullmatch(sentence.strip(" \t\"'*_`#>:,-"))
        if match and not (match["not"] and match["word"] == "incorrect"):
            verdicts.append(match["word"] == "correct" and not match["not"])
    return all(verdicts) if verdicts else None


def read_answer(text: str) -> str | None:
    """The value after the last ``ANSWER:`` or in the last ``\\boxed{}``, whichever stands later.

    None if there is neither, if it is empty, or longer than ``LONGEST_ANSWER`` characters.
    """
    found = [(match.start(), match["value"]) for match in _LABEL.finditer(text)]
    for match in _BOX.finditer(text):
        content = _braced(text, match.end())
        if content is not None:
            found.append((match.start(), content))
    if not found:
        return None
    value = max(found)[1].strip().strip("*_").strip()
    boxed = _BOX.match(value)  # "ANSWER: \boxed{5}" is found twice; the box stands later and wins
    if boxed or not value or len(value) > LONGEST_ANSWER:
        return None
    return value


def answer_key(answer: str) -> str:
    """A form in which equal answers are equal strings: ``$1,200.0`` and ``1200`` meet.

    Enough to see that a model repeats itself; not the equivalence that grading uses.
    """
    key = "".join(_plain(answer).split()).casefold()
    key = re.sub(r"\\[()$]", "", key).strip("$.。")
    number = _NUMBER.fullmatch(re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", key))
    if number is None:
        return key
    whole, part = number["whole"].lstrip("0") or "0", (number["part"] or "").rstrip("0")
    value = f"{whole}.{part}" if part else whole
    return f"-{value}" if number["sign"] == "-" and value != "0" else value


def read_list(text: str, limit: int) -> list[str]:
    """The first ``limit`` different items of a numbered or bulleted list, without their numbers."""
    items = (_ITEM.fullmatch(_plain(line)) for line in text.splitlines())
    texts = (item["text"].strip().strip("*").strip() for item in items if item)
    return list(dict.fromkeys(filter(None, texts)))[:limit]


def _plain(text: str) -> str:
    """Full-width letters as ASCII, invisible characters gone."""
    text = unicodedata.normalize("NFKC", text)
    return "".join(c for c in text if unicodedata.category(c) != "Cf")


def _braced(text: str, start: int) -> str | None:
    """Text from ``start`` to the brace that closes the one before it; None if it never closes."""
    depth = 1
    for place in range(start, len(text)):
        if text[place] in "{}" and (place == 0 or text[place - 1] != "\\"):
            depth += 1 if text[place] == "{" else -1
            if depth == 0:
                return text[start:place]
    return None
