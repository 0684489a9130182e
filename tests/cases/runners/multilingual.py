"""Answers in several languages, bare or in a reply."""

from cases.case import Case
from reasonaudit.answers.extraction import extract
from reasonaudit.verifiers.trusted import verify


def run(case: Case) -> None:
    language = case.inputs.get("lang", "en")
    text = (
        case.inputs["pred"] if "pred" in case.replaced or "text" not in case.inputs else case.inputs["text"]
    )
    found = extract(text, language=language)
    verdict = verify(found and found.text, case.gold, language=language)
    assert verdict.accepted is case.outcome, (found, verdict)
    if "gold_word" in case.inputs and not case.replaced:
        word = case.inputs["gold_word"]
        assert verify(text, word, language=language).accepted is case.outcome
