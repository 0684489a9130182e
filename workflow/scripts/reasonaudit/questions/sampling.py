"""Drawing questions: the first n of one seeded order, so that more questions extend fewer.

The order is that of ``random.Random(seed).shuffle`` over the whole set in the source's order. Sets of
equal size and order (a problem set in several languages) are drawn alike: the same problems.
"""

import importlib
import random
from collections.abc import Sequence
from pathlib import Path

from reasonaudit.errors import DataError
from reasonaudit.provenance import sha256_file
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.questions import QUESTIONS


def draw_order(size: int, seed: int) -> list[int]:
    """Places in the source, in the order in which they are drawn."""
    order = list(range(size))
    random.Random(seed).shuffle(order)
    return order


def drawn(rows: Sequence[dict], *, seed: int, start: int, stop: int) -> list[dict]:
    """The rows with draw indices from ``start`` to before ``stop``, each with its ``draw_index``.

    Raises:
        DataError: the set has fewer rows.
    """
    if stop > len(rows):
        raise DataError(
            f"{stop} questions are wanted, but the data set has {len(rows)}",
            hint=f"set n_questions to {len(rows)} or less, or to null with size: {len(rows)}",
        )
    order = draw_order(len(rows), seed)
    return [{**rows[order[index]], "draw_index": index} for index in range(start, stop)]


def load_questions(
    path: str | Path, *, format: str, language: str, columns: dict | None = None
) -> list[dict]:
    """All questions of a file; ``format`` is the name of a module of this package."""
    # The one dynamic import here: the rule names the module in its params, beside the code digest.
    loader = importlib.import_module(f"reasonaudit.questions.{format}")
    return loader.load(path, language=language, columns=columns)


def sample_questions(
    *,
    path: str | Path,
    output: str | Path,
    dataset: str,
    source: str,
    format: str,
    language: str,
    seed: int,
    start: int,
    stop: int,
    size: int | None = None,
    sha256: str | None = None,
    columns: dict | None = None,
) -> None:
    """Write one shard of the questions table: draw indices from ``start`` to before ``stop``.

    Args:
        path: the fetched file.
        source: where it came from, as the configuration says.
        size: number of questions that the configuration expects, or None.
        sha256: hash of the file that the configuration expects, or None.

    Raises:
        DataError: a file that cannot be read, has another size, or has fewer than ``stop`` questions.
    """
    digest = sha256_file(path)
    if sha256 is not None and digest != sha256:
        raise DataError(
            f"the file has another SHA-256: expected {sha256}, got {digest}",
            where=f"data set {dataset}: {path}",
            hint="either the file is not the one that was meant, or sha256 in the configuration is wrong",
        )
    try:
        rows = load_questions(path, format=format, language=language, columns=columns)
        if size is not None and len(rows) != size:
            raise DataError(
                f"size is {size} in the configuration, but the data set has {len(rows)} questions",
                where=str(path),
                hint=f"set size: {len(rows)}, or check that this is the file that was meant",
            )
        rows = drawn(rows, seed=seed, start=start, stop=stop)
    except DataError as error:
        where = f"data set {dataset}: {error.where or path}"
        raise DataError(error.what, where=where, hint=error.hint) from error
    constant = {"dataset": dataset, "language": language, "source": source, "source_sha256": digest}
    write_table(output, [{**row, **constant} for row in rows], QUESTIONS)
