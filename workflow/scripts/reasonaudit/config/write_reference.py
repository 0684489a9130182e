"""Writes the tables of keys in config/README.md: ``python -m reasonaudit.config.write_reference``."""

import re
from pathlib import Path
from typing import get_args

from reasonaudit.config.audit import (
    Bias,
    Injection,
    Judge,
    Judged,
    Probe,
    ProbeSide,
    Selection,
    StepLabels,
)
from reasonaudit.config.available import Available
from reasonaudit.config.dataset import Columns, Dataset
from reasonaudit.config.grading import Grading
from reasonaudit.config.imports import Import
from reasonaudit.config.method import Method, Prompts, Role, Sampling
from reasonaudit.config.mistakes import show
from reasonaudit.config.model import Lora, Model
from reasonaudit.config.section import Section, decides
from reasonaudit.config.shape import section_in
from reasonaudit.config.statistics import Statistics
from reasonaudit.config.study import Study
from reasonaudit.provenance import SCRIPTS

README = SCRIPTS.parents[1] / "config" / "README.md"
START, END = "<!-- keys: written by reasonaudit.config.write_reference -->", "<!-- end of keys -->"

# Title of a section of the reference -> where it stands in the file, and its keys.
SECTIONS: dict[str, tuple[str, type[Section]]] = {
    "The study": ("", Study),
    "Models": ("models.NAME", Model),
    "Adapters": ("models.NAME.lora", Lora),
    "Data sets": ("datasets.NAME", Dataset),
    "Columns": ("datasets.NAME.columns", Columns),
    "Methods": ("methods, as NAME or {NAME: {...}}", Method),
    "Roles": ("methods.NAME.roles.ROLE", Role),
    "Sampling": ("sampling", Sampling),
    "Prompts": ("prompts", Prompts),
    "Grading": ("grading", Grading),
    "Judges": ("judges.NAME", Judge),
    "Judged samples": ("judges.NAME.judged", Judged),
    "Injection": ("injection", Injection),
    "Step labels": ("step_labels.NAME", StepLabels),
    "Verifier bias": ("bias", Bias),
    "Selection": ("selection", Selection),
    "Interface probes": ("interface_probes.NAME", Probe),
    "Sides of a probe": ("interface_probes.NAME.ordinary, .plain_numeric", ProbeSide),
    "Statistics": ("statistics", Statistics),
    "Imports": ("imports.NAME", Import),
}
HIDDEN = {(Method, "name"), (Method, "settings")}  # set by the loader
WORDS = {
    "text": "what models write: the calls concerned are made anew",
    "questions": "which questions and samples there are; a text that both need stays the same",
    "grading": "answers and verdicts, from stored text",
    "analysis": "tables and figures",
    "schedule": "how fast and where; no result",
    "label": "names in tables and figures",
    "place": "where files come from",
}


def reference_text() -> str:
    """All keys as Markdown tables, and the methods' own settings."""
    parts = []
    for title, (place, section) in SECTIONS.items():
        parts += [f"### {title}", f"`{place}`" if place else "At the top of the file.", _keys(section)]
    parts += ["### The methods' own settings", _method_settings()]
    parts += ["### What changes when a key changes", _deciding()]
    return "\n\n".join(parts)


def _keys(section: type[Section]) -> str:
    rows = ["| key | default | decides | |", "|---|---|---|---|"]
    for name, field in section.model_fields.items():
        if (section, name) in HIDDEN:
            continue
        rows.append(
            f"| `{name}` | {_default(field)} | {decides(section, name)} | {_cell(field.description)} |"
        )
    return "\n".join(rows)


def _default(field) -> str:
    if field.is_required():
        return "(needed)"
    value = field.default
    if isinstance(value, Section):
        return "(below)"
    if isinstance(value, list) and value and isinstance(value[0], Section):
        value = [entry.name for entry in value]
    return f"`{_cell(show(value))}`"


def _cell(text: str) -> str:
    return text.replace("|", r"\|")


def _method_settings() -> str:
    rows = ["| method | settings and defaults |", "|---|---|"]
    for name, code in Available.installed().methods.items():
        settings = []
        for setting, default in code.defaults.items():
            choices = code.choices.get(setting)
            of = f" ({', '.join(choices)})" if choices else ""
            settings.append(f"`{setting}: {show(default)}`{of}")
        rows.append(f"| `{name}` | {', '.join(settings) or 'none'} |")
    return "\n".join(rows)


def _deciding() -> str:
    rows = ["| decides | what it changes | keys |", "|---|---|---|"]
    for kind, words in WORDS.items():
        keys = [
            f"`{place.split(',')[0].split('.NAME')[0] + '.' if place else ''}{name}`"
            for place, section in SECTIONS.values()
            for name, field in section.model_fields.items()
            if decides(section, name) == kind
            and (section, name) not in HIDDEN
            and not _holds_section(field.annotation)
        ]
        rows.append(f"| {kind} | {words} | {', '.join(dict.fromkeys(keys))} |")
    return "\n".join(rows)


def _holds_section(annotation) -> bool:
    return any(section_in(part) is not None for part in (annotation, *get_args(annotation)))


def with_reference(readme: str) -> str:
    """A README whose part between the marks is the reference."""
    pattern = re.compile(f"{re.escape(START)}.*{re.escape(END)}", re.DOTALL)
    return pattern.sub(lambda _: f"{START}\n\n{reference_text()}\n\n{END}", readme)


def main(path: Path = README) -> None:
    """Write the tables into the README."""
    path.write_text(with_reference(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
