"""What each method is: which rule takes its answer, and in which group it is reported.

Plain data, read by grading, analysis and figures; generation never imports it, so that a change
here runs no model. A method is declared, never inferred from the shape of what it stored.
"""

from dataclasses import dataclass, fields
from typing import Literal, get_args, get_type_hints

from reasonaudit.errors import ConfigError

AnswerRule = Literal[
    "last_call", "each_sample", "picked_candidate", "majority_of_last_round", "last_attempt", "last_answer"
]
Kind = Literal[
    "pool", "single_pass", "rewriting", "choosing", "debating", "adaptive_sampling", "decomposing", "other"
]
Family = Literal["paper", "extension"]


@dataclass(frozen=True)
class MethodEntry:
    """How a method is scored and grouped.

    Args:
        answer_rule: the rule of ``answers.answer_rules`` that turns its calls into an answer.
        kind: the group in which its effect is estimated jointly.
        family: ``paper`` for the seven of the equal-cost study, whose Holm family further methods
            must not enlarge; ``extension`` for all others.
        self_inspection: in the study's group of methods whose model assesses its own output.
        label: how tables and figures name it; empty: its name, made readable.
    """

    answer_rule: AnswerRule = "last_call"
    kind: Kind = "other"
    family: Family = "extension"
    self_inspection: bool = False
    label: str = ""


METHODS: dict[str, MethodEntry] = {
    "self_consistency": MethodEntry("each_sample", "pool", "paper", False, "Self-consistency"),
    "chain_of_thought": MethodEntry("last_call", "single_pass", "paper", False, "Chain of thought"),
    "plan_and_solve": MethodEntry("last_call", "single_pass", "paper", False, "Plan-and-solve"),
    "self_refine": MethodEntry("last_attempt", "rewriting", "paper", True, "Self-refine"),
    # The study counts published Reflexion apart from self-inspection: it may decide never to retry.
    "reflexion": MethodEntry("last_attempt", "rewriting", "paper", False, "Reflexion"),
    "reflexion_forced": MethodEntry("last_attempt", "rewriting", "paper", True, "Reflexion (forced)"),
    "best_of_n": MethodEntry("picked_candidate", "choosing", "paper", True, "Best-of-N"),
    "debate": MethodEntry("majority_of_last_round", "debating", "paper", False, "Debate"),
    "least_to_most": MethodEntry("last_call", "decomposing", "extension", False, "Least-to-most"),
    "progressive_hint": MethodEntry("last_answer", "rewriting", "extension", False, "Progressive hint"),
    "self_consistency_early_stop": MethodEntry(
        "majority_of_last_round", "adaptive_sampling", "extension", False, "Self-consistency, early stop"
    ),
    "universal_self_consistency": MethodEntry(
        "picked_candidate", "choosing", "extension", False, "Universal self-consistency"
    ),
}


def method_entry(name: str, **overrides) -> MethodEntry:
    """The entry of a method; of one that is not in the catalog, the defaults of ``MethodEntry``.

    Args:
        name: the method.
        overrides: fields given in the study's configuration, which win.

    Raises:
        ConfigError: a field that does not exist, or a value that its field does not allow.
    """
    known = METHODS.get(name, MethodEntry())
    values = {field.name: getattr(known, field.name) for field in fields(MethodEntry)}
    for key, value in overrides.items():
        if key not in values:
            raise ConfigError(
                f"a method has no property {key!r}",
                where=f"method {name}",
                hint=f"known: {', '.join(values)}",
            )
        allowed = get_args(get_type_hints(MethodEntry)[key])
        if allowed and value not in allowed:
            raise ConfigError(
                f"{value!r} is no {key}", where=f"method {name}", hint=f"allowed: {', '.join(allowed)}"
            )
        values[key] = value
    values["label"] = values["label"] or name.replace("_", " ").capitalize()
    return MethodEntry(**values)
