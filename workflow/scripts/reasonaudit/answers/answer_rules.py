"""The named rules that turn the calls of a method on one question into its answer or answers.

A method declares its rule by name, outside of its generator, so that changing the rule generates
nothing anew. A rule never looks at the gold.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from reasonaudit.answers.canonical import canonicalize
from reasonaudit.answers.extraction import extract
from reasonaudit.answers.picks import read_pick
from reasonaudit.answers.policies import Policy
from reasonaudit.answers.voting import vote
from reasonaudit.errors import ConfigError, TableError

# Roles of calls whose text holds an answer to the question; critiques, judgements, reflections, picks
# and sub-questions hold none.
ANSWER_ROLES = frozenset(("sample", "revise", "retry", "agent"))
Call = Mapping[str, object]


@dataclass(frozen=True)
class Answered:
    """Where an answer of a method is, and what it cost.

    Args:
        call: the call whose text holds the answer.
        sample_index: of the answer: 0, or the sample's for pools.
        calls: the calls that made it, all of which it pays for.
        note: what had to be decided: ``pick_unreadable``, ``pick_out_of_range``, ``no_majority``.
    """

    call: Call
    sample_index: int
    calls: tuple[Call, ...]
    note: str | None = None

    @property
    def generated_tokens(self) -> int | None:
        """Tokens generated in all calls; None where a count is unknown (replies made elsewhere)."""
        return _sum_known(self.calls, "completion_tokens")

    @property
    def total_tokens(self) -> int | None:
        """Generated tokens and prompt tokens, cached ones included; None where a count is unknown."""
        prompts = _sum_known(self.calls, "prompt_tokens")
        generated = self.generated_tokens
        return None if prompts is None or generated is None else prompts + generated

    @property
    def stopped_by_length(self) -> bool:
        """Whether the call that holds the answer was cut by its token limit."""
        return was_cut(self.call)

    @property
    def context_error(self) -> bool:
        """Whether a call never started because its prompt did not fit."""
        return any(call["stop_reason"] == "context" and call["completion_tokens"] == 0 for call in self.calls)


def _sum_known(calls: Sequence[Call], column: str) -> int | None:
    counts = [call[column] for call in calls]
    return None if None in counts else sum(counts)


def was_cut(call: Call) -> bool:
    """Whether a reply was cut by the token limit; where no reason was stored, as many tokens say so."""
    if call["stop_reason"] is not None:
        return call["stop_reason"] == "length"
    limit = call.get("max_tokens")
    return limit is not None and (call["completion_tokens"] or 0) >= limit


def _answers_of(calls: Sequence[Call]) -> list[Call]:
    bearing = [call for call in calls if call["role"] in ANSWER_ROLES]
    if not bearing:
        raise TableError(
            "no call of this question holds an answer",
            where=f"question {calls[0].get('question_id')}, roles {sorted({c['role'] for c in calls})}",
            hint=f"roles that hold an answer: {', '.join(sorted(ANSWER_ROLES))}",
        )
    return bearing


def last_call(calls: Sequence[Call], language: str, policy: Policy) -> list[Answered]:
    """The last call that holds an answer."""
    return [Answered(_answers_of(calls)[-1], 0, tuple(calls))]


def last_attempt(calls: Sequence[Call], language: str, policy: Policy) -> list[Answered]:
    """The last attempt: the last retry or revision if there was one, else the first try."""
    return last_call(calls, language, policy)


def each_sample(calls: Sequence[Call], language: str, policy: Policy) -> list[Answered]:
    """One answer for every sample index, from its last call; each pays for its own calls alone."""
    samples: dict[int, list[Call]] = {}
    for call in calls:
        samples.setdefault(call["sample_index"], []).append(call)
    return [Answered(_answers_of(own)[-1], index, tuple(own)) for index, own in sorted(samples.items())]


def picked_candidate(calls: Sequence[Call], language: str, policy: Policy) -> list[Answered]:
    """The candidate that the pick names; the first one, noted, if it names none that exists."""
    candidates = {call["sample_index"]: call for call in _answers_of(calls)}
    picks = [call for call in calls if call["role"] == "pick"]
    number = read_pick(picks[-1]["text"]) if picks else None
    note = None
    if number is None:
        note = "pick_unreadable"
    elif number - 1 not in candidates:
        note = "pick_out_of_range"
    first = min(candidates, default=0)
    return [Answered(candidates[first if note else number - 1], 0, tuple(calls), note)]


def majority_of_last_round(calls: Sequence[Call], language: str, policy: Policy) -> list[Answered]:
    """The majority of the answers of the last round; a tie goes to the answer that stands first.

    The text is that of the first call in the winning class; if no answer can be read, of the first.
    """
    bearing = _answers_of(calls)
    last = max(call["round"] for call in bearing)
    voters = [call for call in bearing if call["round"] == last]
    keys = [answer_class(call, language, policy) for call in voters]
    outcome = vote(keys, ties="first")
    if outcome.first is None:
        return [Answered(voters[0], 0, tuple(calls), "no_majority")]
    return [Answered(voters[outcome.first], 0, tuple(calls), "tie" if len(outcome.tied) > 1 else None)]


def last_answer(calls: Sequence[Call], language: str, policy: Policy) -> list[Answered]:
    """The last call whose answer can be read; if none can, the last that should hold one."""
    bearing = _answers_of(calls)
    readable = (call for call in reversed(bearing) if answer_class(call, language, policy) is not None)
    return [Answered(next(readable, bearing[-1]), 0, tuple(calls))]


def answer_class(call: Call, language: str, policy: Policy) -> str | None:
    """The class of the answer in a call's text, None if there is none."""
    found = extract(call["text"], language=language, policy=policy, truncated=was_cut(call))
    form = canonicalize(found.text, language=found.language, policy=policy) if found else None
    return form.key if form else None


AnswerRule = Callable[[Sequence[Call], str, Policy], list[Answered]]
ANSWER_RULES: dict[str, AnswerRule] = {
    "last_call": last_call,
    "each_sample": each_sample,
    "picked_candidate": picked_candidate,
    "majority_of_last_round": majority_of_last_round,
    "last_attempt": last_attempt,
    "last_answer": last_answer,
}


def answer_rule(name: str) -> AnswerRule:
    """The rule of that name.

    Raises:
        ConfigError: no such rule.
    """
    if name not in ANSWER_RULES:
        raise ConfigError(f"no answer rule {name!r}", hint=f"known: {', '.join(ANSWER_RULES)}")
    return ANSWER_RULES[name]
