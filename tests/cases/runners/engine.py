"""The engine: one beginning token, prompts that do not fit, seeds, the same text in every slot, bytes."""

import hashlib
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from cases.case import Case
from fake_llama import FakeTemplate, run_fake
from model_files import SMOLLM2, model_file
from reasonaudit.answers.answer_rules import Answered
from reasonaudit.conversation import Ask
from reasonaudit.engine.llama import Model
from reasonaudit.engine.scheduler import Session
from reasonaudit.engine.templates import ChatTemplate
from reasonaudit.engine.vocabulary import Vocabulary, decode_bytes
from reasonaudit.seeds import RANDOM_SENTINEL, add_offset, derive_seed

SCRIPTS = Path(__file__).resolve().parents[3] / "workflow" / "scripts"


def run(case: Case) -> None:
    RUNNERS[case.name](case)


def _user(text: str) -> tuple[dict[str, str], ...]:
    return ({"role": "user", "content": text},)


def _one_beginning_token(case: Case) -> None:
    prefix = case.inputs["rendered_prefix"]
    beginning = prefix[: prefix.index("|>") + 2]
    vocabulary = SimpleNamespace(
        eos=1,
        bos=0,
        adds_bos=case.inputs["add_bos"],
        spelling=lambda token: beginning,
        control_spans=lambda text: [],
        encode=lambda text, control: [0] * text.count(beginning) + [7] * len(text.replace(beginning, "")),
    )
    for template in ("{{ bos_token }}{{ messages[0].content }}", "{{ messages[0].content }}"):
        ids = ChatTemplate(vocabulary, template).encode(_user("hello"))
        assert ids[0] == 0
        assert ids.count(0) == case.outcome["bos_count"]


def _prompt_longer_than_the_context(case: Case) -> None:
    def method():
        yield [Ask(_user("x" * (length - 3)), 0.7, 8, i, "sample") for i, length in enumerate(lengths)]

    lengths = (case.inputs["prompt_tokens"], 40)
    template = FakeTemplate()
    assert len(template.encode(_user("x" * (lengths[0] - 3)))) == case.inputs["prompt_tokens"]
    (calls,) = run_fake([Session(("q",), method(), 1)], context_length=case.inputs["n_ctx"]).values()
    assert case.outcome["status"] == "error recorded"
    assert (calls[0].stop_reason, calls[0].generated) == ("context", [])
    assert calls[1].generated  # the run goes on, and each call was tried once
    record = {"stop_reason": calls[0].stop_reason, "completion_tokens": 0, "prompt_tokens": lengths[0]}
    assert Answered(record, 0, (record,)).context_error is not case.outcome["graded_as_wrong_silently"]


def _seeds_never_random(case: Case) -> None:
    seeds = [add_offset(case.inputs["seed"], i) for i in range(case.inputs["n"])]
    assert len(set(seeds)) == case.outcome["distinct"]
    assert (RANDOM_SENTINEL in seeds) is case.outcome["contains_sentinel"]
    assert all(0 <= seed < RANDOM_SENTINEL for seed in seeds)


def _slots(case: Case) -> None:
    # Elsewhere a claim of equal text is allowed for one slot only; this engine's rows are their own.
    def method():
        yield [Ask(_user(f"q{i}"), case.inputs["temperature"], 12, i, "sample") for i in range(8)]

    texts = [
        [call.generated for call in run_fake([Session(("q",), method(), 1)], n_parallel=rows)["q",]]
        for rows in (1, case.inputs["slots"], 3)
    ]
    assert texts[0] == texts[1] == texts[2]


def _cut_character(case: Case) -> None:
    assert decode_bytes(bytes.fromhex(case.inputs["bytes_hex"])) == case.outcome["text"]


def _seeds_of_names(case: Case) -> None:
    key, count = case.inputs["key"], case.inputs["processes"]
    code = f"from reasonaudit.seeds import derive_seed; print(derive_seed({key!r}))"
    seeds = {derive_seed(key)}
    for number in range(count):
        environment = {"PYTHONPATH": str(SCRIPTS), "PYTHONHASHSEED": str(number)}
        command = [sys.executable, "-c", code]
        seeds.add(int(subprocess.run(command, capture_output=True, check=True, env=environment).stdout))
    assert len(seeds) == case.outcome["distinct_seeds"]
    assert seeds == {int.from_bytes(hashlib.sha256(f'["{key}"]'.encode()).digest()[:4], "big")}


def _control_tokens(case: Case) -> None:
    model = Model(model_file(SMOLLM2))
    vocabulary = Vocabulary(model)
    template = ChatTemplate(vocabulary, model.chat_template())
    (end,) = vocabulary.encode("<|im_end|>", control=True)
    plain, given = template.encode(_user("Print it.")), template.encode(_user(case.inputs["user_text"]))
    assert end in plain  # what the template writes is a single id
    assert (given.count(end) > plain.count(end)) is case.outcome["user_text_adds_control_ids"]
    assert case.inputs["user_text"] in vocabulary.decode(given)


RUNNERS = {
    "eng-01": _one_beginning_token,
    "eng-05": _prompt_longer_than_the_context,
    "eng-06": _seeds_never_random,
    "eng-07": _slots,
    "eng-08": _cut_character,
    "eng-09": _seeds_of_names,
    "eng-10": _control_tokens,
}
