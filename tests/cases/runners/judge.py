"""Judges' replies: boxed verdicts of the audit, and the word verdicts that Reflexion reads."""

from cases.case import Case
from reasonaudit.answers.extraction import extract
from reasonaudit.audit.verdict_parsing import parse_verdict
from reasonaudit.methods.prompts import PromptSet
from reasonaudit.methods.reflexion import DEFAULTS, reflexion
from reasonaudit.methods.reply_formats import read_judgement
from reasonaudit.verifiers.trusted import verify
from scripted_model import drive, flat

BOXED = {"yes": True, "no": False, "missing": None}
STEPS = ("system", "solve", "judge_self", "reflect", "retry")


def run(case: Case) -> None:
    given = case.inputs
    if "trials" in given:
        no_oracle(case)
    elif "replies" in given:
        verdicts = [BOXED[parse_verdict(reply)] for reply in given["replies"]]
        assert verdicts == case.outcome["verdicts"]
    else:
        expected = case.outcome["verdict"] if isinstance(case.outcome, dict) else case.outcome
        reply = given["reply"]
        boxed = "\\boxed" in reply
        if boxed or expected is None:
            assert BOXED[parse_verdict(reply)] is expected
        if not boxed:
            assert read_judgement(reply) is expected


def no_oracle(case: Case) -> None:
    """The method is given no gold, and stops at the trial that it judges correct itself."""
    first, second = (f"ANSWER: {trial}" for trial in case.inputs["trials"])
    texts = {step: step for step in STEPS} | {"solve": "{question}", "retry": "{question} {reflections}"}
    settings = DEFAULTS | {"max_tokens": 8}
    verdicts = iter(case.inputs["self_verdicts"])

    def reply(ask):
        if ask.role == "judge":
            return next(verdicts)
        return first if ask.round == 0 else second

    asks = flat(drive(reflexion("Q", PromptSet(texts), settings), reply))
    assert case.gold not in str(asks), "nothing that the model reads holds the gold"
    final = extract(reply([ask for ask in asks if ask.role in ("sample", "retry")][-1])).text
    assert final == case.outcome["final"]
    assert verify(final, case.gold).accepted is case.outcome["correct"]
