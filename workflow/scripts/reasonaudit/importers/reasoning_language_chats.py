"""Chats that answer the same questions in several reasoning languages, as one pool of samples.

Format: one folder a question language, in it one JSONL file a reasoning language (``ja/de.jsonl``); each line
is ``{"message": [{role, content}, ...], "origin": {"text": question, "answer": gold}}``. Line i of every file
is problem i, in every question language, so the reasoning languages are the samples of one prompt (k = the
number of files) and the line number is the problem that the question languages share.

The chats carry neither token counts nor stop reasons: both are null, so nothing can be said about cost or
about replies cut short.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from reasonaudit.errors import DataError
from reasonaudit.provenance import sha256_file
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.parquet import to_frame, to_table
from reasonaudit.tables.questions import QUESTIONS


def load_reasoning_languages(
    folder: str | Path,
    *,
    language: str,
    dataset: str,
    model: str,
    method: str = "self_consistency",
    reasoning_languages: Sequence[str] | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Questions and calls (frames of these tables) of one question language.

    Args:
        folder: holds one JSONL file a reasoning language.
        language: of the questions.
        dataset, model, method: names in the tables.
        reasoning_languages: files to read, in order of sample_index; None takes all, sorted.

    Raises:
        DataError: no files, a damaged line, or files that disagree about a question.
    """
    folder = Path(folder)
    names = list(reasoning_languages or sorted(path.stem for path in folder.glob("*.jsonl")))
    if not names:
        raise DataError("no chats to read", where=str(folder), hint="one <reasoning language>.jsonl each")
    questions: list[dict] = []
    calls: list[dict] = []
    for sample, name in enumerate(names):
        path = folder / f"{name}.jsonl"
        chats = _read_chats(path)
        if sample == 0:
            questions = _questions(chats, path, language, dataset)
        if [chat["origin"]["text"] for chat in chats] != [row["question"] for row in questions]:
            raise DataError("files hold different questions", where=f"{folder / names[0]}.jsonl, {path}")
        for row, chat in zip(questions, chats, strict=True):
            calls.append(
                {
                    "model": model,
                    "dataset": dataset,
                    "method": method,
                    "run": 0,
                    "question_id": row["question_id"],
                    "sample_index": sample,
                    "call_index": sample,
                    "role": "sample",
                    "round": 0,
                    "messages": chat["message"][:-1],
                    "text": chat["message"][-1]["content"],
                    "tokens_source": "imported",
                }
            )
    return to_frame(to_table(questions, QUESTIONS)), to_frame(to_table(calls, CALLS))


def _read_chats(path: Path) -> list[dict]:
    if not path.is_file():
        raise DataError("no such chats", where=str(path))
    chats = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            chat = json.loads(line)
            usable = chat["message"][-1]["role"] == "assistant" and {"text", "answer"} <= set(chat["origin"])
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise DataError(f"not a chat: {error!r}", where=f"{path}, line {number}") from error
        if not usable:
            raise DataError("a chat must end with the assistant's reply", where=f"{path}, line {number}")
        chats.append(chat)
    return chats


def _questions(chats: Sequence[dict], path: Path, language: str, dataset: str) -> list[dict]:
    digest = sha256_file(path)
    width = max(3, len(str(len(chats))))
    return [
        {
            "dataset": dataset,
            "question_id": f"{place:0{width}d}",
            "language": language,
            "parallel_id": f"{place:0{width}d}",
            "question": chat["origin"]["text"],
            "gold": str(chat["origin"]["answer"]),
            "gold_text": str(chat["origin"]["answer"]),
            "source": path.name,
            "source_sha256": digest,
            "draw_index": place,
        }
        for place, chat in enumerate(chats)
    ]
