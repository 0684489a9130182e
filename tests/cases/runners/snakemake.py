"""Traps of Snakemake, as the rules of this project avoid them."""

import re
from pathlib import Path

from cases.case import Case

RULES = Path(__file__).resolve().parents[3] / "workflow" / "rules"


def run(case: Case) -> None:
    given = case.inputs
    if "pattern" in given:
        _names_do_not_split_elsewhere(given, case.outcome)
    elif "shell" in given:
        # Prompts with braces live in files and scripts; no rule has a shell line.
        assert not [
            path.name for path in RULES.glob("*.smk") if re.search(r"^\s*shell:", path.read_text(), re.M)
        ]
    else:
        _time_stamps_are_not_relied_on()


def _names_do_not_split_elsewhere(given: dict, outcome: dict) -> None:
    source = (RULES / "common.smk").read_text()
    scope: dict = {"re": re}
    exec(source[source.index("def one_of") : source.index("wildcard_constraints")], scope)
    pattern = given["pattern"]
    for name, known in {"model": ["llama3", "llama3_self"], "method": ["self_consistency"]}.items():
        assert f"{name}=one_of(" in source
        pattern = pattern.replace(f"{{{name}}}", f"(?P<{name}>{scope['one_of'](known)})")
    assert re.fullmatch(pattern, given["file"]).groupdict() == outcome


def _time_stamps_are_not_relied_on() -> None:
    """Every script rule pins the meaning of its code; models are known by their hash, not by their time."""
    for path in RULES.glob("*.smk"):
        for rule in re.split(r"^rule ", path.read_text(), flags=re.M)[1:]:
            if re.search(r"^    script:", rule, re.M):
                assert re.search(r"^        (code|digest)=", rule, re.M), rule.split(":")[0]
            if re.search(r"^        model=", rule, re.M) and "output:" in rule:
                model = re.search(r"^        model=(.*)$", rule, re.M)[1]
                assert "ancient(" in model or "resources/models" in model
