r"""The final answer of a reply: an ordered list of named rules; the first that finds one decides.

    whole           the text is nothing but an answer (so that extracting twice changes nothing)
    boxed           the last \boxed or \fbox, braces counted
    boxed_unclosed  a last box whose brace never closes, to the end of its line
    label           the last labelled line ("ANSWER: 5", "the answer is 5", 答えは5, Cevap: 5), or ####
    last_number     the last number

Only the text outside of thinking blocks is read: after the last end mark, before an unfinished start. A
box or label that holds a placeholder of the prompt (<value>, [num], answer) is none. Of a chain of
equalities the last member is the answer, of a number with currency and unit the number. Where the last
words of a reply are a label with a sentence that names no answer ("the answer cannot be found"), there is
none. Reading is repeated on what was found until it stays as it is.
"""

import re
from dataclasses import dataclass

from reasonaudit.answers.answer_lines import labelled
from reasonaudit.answers.answer_spans import is_answer, is_placeholder, is_prose, trimmed
from reasonaudit.answers.boxes import find_boxes
from reasonaudit.answers.canonical import canonicalize
from reasonaudit.answers.characters import fold
from reasonaudit.answers.conventions import reading_language
from reasonaudit.answers.number_scan import find_numbers
from reasonaudit.answers.policies import DEFAULT, Policy
from reasonaudit.answers.wrappers import strip_span

RULES = ("whole", "boxed", "boxed_unclosed", "label", "last_number")
STATED_RULES = frozenset(("boxed", "boxed_joined", "label", "hashes"))
_THINK_END = re.compile(
    r"</(?:think|thinking|thought|reasoning)>|<\|end_of_thought\|>|◁/think▷", re.IGNORECASE
)
_THINK_START = re.compile(
    r"<(?:think|thinking|thought|reasoning)>|<\|begin_of_thought\|>|◁think▷", re.IGNORECASE
)
_CONTROL = re.compile(r"<\|[a-z_]{2,30}\|>|</?s>", re.IGNORECASE)
_ANNOTATION = re.compile(r"<<[^<>\n]{0,200}>>")
_PLAIN = re.compile(r"-?[0-9]+")
_GOES_ON = re.compile(r"[^\d.,]")
_FULL_STOP = re.compile(r"\s*[.!?。！？।](?:\s|$)")


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
    at_the_cut = truncated and rule in ("label", "hashes") and not _GOES_ON.search(text, end)
    if at_the_cut and policy.truncated == "stated":
        return None  # "ANSWER: 12" may have been 125
    # What a box holds may itself be a sentence with a label, a chain, decoration.
    for _ in range(0 if _PLAIN.fullmatch(text, start, end) else 20):
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
        ("label", labelled),
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
    if "\n" in text.strip() and r"\begin" not in text:
        return None
    start, end = strip_span(text, 0, len(text))
    if start >= end or end - start > 2000 or is_prose(text[start:end]):
        return None
    if len(text[start:end].split()) > 1 and _FULL_STOP.match(text, end):
        form = canonicalize(text[start:end], language=language, policy=policy)
        if form is None or form.is_prose:
            return None  # a sentence, such as "I cannot say."
    start, end = trimmed(text, 0, len(text), language, policy)
    content = text[start:end]
    if not content or not is_answer(content, language, policy):
        return None
    return (start, end), (0, len(text)), "whole"


def _boxed(text: str, language: str, policy: Policy):
    boxes = [box for box in find_boxes(text) if box.closed]
    spans = [trimmed(text, box.start, box.end, language, policy) for box in boxes]
    kept = [
        (box, span)
        for box, span in zip(boxes, spans, strict=True)
        if span[0] < span[1] and not is_placeholder(text[span[0] : span[1]])
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
    start, end = trimmed(text, box.start, box.end, language, policy)
    while end > start and text[end - 1] == "}" and text.count("}", start, end) > text.count("{", start, end):
        end -= 1
    if start >= end or is_placeholder(text[start:end]):
        return None
    return (start, end), (box.start, box.end), "boxed_unclosed"


def _last_number(text: str, language: str, policy: Policy):
    numbers = list(find_numbers(text, language))
    return (numbers[-1], numbers[-1], "last_number") if numbers else None
