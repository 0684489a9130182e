"""Votes counted: judgements -> one row per judged version of a sample."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from reasonaudit.analysis.judge_gates import check_judgements
from reasonaudit.audit.strategies import STRATEGIES, credit_stopped, decide
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.gates import GATES
from reasonaudit.tables.judge_calls import JUDGED_KEY
from reasonaudit.tables.judged_samples import JUDGED_SAMPLES
from reasonaudit.tables.judgements import JUDGEMENTS
from reasonaudit.tables.panel import PANEL
from reasonaudit.tables.parquet import read_frame, read_table, write_table

Paths = str | Path | Iterable[str | Path]


def count_votes(
    *,
    answers: Paths,
    judgements: Paths,
    panels: Paths,
    judged_samples: str | Path,
    gates: str | Path,
    judges: Mapping[str, Mapping],
    conditions: Sequence[str],
) -> None:
    """Check the judgements of all cells and count their votes.

    Args:
        answers: answers of every judged cell.
        panels: panels of every cell with injected errors.
        judges: judge -> its section of the configuration (votes, natural, injected, max_samples, judged).
        conditions: those of the injection; none where nothing is injected.

    Raises:
        GateError: votes are missing or doubled, or samples are judged that should not be, or the reverse.
    """
    votes = read_table(judgements, JUDGEMENTS)
    graded = read_frame(answers, ANSWERS, [*JUDGED_KEY[1:7], "correct"])
    rows = check_judgements(votes, graded, read_frame(panels, PANEL), judges, conditions)
    write_table(gates, rows, GATES)
    write_table(judged_samples, tally(votes), JUDGED_SAMPLES)


def tally(judgements: pa.Table) -> pa.Table:
    """One row per judged version, with its counts and decisions.

    Args:
        judgements: rows of the judgements table.
    """
    verdict = judgements.column("verdict")
    stopped = pc.and_(
        pc.equal(verdict, "missing"), pc.equal(pc.fill_null(judgements.column("stop_reason"), ""), "length")
    )
    flags = {name: pc.equal(verdict, name) for name in ("yes", "no", "missing")} | {"stopped": stopped}
    counted = judgements.select([*JUDGED_KEY, "tokens"])
    for name, flag in flags.items():
        counted = counted.append_column(name, flag.cast(pa.int64()))
    strict = pc.ScalarAggregateOptions(skip_nulls=False, min_count=1)
    table = counted.group_by(list(JUDGED_KEY), use_threads=False).aggregate(
        [*((name, "sum") for name in flags), ([], "count_all"), ("tokens", "sum", strict)]
    )
    table = table.rename_columns(
        {f"{name}_sum": name for name in [*flags, "tokens"]} | {"count_all": "votes"}
    )
    yes, no, stops, total = (table.column(name).to_numpy() for name in ("yes", "no", "stopped", "votes"))
    for strategy in STRATEGIES:
        table = table.append_column(f"approved_{strategy}", pa.array(decide(yes, no, total, strategy)))
        credited = credit_stopped(yes, no, stops, strategy, total)
        table = table.append_column(f"credited_{strategy}", pa.array(credited))
    return table


def read_judged(path: Paths) -> pd.DataFrame:
    """The judged_samples table with decisions as plain booleans."""
    frame = read_frame(path, JUDGED_SAMPLES)
    decisions = [name for name in frame.columns if name.startswith(("approved_", "credited_"))]
    return frame.astype(dict.fromkeys(decisions, np.bool_))
