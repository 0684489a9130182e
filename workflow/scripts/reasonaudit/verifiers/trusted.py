"""The reference: equivalence of canonical forms, in every language, with the rule that decided."""

from fractions import Fraction

from reasonaudit.answers.canonical import canonicalize, canonicalize_gold
from reasonaudit.answers.characters import fold
from reasonaudit.answers.conventions import reading_language
from reasonaudit.answers.extraction import STATED_RULES, extract
from reasonaudit.answers.forms import Canonical
from reasonaudit.answers.policies import DEFAULT, Policy
from reasonaudit.verifiers.verdict import Verdict, missing

_NOISE = Fraction(1, 10**12)


def verify(
    prediction: str | None,
    gold: str,
    *,
    language: str = "en",
    text: str | None = None,
    policy: Policy = DEFAULT,
) -> Verdict:
    """Whether an extracted answer is equivalent to the gold.

    Args:
        prediction: the answer that extraction found.
        gold: written with a decimal point, as the loaders make it.
        language: of the answer.
        text: the reply, whose other numbers show which decimal mark it uses.
    """
    if verdict := missing(prediction, gold):
        return verdict
    if prediction.strip() == gold.strip():
        return Verdict(True, "identical")
    right = canonicalize_gold(gold, language=language, policy=policy)
    if right is None:
        return Verdict(False, "unreadable_gold")
    if text is not None:
        language = reading_language(fold(text), language)
    left = canonicalize(prediction, language=language, policy=policy)
    if left is None or left.is_prose:
        # A sentence in place of an answer: what it states.
        found = extract(prediction, language=language, policy=policy)
        if found and found.rule in STATED_RULES:
            left = canonicalize(found.text, language=found.language, policy=policy)
    if left is None:
        return Verdict(False, "unreadable")
    return compare(left, right, policy)


def compare(left: Canonical, right: Canonical, policy: Policy = DEFAULT) -> Verdict:
    """Verdict about two canonical forms, the answer's and the gold's."""
    if left.key == right.key:
        return Verdict(True, f"equal_{left.kind}")
    if _close(left, right, policy):
        return Verdict(True, "rounded")
    # "y = 2x + 3" for "2x + 3", either way round; but "x + 2y = 5" is not the number 5.
    if right.kind not in ("equation", "number") and left.right is not None and left.right.key == right.key:
        return Verdict(True, "right_hand_side")
    if left.kind == "expression" and right.right is not None and right.right.key == left.key:
        return Verdict(True, "right_hand_side")
    if right.kind == "number" and left.loose_value == right.key:
        return Verdict(True, "named_value")
    if policy.base_suffix == "optional" and right.kind == "based" and left.key == right.parts[0].key:
        return Verdict(True, "base_left_out")
    return Verdict(False, "different")


def _close(left: Canonical, right: Canonical, policy: Policy) -> bool:
    if left.parts or right.parts:
        return _same_shape(left, right) and all(
            a.key == b.key or _close(a, b, policy)
            for a, b in zip(_ordered(left), _ordered(right), strict=True)
        )
    a, b = approximate(left), approximate(right)
    if a is None or b is None or not (left.decimal or right.decimal):
        return False
    error, scale = abs(a - b), max(abs(a), abs(b))
    if error <= _NOISE * scale and not (_is_whole(left) and _is_whole(right)):
        return True
    other = right if left.decimal else left
    return not _is_terminating(other) and error <= Fraction(policy.tolerance) * scale


def approximate(form: Canonical) -> Fraction | None:
    """The value of a number, or of an irrational one to 30 digits."""
    if form.value is not None:
        return form.value
    if form.kind == "real" and form.key.startswith("~"):
        return Fraction(form.key[1:])
    return None


def _same_shape(left: Canonical, right: Canonical) -> bool:
    return (
        left.kind == right.kind
        and left.kind != "based"
        and len(left.parts) == len(right.parts)
        and _skeleton(left) == _skeleton(right)
    )


def _skeleton(form: Canonical) -> str:
    """The key without its entries: brackets, separators, names."""
    key = form.key
    for part in form.parts:
        key = key.replace(part.key, "_", 1)
    return key


def _ordered(form: Canonical) -> list[Canonical]:
    if form.kind == "set":
        return sorted(
            form.parts, key=lambda part: (approximate(part) is None, approximate(part) or 0, part.key)
        )
    return list(form.parts)


def _is_whole(form: Canonical) -> bool:
    return form.value is not None and form.value.denominator == 1


def _is_terminating(form: Canonical) -> bool:
    """Whether a finite decimal can write the number."""
    if form.value is None:
        return False
    rest = form.value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1
