"""judge_calls -> judgements: one verdict a vote, read from stored text."""

from collections.abc import Iterable
from pathlib import Path

from reasonaudit.audit.verdict_parsing import parse_verdict
from reasonaudit.tables.judge_calls import JUDGE_CALLS
from reasonaudit.tables.judgements import JUDGEMENTS
from reasonaudit.tables.parquet import read_table, write_table


def parse_judgements(*, judge_calls: str | Path | Iterable[str | Path], judgements: str | Path) -> None:
    """Read the verdict of every vote; one slot per vote, readable or not."""
    calls = read_table(judge_calls, JUDGE_CALLS)
    verdicts = [parse_verdict(text) for text in calls.column("text").to_pylist()]
    kept = [name for name in JUDGEMENTS.columns if name in calls.column_names]
    table = (
        calls.select(kept)
        .append_column("tokens", calls.column("completion_tokens"))
        .append_column("verdict", [verdicts])
    )
    write_table(judgements, table, JUDGEMENTS)
