"""Reported bugs of other tools, as cases that this project must get right.

``cases.jsonl`` has one case a line: id, area, url (where it was reported), summary, input, gold, and
what is expected: outcome, why, ``firm`` (False: people differ, and the project follows a written
policy) and variants, each of which replaces parts of the input. The outcome ``"policy"`` likewise means
that config/README.md says what happens.

The runner of an area is ``runners/<area>.py`` with ``run(case: Case) -> None``, which asserts.
"""

import json
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("cases.jsonl")


@dataclass(frozen=True)
class Case:
    """One case or one variant of it.

    Args:
        name: the id; variants are numbered behind it.
        inputs: the case's input, with what the variant replaces. A variant of another shape keeps
            only its own keys, see ``replaced``.
        replaced: the keys that the variant gives; empty for the case itself.
        gold: the gold answer, None in areas without one.
        outcome: what must come out; None can be a real outcome ("undefined").
        firm: False where a written policy decides.
    """

    name: str
    area: str
    inputs: dict
    replaced: dict
    gold: str | None
    outcome: object
    why: str
    firm: bool


def load_cases() -> list[Case]:
    """All cases and variants, in the order of the file."""
    cases = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        expected = record["expected"]
        base = {
            "area": record["area"],
            "gold": record["gold"],
            "why": expected["why"],
            "firm": expected["firm"],
        }
        cases.append(
            Case(record["id"], inputs=record["input"], replaced={}, outcome=expected["outcome"], **base)
        )
        for number, variant in enumerate(expected.get("variants", ()), start=1):
            variant = dict(variant)
            outcome = variant.pop("outcome")
            gold = variant.pop("gold", record["gold"])
            cases.append(
                Case(
                    f"{record['id']}/{number}",
                    inputs={**record["input"], **variant},
                    replaced=variant,
                    outcome=outcome,
                    **{**base, "gold": gold, "firm": base["firm"] and outcome != "policy"},
                )
            )
    return cases
