"""Injected errors, and labels of errors."""

import pytest

from cases.case import Case
from reasonaudit.analysis.step_truth import harmonic_mean
from reasonaudit.audit.injection import Edit, Original, Reading, apply_edits, inject
from reasonaudit.audit.number_tokens import find_numbers
from reasonaudit.audit.step_labels import consistent
from reasonaudit.verifiers.trusted import verify


def run(case: Case) -> None:
    given = case.inputs
    if "mistake_index" in given:
        label = -1 if given["mistake_index"] is None else given["mistake_index"]
        right = verify(given["chain_answer"], given["gold"]).accepted
        assert consistent(label, right) is case.outcome["consistent"]
    elif "step" in given:
        token = next(t for t in find_numbers(given["step"]) if t.text == given["replace"])
        edit = Edit(token.start, token.end, token.text, given["with"])
        assert apply_edits(given["step"], [edit]) == case.outcome["step"]
    elif "chain" in given:
        chain = given["chain"] + " A"
        original = Original(chain, "Does it hold?", "A", "en", len(chain) - 1, len(chain), ("case",))
        attempts = {a.condition: a for a in inject(original, lambda text: Reading("A", text.endswith("A")))}
        for condition in ("intermediate_error", "boxed_only", "consistent_error"):
            assert attempts[condition].applied is case.outcome["injected"]
            assert attempts[condition].skip_reason.startswith(case.outcome["reason"].replace(" ", "_"))
            assert attempts[condition].text is None
    else:
        score = harmonic_mean(given["accuracy_on_erroneous"], given["accuracy_on_correct"])
        assert score == pytest.approx(case.outcome["f1"])
