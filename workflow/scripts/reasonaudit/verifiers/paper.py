r"""The grader of the equal-cost study: numbers within 1e-6, else LaTeX strings after light normalisation.

"Sample More, Reflect Less: Self-Refine and Reflexion Lose to Repeated Sampling at Equal Token Cost":
the last box with braces matched, else the text behind "the answer is", else the last number. GSM8K is
compared as numbers, MATH-500 as normalised strings and, in addition, as numbers; since every GSM8K
gold is a number, one rule serves both.
"""

import re
from fractions import Fraction

from reasonaudit.answers.boxes import find_boxes, matching_brace
from reasonaudit.verifiers.verdict import Verdict, missing

TOLERANCE = Fraction(1, 10**6)
_ANSWER_IS = re.compile(r"the answer is:?\s*", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_SPACING = re.compile(r"\\[,;:! ]|\\(?:left|right)(?![a-zA-Z])|\s+")
_FRACTION = re.compile(r"\\frac\{(-?\d+)\}\{(-?\d+)\}|(-?\d+)/(\d+)")


def verify(prediction: str | None, gold: str, *, language: str = "en", text: str | None = None) -> Verdict:
    """Accepts equal numbers (within 1e-6) and equal normalised strings."""
    answer = paper_answer(text) if text is not None else prediction
    if verdict := missing(answer, gold):
        return verdict
    left, right = normalise(answer), normalise(gold)
    if left == right:
        return Verdict(True, "equal_string")
    a, b = _number(left), _number(right)
    if a is not None and b is not None and abs(a - b) <= TOLERANCE:
        return Verdict(True, "equal_number")
    return Verdict(False, "different")


def paper_answer(text: str) -> str | None:
    """The study's extraction: box, "the answer is", last number."""
    boxes = [box for box in find_boxes(text) if box.closed]
    if boxes:
        return text[boxes[-1].start : boxes[-1].end]
    labels = list(_ANSWER_IS.finditer(text))
    if labels:
        line = text[labels[-1].end() :].split("\n", 1)[0].strip()
        if line:
            number = _NUMBER.match(line.lstrip("$*"))
            return number[0] if number else line
    numbers = _NUMBER.findall(text)
    return numbers[-1] if numbers else None


def normalise(answer: str) -> str:
    """Spacing, LaTeX fractions, degree signs, dollar and percent signs, a final point, outer braces."""
    answer = answer.strip().strip("$").strip()
    answer = re.sub(r"\\[dt]frac", r"\\frac", answer)
    answer = re.sub(r"\^\{?\\circ\}?|°|\\degree", "", answer)
    answer = re.sub(r"\\(?:text|mbox|mathrm)\{([^{}]*)\}", r"\1", answer)
    answer = _SPACING.sub("", answer).replace(r"\$", "").replace(r"\%", "").replace("%", "")
    answer = re.sub(r"\\frac(\d)(\d)", r"\\frac{\1}{\2}", answer).rstrip(".")
    while answer.startswith("{") and matching_brace(answer, 0) == len(answer) - 1:
        answer = answer[1:-1]
    return answer.rstrip(".")


def _number(text: str) -> Fraction | None:
    if found := _FRACTION.fullmatch(text):
        above, below = (found[1], found[2]) if found[1] else (found[3], found[4])
        return Fraction(int(above), int(below)) if int(below) else None
    if not re.fullmatch(r"-?[\d,]*\.?\d+", text) or len(text) > 1000:
        return None
    return Fraction(text.replace(",", ""))
