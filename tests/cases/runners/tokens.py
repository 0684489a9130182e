"""Token counts: nothing twice, truncation known, the end token counted in one named place."""

from cases.case import Case
from fake_llama import END, run_fake
from reasonaudit.answers.answer_rules import Answered, was_cut
from reasonaudit.conversation import Ask
from reasonaudit.engine.scheduler import Session


def run(case: Case) -> None:
    if "reasoning_tokens" in case.inputs:
        # What a reply reasoned is part of its completion, so there is no third number to add.
        call = {key: case.inputs[key] for key in ("prompt_tokens", "completion_tokens")}
        answered = Answered(call, 0, (call,))
        assert answered.total_tokens == case.outcome["total"]
        assert answered.generated_tokens >= case.inputs["reasoning_tokens"]
    elif "max_tokens" in case.inputs:
        reason = case.inputs["finish_reason"]
        call = {"stop_reason": reason, **{k: case.inputs[k] for k in ("max_tokens", "completion_tokens")}}
        expected = case.outcome if isinstance(case.outcome, bool) else case.outcome["truncated"]
        assert was_cut(call) is expected
    else:
        _end_token(case)


def _end_token(case: Case) -> None:
    def method():
        said = ({"role": "user", "content": "q"},)
        yield [Ask(said, 0.7, 200, offset, "sample") for offset in range(300)]

    content, generated = case.outcome["content_tokens"], case.outcome["generated_tokens"]
    (calls,) = run_fake([Session(("q",), method(), 1)]).values()
    ended = [call for call in calls if call.stop_reason == "stop"]
    assert any(len(call.generated) == generated for call in ended)
    for call in ended:
        assert case.inputs["end_token_generated"] is (call.generated[-1] == END)
        assert len(call.text) == len(call.generated) - (generated - content)  # one byte a token here
