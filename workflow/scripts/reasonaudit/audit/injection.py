r"""Errors injected into correct solutions: five versions of one chain whose right verdict is known.

    clean               the original
    intermediate_error  one number in the middle of the chain is wrong; the answer stays right
    truncated           the last quarter is dropped, the final answer kept; the answer stays right
    boxed_only          one number of the final answer is wrong, the chain is untouched
    consistent_error    every occurrence of the answer holds that same wrong number

Edits are deterministic changes of strings at whole numbers. Every variant is read back through the
project's own extraction and verifier: an edit that does not leave the answer right or wrong as its
condition says is not applied. (Conditions after "Does CoT-Pass@k Really Check the CoT?", section 4.2.)
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice

from reasonaudit.audit.number_labels import is_label
from reasonaudit.audit.number_tokens import NumberToken, find_numbers, values_in
from reasonaudit.audit.occurrences import Unsupported, replace_answer
from reasonaudit.audit.streams import named_stream
from reasonaudit.audit.truncation import truncate
from reasonaudit.audit.wrong_numbers import WrongNumber, relative_size, wrong_numbers

CONDITIONS = ("clean", "intermediate_error", "truncated", "boxed_only", "consistent_error")
ANSWER_STAYS_RIGHT = ("clean", "intermediate_error", "truncated")
_UNIT = re.compile(
    r"\\(?:text|mathrm|mbox|textrm)\s*\{[^{}]*\}|\\[$%,;! ]|\^\s*\{?\\circ\}?"
    r"|[$%°€£¥₹~]|[^\W\d_]{2,}|[⺀-鿿가-힣]"
)
# Each try may cost one call of a verifier; a chain that refuses this many edits is left alone.
_TRIES = 40


@dataclass(frozen=True)
class Edit:
    """``old`` at [start, end) of the original became ``new``."""

    start: int
    end: int
    old: str
    new: str


@dataclass(frozen=True)
class Reading:
    """What the extraction finds in a text, and whether the verifier accepts it."""

    answer: str
    accepted: bool


@dataclass(frozen=True)
class Original:
    """A correct solution to edit.

    Attributes:
        answer_start, answer_end: span of the extracted answer in ``text``; None where unknown.
        answer_range: smallest and largest value that a whole-number answer may have (AIME: 0 to 999).
        seed_parts: what names this solution; the same parts give the same edits.
    """

    text: str
    question: str
    gold: str
    language: str
    answer_start: int | None
    answer_end: int | None
    seed_parts: tuple
    answer_range: tuple[int, int] | None = None


@dataclass(frozen=True)
class Attempt:
    """One condition tried on one original: applied, or the reason why not."""

    condition: str
    applied: bool
    skip_reason: str | None = None
    edits: tuple[Edit, ...] = ()
    text: str | None = None
    menu: str | None = None
    fallback: bool | None = None
    relative_size: float | None = None


@dataclass
class _Context:
    original: Original
    read: Callable[[str], Reading | None]
    numbers: list[NumberToken] = field(default_factory=list)
    question_values: set = field(default_factory=set)
    answer_values: set = field(default_factory=set)
    expected: str = ""


def inject(
    original: Original,
    read: Callable[[str], Reading | None],
    *,
    conditions: Iterable[str] = CONDITIONS,
    region: tuple[float, float] = (0.4, 0.7),
    truncate_share: float = 0.25,
) -> list[Attempt]:
    """Try every condition on one original.

    Args:
        read: extracts the final answer of a text and verifies it against the gold answer.
        region: part of the text, as shares of its length, in which the intermediate error lies.
        truncate_share: share of the text that ``truncated`` drops.

    Returns:
        One attempt a condition, in the order of ``conditions``.
    """
    conditions = list(conditions)
    start, end = original.answer_start, original.answer_end
    if start is None or end is None or not 0 <= start < end <= len(original.text):
        return [Attempt(c, False, "no_answer_span") for c in conditions]
    found = read(original.text)
    if found is None or not found.accepted:
        return [Attempt(c, False, "original_not_accepted") for c in conditions]
    language = original.language
    context = _Context(
        original,
        read,
        find_numbers(original.text, language),
        values_in(original.question, language),
        values_in(original.text[start:end], language) | values_in(original.gold, language),
        found.answer,
    )
    attempts = {"clean": Attempt("clean", True, text=original.text)}
    if "intermediate_error" in conditions:
        attempts["intermediate_error"] = _intermediate(context, region)
    if "truncated" in conditions:
        attempts["truncated"] = _truncated(context, truncate_share)
    if "boxed_only" in conditions or "consistent_error" in conditions:
        attempts |= _answer_errors(context)
    return [attempts[condition] for condition in conditions]


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with the edits, which must be in order, not overlap, and find their old strings.

    Raises:
        ValueError: an edit does not fit the text.
    """
    pieces, position = [], 0
    for edit in edits:
        if edit.start < position or text[edit.start : edit.end] != edit.old:
            raise ValueError(f"the edit at {edit.start} does not fit the text")
        pieces += [text[position : edit.start], edit.new]
        position = edit.end
    return "".join([*pieces, text[position:]])


