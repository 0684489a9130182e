"""From a cell's answers to its table of injected errors, and from all cells to the judged panel."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from reasonaudit.answers.extraction import extract
from reasonaudit.answers.policies import DEFAULT, Policy, policy_from
from reasonaudit.audit.injection import Attempt, Original, Reading, inject
from reasonaudit.audit.originals import Key, choose_panel, draw_originals, eligible
from reasonaudit.errors import TableError
from reasonaudit.tables.answers import ANSWERS
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.injections import INJECTIONS, ORIGINAL_KEY
from reasonaudit.tables.panel import PANEL
from reasonaudit.tables.parquet import read_table, write_table
from reasonaudit.tables.questions import QUESTIONS
from reasonaudit.verifiers.trusted import verify

Paths = str | Path | Iterable[str | Path]


def inject_errors(
    *,
    questions: Paths,
    calls: Paths,
    answers: Paths,
    injections: str | Path,
    seed: int,
    settings: Mapping,
    policy: Mapping[str, object] | None = None,
    answer_range: Sequence[int] | None = None,
) -> None:
    """Draw a cell's originals, try every condition on each, and write the log with the variants.

    Args:
        questions, calls, answers: tables of one cell (model x data set x method).
        injections: where the table goes.
        settings: the ``injection`` section of the configuration.
        policy: plain values of ``answers.policies.Policy``, as in grading.
        answer_range: smallest and largest whole-number answer of the data set, where it has bounds.
    """
    seed = seed if settings.get("seed") is None else settings["seed"]
    asked = {row["question_id"]: row for row in read_table(questions, QUESTIONS).to_pylist()}
    graded = {key_of(row): row for row in read_table(answers, ANSWERS).to_pylist()}
    drawn = draw_originals(
        (key for key, row in graded.items() if eligible(row, settings["min_tokens"])),
        seed=seed,
        per_question=settings["per_question"],
        per_cell=settings["per_cell"],
    )
    wanted = {(*key[:5], graded[key]["text_from"]): key for key in drawn}
    texts = texts_of_calls(calls, wanted)
    if lacking := sorted(set(drawn) - set(texts)):
        raise TableError(
            f"{len(lacking)} answers point at calls that are not stored",
            where=", ".join(f"{name}={value}" for name, value in zip(ORIGINAL_KEY, lacking[0], strict=True)),
            hint="the answers were made from other calls; delete them and run again",
        )
    chosen = policy_from(dict(policy or {}))
    rows = []
    for order, key in enumerate(drawn):
        answer, question = graded[key], asked[key[4]]
        original = Original(
            text=texts[key],
            question=question["question"],
            gold=question["gold"],
            language=question["language"],
            answer_start=answer["answer_start"],
            answer_end=answer["answer_end"],
            seed_parts=(seed, "injection", *key),
            answer_range=None if answer_range is None else tuple(answer_range),
        )
        attempts = inject(
            original,
            reader(question["gold"], question["language"], chosen),
            conditions=settings["conditions"],
            region=tuple(settings["intermediate_region"]),
            truncate_share=settings["truncate_share"],
        )
        rows += [_row(key, order, original, attempt) for attempt in attempts]
    write_table(injections, rows, INJECTIONS)


def choose_panels(*, injections: list[str], panels: list[str], per_cell: int | None) -> None:
    """Keep the same number of originals of every cell, one panel file for each injections file."""
    columns = [*ORIGINAL_KEY, "draw_order", "applied"]
    supported: dict[str, list[Key]] = {}
    orders: dict[Key, int] = {}
    for path in injections:
        applied: dict[Key, bool] = defaultdict(lambda: True)
        for row in read_table(path, INJECTIONS).select(columns).to_pylist():
            applied[key_of(row)] &= row["applied"]
            orders[key_of(row)] = row["draw_order"]
        supported[path] = sorted((k for k, complete in applied.items() if complete), key=orders.__getitem__)
    kept = choose_panel(supported, per_cell)
    for path, panel in zip(injections, panels, strict=True):
        write_table(
            panel,
            [dict(zip(ORIGINAL_KEY, key, strict=True), draw_order=orders[key]) for key in kept[path]],
            PANEL,
        )


def reader(gold: str, language: str, policy: Policy = DEFAULT) -> Callable[[str], Reading | None]:
    """Reads the final answer of a text and verifies it, as grading with the trusted verifier does."""

    def read(text: str) -> Reading | None:
        found = extract(text, language=language, policy=policy)
        if found is None:
            return None
        verdict = verify(found.text, gold, language=language, text=text, policy=policy)
        return Reading(found.text, verdict.accepted)

    return read


def texts_of_calls(calls: Paths, wanted: Mapping[tuple, Key]) -> dict[Key, str]:
    """Stored replies of the wanted calls.

    Args:
        wanted: (model, dataset, method, run, question_id, call_index) -> key of the solution.
    """
    table = read_table(calls, CALLS)
    columns = (table.column(name).to_pylist() for name in (*ORIGINAL_KEY[:5], "call_index", "text"))
    texts = {}
    for *call, text in zip(*columns, strict=True):
        if key := wanted.get(tuple(call)):
            texts[key] = text
    return texts


def key_of(row: Mapping) -> Key:
    """The solution's key in a row of any table that has one."""
    return tuple(row[name] for name in ORIGINAL_KEY)


def _row(key: Key, order: int, original: Original, attempt: Attempt) -> dict:
    first = attempt.edits[0] if attempt.edits else None
    # The dropped tail and the kept line are in the edits; as old and new number they would mislead.
    numeric = first is not None and attempt.menu is not None
    return dict(zip(ORIGINAL_KEY, key, strict=True)) | {
        "condition": attempt.condition,
        "draw_order": order,
        "applied": attempt.applied,
        "skip_reason": attempt.skip_reason,
        "old": first.old if numeric else None,
        "new": first.new if numeric else None,
        "menu": attempt.menu,
        "menu_fallback": attempt.fallback,
        "position_chars": first.start if first else None,
        "position_share": first.start / len(original.text) if first else None,
        "relative_size": attempt.relative_size,
        "occurrences": len(attempt.edits) if attempt.applied else None,
        "edits": [vars(edit) for edit in attempt.edits] if attempt.applied else None,
        "text": attempt.text,
    }
