"""A judge as a generator of model calls, in the same form as a method."""

from collections.abc import Mapping
from dataclasses import dataclass

from reasonaudit.audit.judge_prompts import judge_message
from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet

ROLE = "judge"


@dataclass(frozen=True)
class JudgedItem:
    """One solution that a judge reads. The key is the solver's; ``condition`` says which version it is.

    Attributes:
        condition: natural, one of the conditions of the injection, or step_labels.
        language: of the problem, an ISO 639-1 code.
    """

    model: str
    dataset: str
    method: str
    run: int
    question_id: str
    sample_index: int
    condition: str
    problem: str
    solution: str
    language: str

    @property
    def key(self) -> dict:
        """The columns that name this item in judge_calls and judgements."""
        names = ("model", "dataset", "method", "run", "question_id", "sample_index", "condition")
        return {name: getattr(self, name) for name in names}


def judge_item(
    item: JudgedItem, prompts: PromptSet, step: str, settings: Mapping, *, language_name: str = ""
) -> Method:
    """``votes`` independent judgements of one item; vote i has seed offset i, so more votes extend fewer.

    Args:
        settings: votes, temperature, top_p and max_tokens of the judge.

    Yields:
        One list of Asks; ``sample_index`` is the vote.
    """
    messages = judge_message(
        prompts, step, problem=item.problem, solution=item.solution, language_name=language_name
    )
    yield [
        Ask(
            messages,
            temperature=settings["temperature"],
            top_p=settings["top_p"],
            max_tokens=settings["max_tokens"],
            seed_offset=vote,
            role=ROLE,
            sample_index=vote,
        )
        for vote in range(settings["votes"])
    ]
