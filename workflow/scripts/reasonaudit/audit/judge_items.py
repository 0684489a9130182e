"""Which solutions a judge reads: natural answer-correct samples and injected variants, on one path."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from reasonaudit.audit.judging import JudgedItem
from reasonaudit.audit.thinking import split_thinking
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.injections import INJECTIONS, ORIGINAL_KEY
from reasonaudit.tables.panel import PANEL
from reasonaudit.tables.parquet import read_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.tables.step_labels import STEP_LABELS

NATURAL = "natural"
STEP_CONDITION = "step_labels"
Paths = str | Path | Iterable[str | Path]


def build_judge_items(
    *,
    questions: Paths,
    calls: Paths,
    answers: Paths,
    injections: Paths | None = None,
    panel: Paths | None = None,
    natural: bool = True,
    max_samples: int | None = None,
    judged_text: str = "whole",
) -> list[JudgedItem]:
    """The items of the questions in ``questions``, sorted by key and condition.

    Args:
        questions: decides which questions (a shard); the other tables may hold more.
        calls: of one cell (model x data set x method); decides which run, where a shard holds one.
        answers: of the same cell.
        injections, panel: injected variants, and the originals of which they are judged; None for none.
        natural: judge every answer-correct sample as it is.
        max_samples: only the first samples (by sample_index) of a question count for ``natural``.
        judged_text: ``whole`` stored reply, or ``visible``, without its thinking.
    """
    asked = {row["question_id"]: row for row in read_table(questions, QUESTIONS).to_pylist()}
    solutions: list[tuple[tuple, str, str]] = []
    if natural:
        solutions += _natural(calls, answers, asked, max_samples)
    if injections is not None and panel is not None:
        runs = set(read_table(calls, CALLS).column("run").to_pylist())
        solutions += _injected(injections, panel, asked, runs)
    return [
        JudgedItem(
            *key,
            condition,
            problem=asked[key[4]]["question"],
            solution=split_thinking(text)[1].strip() if judged_text == "visible" else text,
            language=asked[key[4]]["language"],
        )
        for key, condition, text in sorted(solutions)
    ]


def build_step_items(step_labels: Paths, part: tuple[int, int] = (0, 1)) -> list[JudgedItem]:
    """Chains with human step labels as judged items, sorted by key.

    Args:
        part: (i, m) takes every m-th chain from the i-th on: a shard, whatever the number of chains.
    """
    first, step = part
    return [
        JudgedItem(
            *(row[name] for name in ORIGINAL_KEY),
            condition=STEP_CONDITION,
            problem=row["problem"],
            solution="\n\n".join(row["steps"]),
            language=row["language"],
        )
        for row in read_table(step_labels, STEP_LABELS).to_pylist()[first::step]
    ]


def _natural(calls: Paths, answers: Paths, asked: Mapping, max_samples: int | None) -> list[tuple]:
    # Filtered in Arrow: a cell's answers are read by each of its shards.
    columns = [*ORIGINAL_KEY, "text_from", "correct"]
    wanted = {}
    for row in read_table(answers, ANSWERS).select(columns).to_pylist():
        first = max_samples is None or row["sample_index"] < max_samples
        if row["correct"] and first and row["question_id"] in asked:
            key = tuple(row[name] for name in ORIGINAL_KEY)
            wanted.setdefault((*key[:5], row["text_from"]), []).append(key)
    table = read_table(calls, CALLS)
    columns = (table.column(name).to_pylist() for name in (*ORIGINAL_KEY[:5], "call_index", "text"))
    return [
        (key, NATURAL, text)
        for *call, text in zip(*columns, strict=True)
        for key in wanted.get(tuple(call), ())
    ]


def _injected(injections: Paths, panel: Paths, asked: Mapping, runs: set[int]) -> list[tuple]:
    kept = {tuple(row[name] for name in ORIGINAL_KEY) for row in read_table(panel, PANEL).to_pylist()}
    rows = read_table(injections, INJECTIONS).select([*ORIGINAL_KEY, "condition", "applied", "text"])
    wanted = (row for row in rows.to_pylist() if row["applied"] and row["run"] in runs)
    return [
        (key, row["condition"], row["text"])
        for row in wanted
        if (key := tuple(row[name] for name in ORIGINAL_KEY)) in kept and key[4] in asked
    ]
