"""The labelled line of a reply: what stands behind "ANSWER:", "the answer is" and their like."""

import re

from reasonaudit.answers.answer_spans import core, is_answer, is_long, is_placeholder, says_something, trimmed
from reasonaudit.answers.labels import find_labels
from reasonaudit.answers.number_scan import find_numbers
from reasonaudit.answers.policies import Policy
from reasonaudit.answers.wrappers import strip_span

LARGEST_FACTORIAL = 20
_SENTENCE = re.compile(
    r"(?<=[^\s.])\.(?=\s+\D|\s*$)|[。！？।]|(?<=\S)[!?](?=\s|$)|\s(?:because|since|which|as)\s"
)
_EITHER = re.compile(
    r"[^\w(]*(?:\([^()]*\)\s*)?(?:or|oder|ou|o|или|veya|または|或者?|หรือ)\s+[^\w]*(?=\d)|[^\w(]*(?:または|或者?|หรือ)(?=\d)",
    re.IGNORECASE,
)
_WRITTEN_OUT = re.compile(r"[^\w=]*\d[^=]*?[+\-*/x×÷·]\s*[($€]*\d.*=", re.DOTALL)
_EXCLAMATION = re.compile(r"(?<=\d)!+\s*\Z")
_PLAIN_AMOUNT = re.compile(r"[^\w\\(]*\d[\d.,]*")
_ECHO = re.compile(
    r"\s*[\[<](?:num|number|answer|value|数字|数値|sayı|número)[\]>]\s*(?=[^\s.,。])", re.IGNORECASE
)
_DIGIT = re.compile(r"\d|\\boxed")
_DEFERRED = re.compile(r"(?:as follows|the following|below|thus|therefore|hence|next)\W*", re.IGNORECASE)


def labelled(text: str, language: str, policy: Policy):
    """(span of the answer, span of the line as written, rule) of the last label that has one.

    None if no label has an answer; "none" if the last words of the reply say that there is no answer.
    """
    labels = list(find_labels(text))
    for place in range(len(labels) - 1, -1, -1):
        _, begin, rule = labels[place]
        limit = labels[place + 1][0] if place + 1 < len(labels) else len(text)
        span = _line_after(text, begin, limit)
        if span is None:
            continue
        found = _answer_in_line(text, *span, language, policy)
        if found is None and place == len(labels) - 1 and not _DIGIT.search(text, span[0]):
            # "The answer is not given in the text.": the last word of the reply, and it names none.
            written = text[span[0] : span[1]].strip()
            return None if not written or is_placeholder(written.strip(".")) else "none"
        if found and says_something(text[found[0] : found[1]], language, policy):
            raw = text.find("\n", span[0], span[1])
            return found, (span[0], span[1] if raw < 0 else raw), rule
    return None


def _line_after(text: str, begin: int, limit: int) -> tuple[int, int] | None:
    """The rest of the label's line, or the next line that holds anything."""
    position = begin
    for _ in range(4):
        stop = text.find("\n", position, limit)
        stop = limit if stop < 0 else stop
        start, end = strip_span(text, position, stop)
        said = text[start:end].strip("*_`#-$\\[]() ")
        if said and not _DEFERRED.fullmatch(said):
            # A display formula or a matrix goes on over several lines.
            opened = text[position:stop]
            for left, right in ((r"\[", r"\]"), ("$$", "$$"), (r"\begin{", r"\end{")):
                if left in opened and right not in opened[opened.find(left) + 2 :]:
                    close = text.find(right, stop, limit)
                    if close >= 0:
                        stop = text.find("\n", close, limit)
                        stop = limit if stop < 0 else stop
            return position, stop
        if opened_display := re.fullmatch(r"\s*(?:\\\[|\$\$)\s*", text[position:stop]):
            close = text.find(r"\]" if "[" in opened_display[0] else "$$", stop, limit)
            return (stop + 1, close) if close >= 0 else None
        position = stop + 1
        if position >= limit:
            return None
    return None


def _answer_in_line(text: str, start: int, end: int, language: str, policy: Policy) -> tuple[int, int] | None:
    """The answer in a labelled line: all of it, or of its first sentence; else the number in it."""
    if echo := _ECHO.match(text, start, end):
        start = echo.end()  # the prompt's own placeholder, left in front of the answer
    start, end = trimmed(text, start, end, language, policy)
    if shout := _EXCLAMATION.search(text[start:end]):
        # Behind a label a mark after a number that is too large for a factorial is an exclamation.
        number = text[start : start + shout.start()]
        if _PLAIN_AMOUNT.fullmatch(number) and not (number.isdigit() and int(number) <= LARGEST_FACTORIAL):
            end = start + shout.start()
    if start >= end:
        return None
    if is_answer(text[start:end], language, policy):
        return core(text, start, end, language, policy)
    if stop := _SENTENCE.search(text, start, end):
        cut = trimmed(text, start, stop.start(), language, policy)
        if cut[0] < cut[1]:
            start, end = cut
            if is_answer(text[start:end], language, policy):
                return core(text, start, end, language, policy)
    numbers = list(find_numbers(text[start:end], language))
    if not numbers:
        math = re.search(r"\$([^$]+)\$|\\\((.+?)\\\)", text[start:end])
        if math:
            group = 1 if math[1] else 2
            return trimmed(text, start + math.start(group), start + math.end(group), language, policy)
        # "The answer is not given in the text" states none.
        return None if is_long(text[start:end]) else (start, end)
    sum_end = _WRITTEN_OUT.match(text[start:end])
    after = [span for span in numbers if sum_end and span[0] >= sum_end.end()]
    if after:
        return start + after[0][0], start + after[0][1]  # 25 miles x 12 = 300 miles
    first, last = numbers[0], numbers[-1]
    if first[0] > 3:
        return start + last[0], start + last[1]
    if either := _EITHER.match(text, start + first[1], end):
        # "240 or 300", "5 (if small) or 6": two answers, and the reply does not choose.
        other = next((span for span in numbers if start + span[0] >= either.end()), first)
        first = (first[0], other[1])
    return start + first[0], start + first[1]
