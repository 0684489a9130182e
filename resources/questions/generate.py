"""Writes arithmetic.jsonl, the embedded word problems, from templates.toml.

    python resources/questions/generate.py

The same templates and seed give the same bytes. The golds are computed from the drawn numbers, never
written by hand. Each template has a stream of its own, so that a new one at the end changes no other.
"""

import itertools
import json
import random
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
SEED = 20
PER_TEMPLATE = 7
LANGUAGES = ("en", "ja", "zh", "tr", "pt")


def problems(templates: list[dict]) -> Iterator[dict]:
    """One row a problem and language, the languages of a problem together."""
    numbers = itertools.count(1)
    for template in templates:
        stream = random.Random(f"{SEED}/{template['name']}")
        drawn: set[tuple] = set()
        while len(drawn) < PER_TEMPLATE:
            operands = {name: stream.randint(*limits) for name, limits in template["ranges"].items()}
            steps = compute(template["steps"], operands)
            if steps is None or not telling(operands, steps) or tuple(operands.values()) in drawn:
                continue
            drawn.add(tuple(operands.values()))
            problem = f"p{next(numbers):04d}"
            for language in LANGUAGES:
                yield {
                    "id": problem,
                    "language": language,
                    "question": template[language].format(**operands),
                    "gold": str(steps[-1]["result"]),
                    "level": template["level"],
                    "subject": template["name"],
                    "operands": operands,
                    "steps": steps,
                }


def compute(formulas: list[str], operands: dict[str, int]) -> list[dict] | None:
    """The steps with their numbers; None where a division leaves a rest."""
    values, steps = dict(operands), []
    for number, formula in enumerate(formulas, 1):
        left, sign, right = formula.split()
        left, right = values[left], values[right]
        if sign == "/" and left % right:
            return None
        result = {"+": left + right, "-": left - right, "*": left * right, "/": left // right}[sign]
        values[f"r{number}"] = result
        steps.append({"left": left, "sign": sign, "right": right, "result": result})
    return steps


def telling(operands: dict[str, int], steps: list[dict]) -> bool:
    """Whether every result can be told from every other number of the problem, and from 0 and 1.

    Else a right answer could be a number copied from the question, and an injected error in a step
    could not be told from an edit of something else.
    """
    results = [step["result"] for step in steps]
    return (
        min(results) > 1 and len(set(results)) == len(results) and not set(results) & set(operands.values())
    )


def text() -> str:
    """The contents of arithmetic.jsonl."""
    templates = tomllib.loads((HERE / "templates.toml").read_text(encoding="utf-8"))["template"]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in problems(templates))


def main() -> None:
    """Write the file beside this one."""
    (HERE / "arithmetic.jsonl").write_text(text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
