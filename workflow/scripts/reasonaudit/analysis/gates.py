"""Integrity gates: what must hold of the stored tables before any number is computed from them.

Written in SQL over the Parquet files, so that they share no code with what they guard. Each query returns the
rows that fail; a gate passes when there are none.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reasonaudit.analysis.duck import literal, open_tables, rows_of
from reasonaudit.errors import GateError
from reasonaudit.tables.dropped_questions import DROPPED_QUESTIONS
from reasonaudit.tables.gates import GATES
from reasonaudit.tables.parquet import write_table

_SHOWN = 12  # failing rows named in the error


@dataclass(frozen=True)
class Gate:
    """``query`` gives failing rows with the columns model, dataset, method, run, question_id, found."""

    name: str
    meaning: str
    query: str


# `expected` has a row per cell, run and question that stays; `cell_calls` a row per answer to be checked
# against the calls that made it (one per sample of the pool, else one per question).
_SETUP = """
CREATE MACRO answers_to(name) AS CASE WHEN name IN (SELECT method FROM pools) THEN $size ELSE 1 END;
CREATE TABLE never_started AS
    SELECT model, dataset, method, run, question_id, count(*) AS calls
    FROM calls WHERE stop_reason = 'context' AND coalesce(completion_tokens, 0) = 0
    GROUP BY ALL;
CREATE TABLE dropped AS
    SELECT model, dataset, question_id, string_agg(DISTINCT method, ', ' ORDER BY method) AS methods,
           sum(calls)::BIGINT AS calls
    FROM never_started WHERE $allow GROUP BY model, dataset, question_id;
CREATE TABLE expected AS
    SELECT c.model, c.dataset, c.method, r.run, q.question_id
    FROM cells c JOIN (SELECT DISTINCT dataset, question_id FROM questions) q USING (dataset)
    CROSS JOIN (SELECT unnest(range($runs)) AS run) r
    ANTI JOIN dropped USING (model, dataset, question_id);
CREATE TABLE kept_calls AS
    SELECT model, dataset, method, run, question_id, sample_index, call_index, prompt_tokens,
           cached_prompt_tokens, completion_tokens, len(token_ids) AS token_count, max_tokens, stop_reason,
           tokens_source
    FROM calls ANTI JOIN dropped USING (model, dataset, question_id);
CREATE TABLE kept_answers AS SELECT * FROM answers ANTI JOIN dropped USING (model, dataset, question_id);
"""

_ROW = "model, dataset, method, run, question_id"
_OWN_CALLS = f"""
    (SELECT {_ROW}, sample_index, count(*) AS calls,
            CASE WHEN count(completion_tokens) = count(*) THEN sum(completion_tokens) END AS generated,
            CASE WHEN count(completion_tokens) = count(*) AND count(prompt_tokens) = count(*)
                 THEN sum(completion_tokens) + sum(prompt_tokens) END AS total
     FROM kept_calls WHERE method IN (SELECT method FROM pools) GROUP BY ALL
     UNION ALL
     SELECT {_ROW}, 0, count(*),
            CASE WHEN count(completion_tokens) = count(*) THEN sum(completion_tokens) END,
            CASE WHEN count(completion_tokens) = count(*) AND count(prompt_tokens) = count(*)
                 THEN sum(completion_tokens) + sum(prompt_tokens) END
     FROM kept_calls WHERE method NOT IN (SELECT method FROM pools) GROUP BY ALL)
