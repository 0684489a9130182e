r"""The final answer of a reply: an ordered list of named rules; the first that finds one decides.

    whole           the text is nothing but an answer (so that extracting twice changes nothing)
    boxed           the last \boxed or \fbox, braces counted
    boxed_unclosed  a last box whose brace never closes, to the end of its line
    label           the last labelled line ("ANSWER: 5", "the answer is 5", 答えは5, Cevap: 5), or ####
    last_number     the last number

Only the text outside of thinking blocks is read. A box or label that holds a placeholder of the
prompt (<value>, [num], answer) is none. Where a box or a label shows a chain of equalities, its last
member is the answer. Reading is repeated on what was found until it stays as it is.
"""

import re
from dataclasses import dataclass

from reasonaudit.answers.boxes import find_boxes
from reasonaudit.answers.canonical import canonicalize
from reasonaudit.answers.characters import fold
from reasonaudit.answers.conventions import reading_language
from reasonaudit.answers.labels import find_labels
from reasonaudit.answers.number_scan import find_numbers
from reasonaudit.answers.policies import DEFAULT, Policy
from reasonaudit.answers.splitting import depths
from reasonaudit.answers.wrappers import strip_span

RULES = ("whole", "boxed", "boxed_unclosed", "label", "last_number")
MAX_AMOUNT = 120  # characters of a number with all its units
LARGEST_FACTORIAL = 20
MAX_WORDS_LENGTH = 60  # characters of an answer in words
STATED_RULES = frozenset(("boxed", "label"))
_THINK_END = re.compile(
    r"</(?:think|thinking|thought|reasoning)>|<\|end_of_thought\|>|◁/think▷", re.IGNORECASE
)
_THINK_START = re.compile(
    r"<(?:think|thinking|thought|reasoning)>|<\|begin_of_thought\|>|◁think▷", re.IGNORECASE
)
_CONTROL = re.compile(r"<\|[a-z_]{2,30}\|>|</?s>", re.IGNORECASE)
_ANNOTATION = re.compile(r"<<[^<>\n]{0,200}>>")
_PLACEHOLDER = re.compile(
    r"[<\[(]?\s*(?:your\s+)?(?:final\s+)?(?:answer|value|number|num|result|expression|n|x|cevap|değer|sayı|resposta|"
    r"valor|número|答え|答案|数値|値|数字|数值)(?:\s+here)?\s*[>\])]?|\.{2,}|…|\?+|_+|\\[lc]?dots|\\square",
    re.IGNORECASE,
)
_BARE_PLACEHOLDERS_ALLOWED = re.compile(r"[nx]|\d.*", re.IGNORECASE)
_SENTENCE = re.compile(
    r"(?<=[^\s.])\.(?=\s+\D|\s*$)|[。！？।]|(?<=\S)[!?](?=\s|$)|\s(?:because|since|which|as)\s"
)
_FULL_STOP = re.compile(r"\s*[.!?。！？।](?:\s|$)")
_EQUALS = re.compile(r"(?<![<>!:\\=])=(?![=>])|≈|\\approx(?![a-zA-Z])")
_EITHER = re.compile(r"[^\w]*(?:or|oder|ou|o|или|veya|または|或者?|หรือ)[^\w]*", re.IGNORECASE)
_WRITTEN_OUT = re.compile(r"[^\w=]*\d[^=]*?[+\-*/x×÷·]\s*[($€]*\d.*=", re.DOTALL)
_EXCLAMATION = re.compile(r"(?<=\d)!+\s*\Z")
_ECHO = re.compile(
    r"\s*[\[<](?:num|number|answer|value|数字|数値|sayı|número)[\]>]\s*(?=[^\s.,。])", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f\uac00-\ud7af]")
_COMMAND = re.compile(r"\\[a-zA-Z]+|\\text\s*\{[^{}]*\}|\\mbox\s*\{[^{}]*\}")


@dataclass(frozen=True)
class Extraction:
    """An answer found in a reply.

    Args:
        text: the answer, ``reply[start:end]``.
        rule: the rule that found it.
        raw: what stood in the box or behind the label before decoration, units and sentence were
            taken off; the weak verifiers under audit see this.
    """

    text: str
    start: int
    end: int
    rule: str
    raw: str
    language: str


def extract(
    text: str | None, *, language: str = "en", policy: Policy = DEFAULT, truncated: bool = False
) -> Extraction | None:
    """The final answer that a reply states, None if there is none.

    Args:
        text: the reply.
        language: of the data set; decides how numbers in the text are cut.
        policy: see ``policies``: several boxes, replies cut short.
        truncated: whether the reply was cut by the token limit.
    """
    if not text or (truncated and policy.truncated == "unreadable"):
        return None
    language = reading_language(fold(text), language)
    found = _once(text, language, policy, truncated)
    if found is None:
        return None
    start, end, rule, raw = found
    # What a box holds may itself be a sentence with a label, a chain, decoration.
    for _ in range(20):
        again = _once(text[start:end], language, policy, False)
        if again is None:
            return None  # what says nothing on its own is no answer
        if (again[0], again[1]) == (0, end - start):
            break
        start, end = start + again[0], start + again[1]
    return Extraction(text[start:end], start, end, rule, raw, language)


