"""Extraction: the answer of a reply, and that reading it again changes nothing."""

from cases.case import Case
from reasonaudit.answers.canonical import canonicalize
from reasonaudit.answers.extraction import extract
from reasonaudit.verifiers.trusted import verify


def run(case: Case) -> None:
    language = case.inputs.get("lang", "en")
    if "gold_field" in case.inputs:
        found = extract(case.inputs["gold_field"])
        assert canonicalize(found.text).key == case.outcome["extracted"]
        return
    text = case.inputs["pred"] if "pred" in case.replaced else case.inputs["text"]
    found = extract(text, language=language)
    correct = verify(found and found.text, case.gold, language=language).accepted
    if isinstance(case.outcome, bool):
        assert correct is case.outcome, found
    else:
        assert found.text == case.outcome["extracted"], found
        assert correct is case.outcome["correct"]
    assert text[found.start : found.end] == found.text
    assert extract(found.text, language=language).text == found.text
