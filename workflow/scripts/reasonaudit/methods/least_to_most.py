"""Least-to-most: break the problem into easier questions, then answer them one after the other.

Zhou et al., "Least-to-Most Prompting Enables Complex Reasoning in Large Language Models" (ICLR 2023).
First stage: one call lists the easier questions. Second stage: one growing conversation, in which each
question is answered with all earlier questions and answers in view; the problem itself comes last.
"""

from reasonaudit.conversation import Ask, Method
from reasonaudit.methods.prompts import PromptSet, assistant, user
from reasonaudit.methods.reply_formats import read_list
from reasonaudit.methods.sampling import greedy

PROMPTS = ("system", "solve", "decompose", "subquestion", "next_subquestion", "last_subquestion")
DEFAULTS = {"max_subquestions": 4}


def least_to_most(question: str, prompts: PromptSet, settings: dict) -> Method:
    """2 + (number of easier questions) calls, at most 2 + ``max_subquestions``.

    Exemplars are whole solutions, so the decomposition goes without. One that is no list leaves the
    problem itself as the only question.
    """
    opening = prompts.opening(question, "decompose", with_exemplars=False)
    decomposition = yield Ask(opening, **greedy(settings), seed_offset=0, role="decompose")
    subquestions = read_list(decomposition.text, settings["max_subquestions"])
    conversation = ()
    for call, subquestion in enumerate(subquestions, start=1):
        if conversation:
            turn = user(prompts.render("next_subquestion", subquestion=subquestion))
            conversation = (*conversation, turn)
        else:
            conversation = prompts.opening(question, "subquestion", subquestion=subquestion)
        reply = yield Ask(
            conversation,
            **greedy(settings),
            seed_offset=call,
            role="subanswer",
            round=call,
            conversation="steps",
        )
        conversation = (*conversation, assistant(reply.text))
    last = len(subquestions) + 1
    if conversation:
        conversation = (*conversation, user(prompts.render("last_subquestion", question=question)))
    else:
        conversation = prompts.opening(question)
    yield Ask(
        conversation, **greedy(settings), seed_offset=last, role="sample", round=last, conversation="steps"
    )


def replies_in_longest_prompt(settings: dict) -> int:
    """The last question follows every easier one (all out of one reply) and its answer."""
    return settings["max_subquestions"] + 1