"""

GATES_IN_ORDER = (
    Gate(
        "unique_calls",
        "no call is stored twice",
        f"""SELECT {_ROW}, 'call ' || call_index || ' stored ' || count(*) || ' times' AS found
            FROM calls GROUP BY {_ROW}, call_index HAVING count(*) > 1""",
    ),
    Gate(
        "unique_answers",
        "no answer is stored twice",
        f"""SELECT {_ROW}, 'answer ' || sample_index || ' stored ' || count(*) || ' times' AS found
            FROM answers GROUP BY {_ROW}, sample_index HAVING count(*) > 1""",
    ),
    Gate(
        "every_call_started",
        "every prompt fitted the context; a call that never started would leave out long questions",
        f"""SELECT {_ROW}, calls || ' calls never started' AS found
            FROM never_started ANTI JOIN dropped USING (model, dataset, question_id)""",
    ),
    Gate(
        "every_question_answered",
        "every method answers every sampled question once in every run, the pool once per chain",
        f"""SELECT {_ROW}, count(a.sample_index) || ' answers instead of ' || any_value(wanted) AS found
            FROM (SELECT *, answers_to(method) AS wanted FROM expected) e
            LEFT JOIN (SELECT DISTINCT {_ROW}, sample_index FROM kept_answers
                       WHERE sample_index < answers_to(method)) a USING ({_ROW})
            GROUP BY {_ROW} HAVING count(a.sample_index) <> any_value(wanted)""",
    ),
    Gate(
        "only_sampled_questions",
        "no answer belongs to another question, run, method or chain",
        f"""SELECT {_ROW}, 'answer ' || sample_index || ' to nothing that was asked' AS found
            FROM kept_answers a ANTI JOIN expected USING ({_ROW})
            UNION ALL
            SELECT {_ROW}, 'sample ' || sample_index || ' of ' || $size FROM kept_answers
            WHERE sample_index >= answers_to(method)""",
    ),
    Gate(
        "no_call_missing",
        "a question's calls are numbered without a gap, and as many as its answers say",
        f"""SELECT {_ROW}, calls || ' calls, the last numbered ' || last || ', answers say ' || said AS found
            FROM (SELECT {_ROW}, count(call_index) AS calls, coalesce(max(call_index), -1) AS last
                  FROM expected
                  LEFT JOIN (SELECT DISTINCT {_ROW}, call_index FROM kept_calls) c USING ({_ROW})
                  GROUP BY {_ROW})
            JOIN (SELECT {_ROW}, sum(calls) AS said FROM kept_answers GROUP BY {_ROW}) USING ({_ROW})
            WHERE calls <> last + 1 OR calls <> said OR calls = 0""",
    ),
    Gate(
        "allowed_number_of_calls",
        "the method made a number of calls that its definition allows",
        f"""SELECT {_ROW}, count(*) || ' calls; allowed: ' || any_value(allowed)::VARCHAR AS found
            FROM kept_calls JOIN allowed_calls USING (method) GROUP BY {_ROW}
            HAVING NOT list_contains(any_value(allowed), count(*))""",
    ),
    Gate(
        "token_totals",
        "the tokens of an answer are the sum over the calls that made it",
        f"""SELECT {_ROW}, 'answer ' || sample_index || ': ' || coalesce(a.generated_tokens::VARCHAR, 'null')
                   || ' generated and ' || coalesce(a.total_tokens::VARCHAR, 'null') || ' in all, its calls '
                   || coalesce(c.generated::VARCHAR, 'null') || ' and '
                   || coalesce(c.total::VARCHAR, 'null') AS found
            FROM kept_answers a JOIN {_OWN_CALLS} c USING ({_ROW}, sample_index)
            WHERE a.generated_tokens IS DISTINCT FROM c.generated OR a.total_tokens IS DISTINCT FROM c.total
               OR a.calls <> c.calls""",
    ),
    Gate(
        "tokens_counted",
        "a reply has as many tokens as its token ids say",
        f"""SELECT {_ROW}, 'call ' || call_index || ': ' || completion_tokens || ' tokens, but '
                   || token_count || ' token ids' AS found
            FROM kept_calls WHERE completion_tokens <> token_count""",
    ),
    Gate(
        "tokens_within_limit",
        "no reply is longer than its limit, no length is negative, no prompt smaller than its cached part",
        f"""SELECT {_ROW}, 'call ' || call_index || ': ' || completion_tokens || ' tokens, limit '
                   || coalesce(max_tokens::VARCHAR, 'none') AS found
            FROM kept_calls
            WHERE completion_tokens < 0 OR prompt_tokens < 0 OR cached_prompt_tokens > prompt_tokens
               OR (tokens_source = 'measured' AND completion_tokens > max_tokens)""",
    ),
    Gate(
        "answer_from_its_call",
        "an answer is taken from a call that exists, and knows whether that call was cut off",
        f"""SELECT {_ROW}, 'answer ' || sample_index || ' from call ' || text_from || ', which '
                   || CASE WHEN stored IS NULL THEN 'is not stored'
                           ELSE 'stopped by ' || coalesce(stop_reason, 'unknown') END AS found
            FROM (SELECT *, text_from AS call_index FROM kept_answers WHERE text_from IS NOT NULL)
            LEFT JOIN (SELECT {_ROW}, call_index, stop_reason, true AS stored FROM kept_calls)
                USING ({_ROW}, call_index)
            WHERE stored IS NULL
               OR (stop_reason IS NOT NULL AND stopped_by_length <> (stop_reason = 'length'))""",
    ),
    Gate(
        "every_answer_judged",
        "every answer has one verdict of every verifier, and `correct` is that of the grading verifier",
        f"""SELECT {_ROW}, 'answer ' || sample_index || ': ' || found AS found FROM (
            SELECT {_ROW}, sample_index, count(v.verifier) || ' verdicts of ' || $verifiers AS found
            FROM kept_answers LEFT JOIN verdicts v USING ({_ROW}, sample_index)
            GROUP BY {_ROW}, sample_index
            HAVING count(v.verifier) <> $verifiers OR count(DISTINCT v.verifier) <> $verifiers
            UNION ALL
            SELECT {_ROW}, sample_index, 'correct is ' || correct || ', the verdict ' || accepted
            FROM kept_answers JOIN verdicts USING ({_ROW}, sample_index)
            WHERE verifier = $verifier AND accepted <> correct)""",
    ),
)


def check_integrity(
    *,
    questions: Iterable[str | Path],
    calls: Iterable[str | Path],
    answers: Iterable[str | Path],
    verdicts: Iterable[str | Path],
    gates: str | Path,
    dropped: str | Path,
    cells: Sequence[Mapping],
    pool: Mapping,
    methods: Mapping[str, Mapping],
    grading: Mapping,
    statistics: Mapping,
) -> None:
    """Check the stored tables of a study; write the gates table and the questions to leave out.

    Args:
        questions, calls, answers, verdicts: paths of the stored tables.
        gates, dropped: paths to write.
        cells: {model, dataset, methods} for everything that was to be generated.
        pool: ``method`` and ``size`` of the baseline.
        methods: name -> ``kind`` (every pool has ``size`` samples a question); ``calls``, if there, lists
            the numbers of calls that the method may make.
        grading: ``verifier`` that decides ``correct``, and all ``verifiers``.
        statistics: ``runs`` and ``allow_context_errors``.

    Raises:
        GateError: with the failing rows named. Nothing is written.
    """
    session = open_tables({"questions": questions, "calls": calls, "answers": answers, "verdicts": verdicts})
    session.execute("CREATE TABLE cells (model VARCHAR, dataset VARCHAR, method VARCHAR)")
    listed = [(c["model"], c["dataset"], m) for c in cells for m in c["methods"]]
    session.executemany("INSERT INTO cells VALUES (?, ?, ?)", listed)
    session.execute("CREATE TABLE pools (method VARCHAR)")
    pools = {pool["method"], *(name for name, entry in methods.items() if entry["kind"] == "pool")}
    session.executemany("INSERT INTO pools VALUES (?)", [(name,) for name in sorted(pools)])
    session.execute("CREATE TABLE allowed_calls (method VARCHAR, allowed BIGINT[])")
    limited = [(name, entry["calls"]) for name, entry in methods.items() if entry.get("calls")]
    if limited:
        session.executemany("INSERT INTO allowed_calls VALUES (?, ?)", limited)
    for name, value in {
        "allow": bool(statistics["allow_context_errors"]),
        "runs": int(statistics["runs"]),
        "size": int(pool["size"]),
        "verifier": grading["verifier"],
        "verifiers": len(grading["verifiers"]),
    }.items():
        session.execute(f"SET VARIABLE {name} = {_value(value)}")
    session.execute(_with_variables(_SETUP))

    failures = []
    for gate in GATES_IN_ORDER:
        query = _with_variables(gate.query)
        failures += [(gate, row) for row in rows_of(session, f"{query} ORDER BY ALL")]
    if failures:
        raise _error(failures)
    stored = _calls_by_cell(session)
    limits = {name for name, _ in limited}
    rows = []
    for gate in GATES_IN_ORDER:
        cells_checked = [
            cell for cell in listed if gate.name != "allowed_number_of_calls" or cell[2] in limits
        ]
        rows.append(
            {
                "gate": gate.name,
                "meaning": gate.meaning,
                "cells": len(cells_checked),
                "calls": sum(stored.get(cell, 0) for cell in cells_checked),
                "failed": 0,
                "status": "passed",
            }
        )
        if gate.name == "every_call_started":
            (allowed,) = rows_of(session, "SELECT coalesce(sum(calls), 0)::BIGINT AS n FROM never_started")
            if allowed["n"]:
                rows[-1] |= {"failed": allowed["n"], "status": "allowed"}
    write_table(gates, rows, GATES)
    write_table(dropped, rows_of(session, "SELECT * FROM dropped ORDER BY ALL"), DROPPED_QUESTIONS)


def _calls_by_cell(session) -> dict[tuple[str, str, str], int]:
    query = "SELECT model, dataset, method, count(*) AS n FROM calls GROUP BY ALL"
    return {(row["model"], row["dataset"], row["method"]): row["n"] for row in rows_of(session, query)}


def _error(failures: list[tuple[Gate, dict]]) -> GateError:
    names = list(dict.fromkeys(gate.name for gate, _ in failures))
    lines = [
        f"[{gate.name}] {row['model']}, {row['dataset']}, {row['method']}, run {row['run']}, "
        f"{row['question_id']}: {row['found']}"
        for gate, row in failures[:_SHOWN]
    ]
    if len(failures) > _SHOWN:
        lines.append(f"... and {len(failures) - _SHOWN} more")
    hint = "delete the calls files that hold these rows, and run again: they are generated as before"
    if names == ["every_call_started"]:
        hint = (
            "give the model a larger context_length, or set statistics.allow_context_errors: true; these "
            "questions then leave every method"
        )
    return GateError(
        f"{len(failures)} rows fail the gates {', '.join(names)}", where="\n    ".join(lines), hint=hint
    )


def _with_variables(query: str) -> str:
    for name in ("allow", "runs", "size", "verifiers", "verifier"):
        query = query.replace(f"${name}", f"getvariable('{name}')")
    return query


def _value(value: bool | int | str) -> str:
    return literal(value) if isinstance(value, str) else str(value).lower()