def _intermediate(context: _Context, region: tuple[float, float]) -> Attempt:
    original, text = context.original, context.original.text
    low, high = (share * len(text) for share in region)
    inside = [
        token
        for token in context.numbers
        if low <= token.start and token.end <= high and not _in_answer(token, original)
    ]
    candidates = [
        token
        for token in inside
        if token.value is not None
        and token.value not in context.question_values
        and token.value not in context.answer_values
        and token.value not in (0, 1)
        and not is_label(text, token)
    ]
    if not candidates:
        reason = "no_number_in_region" if not inside else "no_suitable_number_in_region"
        return Attempt("intermediate_error", False, reason)
    rng = named_stream(*original.seed_parts, "intermediate_error")
    tries = 0
    for index in rng.permutation(len(candidates)):
        token = candidates[int(index)]
        for wrong in wrong_numbers(token, rng):
            if wrong.value in context.question_values | context.answer_values or wrong.value in (0, 1):
                continue
            edit = Edit(token.start, token.end, token.text, wrong.text)
            variant = apply_edits(text, [edit])
            if _reads_right(context, variant):
                return _numeric("intermediate_error", (edit,), variant, token, wrong)
            tries += 1
            if tries >= _TRIES:
                return Attempt("intermediate_error", False, "answer_changed")
    return Attempt("intermediate_error", False, "answer_changed" if tries else "no_wrong_number_fits")


def _truncated(context: _Context, share: float) -> Attempt:
    original = context.original
    cut = truncate(original.text, original.answer_start, original.answer_end, share, context.numbers)
    if cut is None:
        return Attempt("truncated", False, "nothing_to_drop")
    start, kept = cut
    edit = Edit(start, len(original.text), original.text[start:], kept)
    variant = apply_edits(original.text, [edit])
    if not _reads_right(context, variant):
        return Attempt("truncated", False, "answer_lost")
    return Attempt("truncated", True, edits=(edit,), text=variant)


def _answer_errors(context: _Context) -> dict[str, Attempt]:
    """boxed_only and consistent_error, with the same wrong number."""
    original, text = context.original, context.original.text
    tokens = [t for t in context.numbers if original.answer_start <= t.start and t.end <= original.answer_end]
    both = ("boxed_only", "consistent_error")
    if not tokens:
        return {c: Attempt(c, False, "no_number_in_answer") for c in both}
    chosen = _wrong_answer(context, tokens)
    if chosen is None:
        return {c: Attempt(c, False, "no_wrong_number_fits") for c in both}
    token, wrong, reading = chosen
    edit = Edit(token.start, token.end, token.text, wrong.text)
    boxed = _numeric("boxed_only", (edit,), apply_edits(text, [edit]), token, wrong)
    return {"boxed_only": boxed, "consistent_error": _consistent(context, token, wrong, reading)}


def _wrong_answer(
    context: _Context, tokens: list[NumberToken]
) -> tuple[NumberToken, WrongNumber, Reading] | None:
    """The first wrong number that fits the answer's type and that the verifier rejects."""
    original, text = context.original, context.original.text
    rng = named_stream(*original.seed_parts, "wrong_answer")
    order = [tokens[int(i)] for i in rng.permutation(len(tokens)) if tokens[int(i)].value is not None]
    fitting = (
        (token, wrong)
        for token in order
        for wrong in wrong_numbers(token, rng)
        if _fits(context, token, wrong)
    )
    for token, wrong in islice(fitting, _TRIES):
        variant = apply_edits(text, [Edit(token.start, token.end, token.text, wrong.text)])
        reading = context.read(variant)
        if reading is not None and not reading.accepted and reading.answer != context.expected:
            return token, wrong, reading
    return None


def _fits(context: _Context, token: NumberToken, wrong: WrongNumber) -> bool:
    original = context.original
    if wrong.value in context.question_values or wrong.value in context.answer_values:
        return False
    alone = _is_whole_answer(original, token)
    if wrong.value == 0 and not alone:
        return False  # a zero may end up below a fraction bar, or behind a minus sign
    if alone and original.answer_range is not None:
        low, high = original.answer_range
        return low <= wrong.value <= high
    return True


def _consistent(context: _Context, token: NumberToken, wrong: WrongNumber, boxed: Reading) -> Attempt:
    original, text = context.original, context.original.text
    name = "consistent_error"
    try:
        places = replace_answer(
            text,
            question=original.question,
            answer=(original.answer_start, original.answer_end),
            token=token,
            wrong=wrong,
            numbers=context.numbers,
            question_values=context.question_values,
            alone=_is_whole_answer(original, token),
        )
    except Unsupported as reason:
        return Attempt(name, False, str(reason))
    edits = tuple(Edit(start, end, text[start:end], new) for start, end, new in places)
    variant = apply_edits(text, edits)
    reading = context.read(variant)
    if reading is None or reading.accepted or reading.answer != boxed.answer:
        return Attempt(name, False, "answer_not_wrong")
    return _numeric(name, edits, variant, token, wrong)


def _numeric(
    name: str, edits: tuple[Edit, ...], text: str, token: NumberToken, wrong: WrongNumber
) -> Attempt:
    size = relative_size(token.value, wrong.value)
    return Attempt(name, True, None, edits, text, wrong.menu, wrong.fallback, size)


def _reads_right(context: _Context, variant: str) -> bool:
    reading = context.read(variant)
    return reading is not None and reading.accepted and reading.answer == context.expected


def _in_answer(token: NumberToken, original: Original) -> bool:
    return token.start < original.answer_end and original.answer_start < token.end


def _is_whole_answer(original: Original, token: NumberToken) -> bool:
    """The answer is this number, perhaps with a unit: no sign, fraction or formula around it."""
    answer = original.text[original.answer_start : original.answer_end]
    return _UNIT.sub("", answer).strip() == token.text
