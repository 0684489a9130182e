"""Grading: the trusted verifier's verdict on an answer, or on the answer of a reply."""

from concurrent.futures import ThreadPoolExecutor

from cases.case import Case
from reasonaudit.answers.extraction import extract
from reasonaudit.answers.policies import Policy
from reasonaudit.verifiers.math_verify import verify as library
from reasonaudit.verifiers.trusted import verify


def run(case: Case) -> None:
    language = case.inputs.get("lang", "en")
    prediction = case.inputs.get("pred")
    if "text" in case.inputs:
        prediction = extract(case.inputs["text"], language=language).text
    if case.outcome == "policy":
        # An inequality is its interval, unless the policy says otherwise.
        for policy, accepted in ((Policy(), True), (Policy(inequality="distinct"), False)):
            assert verify(prediction, case.gold, policy=policy).accepted is accepted
        return
    if case.inputs.get("where") == "thread pool":
        with ThreadPoolExecutor(4) as pool:
            for function in (verify, library):
                verdicts = list(pool.map(lambda _: function(prediction, case.gold), range(8)))  # noqa: B023
                assert [verdict.accepted for verdict in verdicts] == [case.outcome] * 8
        return
    verdict = verify(prediction, case.gold, language=language)
    assert verdict.accepted is case.outcome, verdict
    if prediction and prediction.startswith(r"\dfrac{7^{"):
        bounded = library(prediction, case.gold, cpu_seconds=0.5)
        assert bounded.accepted is case.outcome
