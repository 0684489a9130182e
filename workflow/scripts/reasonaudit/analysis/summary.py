"""The page with the finding of a study in plain sentences, generated from its tables."""

from collections.abc import Mapping
from pathlib import Path

from reasonaudit.analysis import findings
from reasonaudit.analysis.findings import Page
from reasonaudit.tables.comparisons import COMPARISONS
from reasonaudit.tables.curves import CURVES
from reasonaudit.tables.dropped_questions import DROPPED_QUESTIONS
from reasonaudit.tables.engagement import ENGAGEMENT
from reasonaudit.tables.export import write_text
from reasonaudit.tables.gates import GATES
from reasonaudit.tables.group_effects import GROUP_EFFECTS
from reasonaudit.tables.parquet import read_frame
from reasonaudit.tables.pick_vs_count import PICK_VS_COUNT
from reasonaudit.tables.rederivation import REDERIVATION
from reasonaudit.tables.robustness import ROBUSTNESS
from reasonaudit.tables.transitions import TRANSITIONS
from reasonaudit.tables.unreadable import UNREADABLE


def write_summary(
    *,
    comparisons: str | Path,
    curves: str | Path,
    engagement: str | Path,
    robustness: str | Path,
    unreadable: str | Path,
    pick_vs_count: str | Path,
    transitions: str | Path,
    group_effects: str | Path,
    gates: str | Path,
    rederivation: str | Path,
    dropped: str | Path,
    summary: str | Path,
    study: str,
    methods: Mapping[str, Mapping],
    models: Mapping[str, Mapping],
    datasets: Mapping[str, Mapping],
    statistics: Mapping,
) -> None:
    """Write the page ``summary`` (Markdown) from the tables of the study."""
    tables = {
        "comparisons": read_frame(comparisons, COMPARISONS),
        "curves": read_frame(curves, CURVES),
        "engagement": read_frame(engagement, ENGAGEMENT),
        "robustness": read_frame(robustness, ROBUSTNESS),
        "unreadable": read_frame(unreadable, UNREADABLE),
        "pick_vs_count": read_frame(pick_vs_count, PICK_VS_COUNT),
        "transitions": read_frame(transitions, TRANSITIONS),
        "group_effects": read_frame(group_effects, GROUP_EFFECTS),
        "gates": read_frame(gates, GATES),
        "rederivation": read_frame(rederivation, REDERIVATION),
        "dropped": read_frame(dropped, DROPPED_QUESTIONS),
    }
    page = Page(tables, methods, models, datasets, statistics)
    sections = {
        "What was compared": findings.what_was_compared,
        "Better, worse, or not distinguishable": findings.verdicts,
        "What the study could have seen": findings.what_could_be_seen,
        "Groups of methods": findings.groups,
        "Judging against counting": findings.judging,
        "What rewriting did": findings.rewriting,
        "Warnings": findings.warnings,
        "Does it hold under other choices?": findings.robustness,
        "Checks": findings.checks,
    }
    lines = [f"# Equal cost: {study}", ""]
    for title, section in sections.items():
        sentences = section(page)
        if sentences:
            lines += [f"## {title}", "", *sentences, ""]
    write_text(summary, "\n".join(lines).rstrip() + "\n")