def _once(text: str, language: str, policy: Policy, truncated: bool) -> tuple[int, int, str, str] | None:
    """(start, end, rule, raw) of one reading."""
    folded = fold(text)
    begin, finish = _outside_thinking(folded)
    if begin >= finish:
        return None
    visible = _masked(folded, begin, finish)
    allowed = STATED_RULES if truncated and policy.truncated == "stated" else frozenset(RULES)
    for name, read in (
        ("whole", _whole),
        ("boxed", _boxed),
        ("boxed_unclosed", _unclosed),
        ("label", _labelled),
        ("last_number", _last_number),
    ):
        if name not in allowed:
            continue
        found = read(visible, language, policy)
        if found == "none":
            return None
        if found is not None:
            (start, end), (raw_start, raw_end), rule = found
            return start, end, rule, text[raw_start:raw_end].strip()
    return None


def _outside_thinking(text: str) -> tuple[int, int]:
    """The span after the last end mark; of an unfinished thinking block, what comes before it."""
    ends = list(_THINK_END.finditer(text))
    begin = ends[-1].end() if ends else 0
    unfinished = _THINK_START.search(text, begin)
    return begin, unfinished.start() if unfinished else len(text)


def _masked(text: str, begin: int, finish: int) -> str:
    """Text of the same length in which everything that is not to be read is blank."""
    visible = " " * begin + text[begin:finish]
    visible = _CONTROL.sub(lambda found: " " * len(found[0]), visible)
    return _ANNOTATION.sub(lambda found: " " * len(found[0]), visible)


def _whole(text: str, language: str, policy: Policy):
    start, end = strip_span(text, 0, len(text))
    if start >= end or end - start > 2000 or _is_prose(text[start:end]):
        return None
    if len(text[start:end].split()) > 1 and _FULL_STOP.match(text, end):
        form = canonicalize(text[start:end], language=language, policy=policy)
        if form is None or form.is_prose:
            return None  # a sentence, such as "I cannot say."
    start, end = _trimmed(text, 0, len(text), language, policy)
    content = text[start:end]
    if not content or not _is_answer(content, language, policy):
        return None
    return (start, end), (0, len(text)), "whole"


def _is_answer(content: str, language: str, policy: Policy) -> bool:
    """Whether a text is an answer and no sentence that contains one."""
    if _is_prose(content):
        return False
    form = canonicalize(content, language=language, policy=policy)
    if form is None or _PLACEHOLDER.fullmatch(content):
        return form is not None and bool(_BARE_PLACEHOLDERS_ALLOWED.fullmatch(content))
    if form.kind == "text":
        return not any(map(str.isdigit, content)) and not _is_long(content)
    words = len(_WORD.findall(_COMMAND.sub(" ", content)))
    if form.kind == "form":
        if content.startswith(("$", "\\")) and words <= 6 and len(content) <= 200:
            return True  # a formula with a condition: $2n$ for odd $n$
        return words <= 2 and ". " not in content and not _CJK.search(content)
    # "It takes 9 + 5 = 14 days" is a sentence, though its last member is a number.
    return words == 0 or not _EQUALS.search(content)


def _is_prose(content: str) -> bool:
    """A quick test that spares most replies the reading of their whole text as one answer."""
    if ("\n" in content and r"\begin" not in content) or r"\boxed" in content or r"\fbox" in content:
        return True
    if len(content) > 60 and len(_WORD.findall(_COMMAND.sub(" ", content))) > 10:
        return True
    return next(find_labels(content), None) is not None


def _boxed(text: str, language: str, policy: Policy):
    boxes = [box for box in find_boxes(text) if box.closed]
    spans = [_trimmed(text, box.start, box.end, language, policy) for box in boxes]
    kept = [
        (box, span)
        for box, span in zip(boxes, spans, strict=True)
        if span[0] < span[1] and not _is_placeholder(text[span[0] : span[1]])
    ]
    if not kept:
        return None
    if len(kept) > 1 and policy.several_boxes == "unreadable":
        forms = {canonicalize(text[start:end], language=language, policy=policy) for _, (start, end) in kept}
        if len({form.key if form else "" for form in forms}) > 1:
            return "none"
    box, span = kept[-1]
    if len(kept) > 1 and policy.several_boxes == "join":
        line = text.rfind("\n", 0, box.start) + 1
        same = [item for item in kept if item[0].start >= line]
        if len(same) > 1:
            first = text.rfind("\\", 0, same[0][0].start)
            whole = (first, box.end + (text[box.end : box.end + 1] == "}"))
            return whole, whole, "boxed_joined"
    return span, (box.start, box.end), "boxed"


