"""Languages of one cell's chains and of a sample of its judgements."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from reasonaudit.audit.language_identification import language_shares
from reasonaudit.audit.streams import named_stream
from reasonaudit.audit.thinking import split_thinking
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.chain_languages import CHAIN_LANGUAGES
from reasonaudit.tables.injections import ORIGINAL_KEY
from reasonaudit.tables.judge_calls import JUDGE_CALLS
from reasonaudit.tables.parquet import read_table, write_table
from reasonaudit.tables.questions import QUESTIONS

Paths = str | Path | Iterable[str | Path]
SOLVER = "solver"


def identify_languages(
    *,
    questions: Paths,
    calls: Paths,
    answers: Paths,
    judge_calls: Paths,
    chain_languages: str | Path,
    seed: int,
    threshold: float = 0.8,
    judgements_per_judge: int | None = 300,
) -> None:
    """Classify every answer-correct chain of a cell, and up to so many judgements of each judge.

    Args:
        questions, calls, answers: tables of one cell (model x data set x method).
        judge_calls: judgements of that cell by all judges; natural ones are read.
        threshold: share of letters that makes a text one language.
        judgements_per_judge: a seeded sample; None for all.
    """
    asked = {row["question_id"]: row for row in read_table(questions, QUESTIONS).to_pylist()}
    rows = [*_chains(calls, answers, asked, threshold)]
    rows += _judgements(judge_calls, asked, seed, threshold, judgements_per_judge)
    write_table(chain_languages, rows, CHAIN_LANGUAGES)


def _chains(calls: Paths, answers: Paths, asked: Mapping, threshold: float) -> Iterator[dict]:
    columns = [*ORIGINAL_KEY, "text_from", "correct"]
    wanted: dict[tuple, list[tuple]] = {}
    for row in read_table(answers, ANSWERS).select(columns).to_pylist():
        if row["correct"]:
            key = tuple(row[name] for name in ORIGINAL_KEY)
            wanted.setdefault((*key[:5], row["text_from"]), []).append(key)
    table = read_table(calls, CALLS)
    names = (*ORIGINAL_KEY[:5], "call_index", "text")
    for *call, text in zip(*(table.column(name).to_pylist() for name in names), strict=True):
        for key in wanted.get(tuple(call), ()):
            yield from _parts(key, SOLVER, -1, text, asked[key[4]], threshold)


def _judgements(
    judge_calls: Paths, asked: Mapping, seed: int, threshold: float, limit: int | None
) -> Iterator[dict]:
    names = ["judge", *ORIGINAL_KEY, "condition", "vote", "text"]
    by_judge: dict[str, list[dict]] = {}
    for row in read_table(judge_calls, JUDGE_CALLS).select(names).to_pylist():
        if row["condition"] == "natural":
            by_judge.setdefault(row["judge"], []).append(row)
    for judge, rows in sorted(by_judge.items()):
        if limit is not None and len(rows) > limit:
            cell = tuple(rows[0][name] for name in ("model", "dataset", "method"))
            order = named_stream(seed, "judgement_languages", judge, *cell).permutation(len(rows))
            rows = [rows[int(i)] for i in sorted(order[:limit])]
        for row in rows:
            key = tuple(row[name] for name in ORIGINAL_KEY)
            yield from _parts(key, judge, row["vote"], row["text"], asked[key[4]], threshold)


def _parts(
    key: tuple, writer: str, vote: int, text: str, question: Mapping, threshold: float
) -> Iterator[dict]:
    hidden, visible = split_thinking(text)
    for part, content in (("visible", visible), ("hidden", hidden)):
        if part == "hidden" and not content.strip():
            continue
        shares = language_shares(content, question["language"], question["question"])
        yield dict(zip(ORIGINAL_KEY, key, strict=True)) | {
            "writer": writer,
            "part": part,
            "vote": vote,
            "language": question["language"],
            "letters": shares.letters,
            "share_target": shares.target,
            "share_english": shares.english,
            "share_other": shares.other,
            "main_other": shares.main_other,
            "language_class": shares.language_class(threshold),
        }
