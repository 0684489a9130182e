r"""Every occurrence of a solution's answer, so that all of them can hold the same wrong number."""

import re

from reasonaudit.audit.number_tokens import NumberToken
from reasonaudit.audit.wrong_numbers import WrongNumber

# In 5-3 the answer -3 does not occur.
_NO_OPERAND_BEFORE = r"(?:(?<![\w)}\]])|(?![-−]))"


class Unsupported(Exception):  # noqa: N818 - not an error, the reason why a chain is passed over
    """The chain cannot carry a consistent wrong answer; the message is the reason's code."""


def replace_answer(
    text: str,
    *,
    question: str,
    answer: tuple[int, int],
    token: NumberToken,
    wrong: WrongNumber,
    numbers: list[NumberToken],
    question_values: set,
    alone: bool,
) -> list[tuple[int, int, str]]:
    """Spans of ``text`` and what they become, in order, the final answer among them.

    Args:
        answer: span of the final answer.
        token: the number of the answer that is changed into ``wrong``.
        numbers: all numbers of ``text``.
        alone: the answer is that number and nothing else.

    Raises:
        Unsupported: the answer is also a number of the question, is part of a larger number somewhere,
            or is found nowhere but in the final answer itself.
    """
    if alone:
        return _whole_number(token, wrong, numbers, question_values)
    return _expression(text, question, answer, token, wrong, numbers)


def _whole_number(
    token: NumberToken, wrong: WrongNumber, numbers: list[NumberToken], question_values: set
) -> list[tuple[int, int, str]]:
    if token.value in question_values:
        raise Unsupported("answer_equals_question_number")
    if any(token.digits in other.digits and other.value != token.value for other in numbers):
        raise Unsupported("answer_inside_larger_number")
    same = [other for other in numbers if other.value == token.value]
    if len(same) < 2:
        raise Unsupported("answer_not_in_chain")
    return [(other.start, other.end, _written_like(other, wrong)) for other in same]


def _written_like(other: NumberToken, wrong: WrongNumber) -> str:
    """The wrong value in the writing of one occurrence: 1,200 stays grouped, 7.0 keeps its decimal."""
    digits = wrong.value * 10**other.fraction_digits
    if digits.denominator != 1:
        raise Unsupported("answer_written_in_other_precision")
    return other.rewritten(str(digits.numerator))


def _expression(
    text: str,
    question: str,
    answer: tuple[int, int],
    token: NumberToken,
    wrong: WrongNumber,
    numbers: list[NumberToken],
) -> list[tuple[int, int, str]]:
    """A fraction, a pair, a formula: found literally, and its one number changed in each place."""
    start, end = answer
    pattern = re.compile(
        rf"{_NO_OPERAND_BEFORE}{_literal(text[start : token.start].lstrip())}"
        rf"({re.escape(token.text)}){_literal(text[token.end : end].rstrip())}"
    )
    if pattern.search(question):
        raise Unsupported("answer_equals_question_number")
    places = []
    for match in pattern.finditer(text):
        if any(_cuts(other, match.start()) or _cuts(other, match.end()) for other in numbers):
            raise Unsupported("answer_inside_larger_number")
        places.append((*match.span(1), wrong.text))
    if not any(start <= at < end for at, _, _ in places) or len(places) < 2:
        raise Unsupported("answer_not_in_chain")
    return places


def _literal(part: str) -> str:
    r"""A pattern for ``part`` as it stands, but for the size of fractions: \dfrac is \frac."""
    return re.sub(r"\\\\[dt]?frac", r"\\\\[dt]?frac", re.escape(part))


def _cuts(token: NumberToken, position: int) -> bool:
    return token.start < position < token.end