def _unclosed(text: str, language: str, policy: Policy):
    boxes = find_boxes(text)
    if not boxes or boxes[-1].closed:
        return None
    box = boxes[-1]
    start, end = _trimmed(text, box.start, box.end, language, policy)
    while end > start and text[end - 1] == "}" and text.count("}", start, end) > text.count("{", start, end):
        end -= 1
    if start >= end or _is_placeholder(text[start:end]):
        return None
    return (start, end), (box.start, box.end), "boxed_unclosed"


def _labelled(text: str, language: str, policy: Policy):
    labels = list(find_labels(text))
    for place in range(len(labels) - 1, -1, -1):
        _, begin, rule = labels[place]
        limit = labels[place + 1][0] if place + 1 < len(labels) else len(text)
        span = _line_after(text, begin, limit)
        if span is None:
            continue
        found = _answer_in_line(text, *span, language, policy)
        if found and _says_something(text[found[0] : found[1]], language, policy):
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
        if start < end and text[start:end].strip("*_`#-$\\[]() "):
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
    start, end = _trimmed(text, start, end, language, policy)
    if shout := _EXCLAMATION.search(text[start:end]):
        # Behind a label a mark after a number that is too large for a factorial is an exclamation.
        number = text[start : start + shout.start()]
        if not number.isdigit() or int(number) > LARGEST_FACTORIAL:
            end = start + shout.start()
    if start >= end:
        return None
    if _is_answer(text[start:end], language, policy):
        return _core(text, start, end, language, policy)
    if stop := _SENTENCE.search(text, start, end):
        cut = _trimmed(text, start, stop.start(), language, policy)
        if cut[0] < cut[1]:
            start, end = cut
            if _is_answer(text[start:end], language, policy):
                return _core(text, start, end, language, policy)
    numbers = list(find_numbers(text[start:end], language))
    if not numbers:
        math = re.search(r"\$([^$]+)\$|\\\((.+?)\\\)", text[start:end])
        if math:
            group = 1 if math[1] else 2
            return _trimmed(text, start + math.start(group), start + math.end(group), language, policy)
        # "The answer is not given in the text" states none.
        return None if _is_long(text[start:end]) else (start, end)
    sum_end = _WRITTEN_OUT.match(text[start:end])
    after = [span for span in numbers if sum_end and span[0] >= sum_end.end()]
    if after:
        return start + after[0][0], start + after[0][1]  # 25 miles x 12 = 300 miles
    first, last = numbers[0], numbers[-1]
    if first[0] > 3:
        return start + last[0], start + last[1]
    if len(numbers) > 1 and _EITHER.fullmatch(text, start + first[1], start + numbers[1][0]):
        first = (first[0], numbers[1][1])  # "240 or 300" does not choose
    return start + first[0], start + first[1]


def _is_long(content: str) -> bool:
    return len(content) > MAX_WORDS_LENGTH or len(content.split()) > 6


def _core(text: str, start: int, end: int, language: str, policy: Policy) -> tuple[int, int]:
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


def _last_number(text: str, language: str, policy: Policy):
    numbers = list(find_numbers(text, language))
    return (numbers[-1], numbers[-1], "last_number") if numbers else None


def _trimmed(text: str, start: int, end: int, language: str, policy: Policy) -> tuple[int, int]:
    """Without decoration; of a chain of equalities the last member; of an amount the number."""
    start, end = strip_span(text, start, end)
    content = text[start:end]
    if "=" in content or "≈" in content or "approx" in content:
        levels = depths(content)
        marks = [mark for mark in _EQUALS.finditer(content) if levels[mark.start()] == 0]
        commas = any(
            content[i] == "," and levels[i] == 0 and content[i + 1 : i + 2] == " "
            for i in range(len(content))
        )
        exact = [mark for mark in marks if mark[0] == "="]
        if marks and not commas:
            if len(exact) < len(marks) and (exact or marks[0].start() > 0):
                # An approximation after an exact value adds nothing.
                stop = next(mark.start() for mark in marks if mark[0] != "=")
                if content[:stop].strip():
                    return _trimmed(text, start, start + stop, language, policy)
            if len(exact) > 1:
                return _trimmed(text, start + exact[-1].end(), end, language, policy)
    return _core(text, *strip_span(text, start, end), language, policy) if start < end else (start, end)


def _says_something(content: str, language: str, policy: Policy) -> bool:
    return not _is_placeholder(content) and canonicalize(content, language=language, policy=policy) is not None


def _is_placeholder(content: str) -> bool:
    return bool(_PLACEHOLDER.fullmatch(content)) and not _BARE_PLACEHOLDERS_ALLOWED.fullmatch(content)
