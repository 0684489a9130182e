"""A judging job: one judge reads the judged items of one shard. Brings audit and engine together."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from reasonaudit.audit.judge_items import build_judge_items, build_step_items
from reasonaudit.audit.judging import JudgedItem, judge_item
from reasonaudit.engine.scheduler import Session
from reasonaudit.generation import adjusted, write_calls
from reasonaudit.methods.prompts import PromptSet
from reasonaudit.seeds import derive_seed
from reasonaudit.tables.judge_calls import JUDGE_CALLS

Paths = str | Path | Iterable[str | Path]


def judge_samples(
    *,
    questions: Paths,
    calls: Paths,
    answers: Paths,
    injections: Paths,
    panel: Paths,
    step_labels: Paths,
    model_file: str | Path,
    adapter_file: str | Path | None,
    probe: str | Path,
    output: str | Path,
    judge: str,
    identity: Mapping,
    settings: Mapping,
    prompts: Mapping,
    study_seed: int,
    allow_context_errors: bool,
    schedule: Mapping,
) -> None:
    """Write the judge_calls table of one shard.

    Args:
        questions, calls, answers: the shard's questions, its calls, and its cell's answers; empty for
            chains with step labels.
        injections, panel: the cell's injected variants and which originals are judged; empty for none.
        step_labels: table of chains with human labels; empty for solvers' samples.
        judge: its name.
        identity: what of the judge's model decides text.
        settings: votes, temperature, top_p, max_tokens, natural, max_samples, judged_text, and for
            labelled chains ``part``, see ``build_step_items``.
        prompts: language -> {step, path, language_name}.
        schedule: see ``generate_calls``.
    """
    items = (
        build_step_items(step_labels, tuple(settings["part"]))
        if step_labels
        else build_judge_items(
            questions=questions,
            calls=calls,
            answers=answers,
            injections=injections or None,
            panel=panel or None,
            natural=settings["natural"],
            max_samples=settings["max_samples"],
            judged_text=settings["judged_text"],
        )
    )
    texts = {language: PromptSet.from_files({p["step"]: p["path"]}) for language, p in prompts.items()}

    def sessions() -> Iterator[Session]:
        for item in items:
            spoken = prompts[item.language]
            method = judge_item(
                item, texts[item.language], spoken["step"], settings, language_name=spoken["language_name"]
            )
            yield Session(
                tuple(item.key.values()),
                adjusted(method, {}, identity),
                item_seed(study_seed, identity, item),
            )

    names = tuple(items[0].key) if items else ()
    write_calls(
        output,
        JUDGE_CALLS,
        sessions,
        model_file=model_file,
        adapter_file=adapter_file,
        probe=probe,
        identity=identity,
        reply_tokens=settings["max_tokens"],
        allow_context_errors=allow_context_errors,
        schedule=schedule,
        name=f"{judge} judging",
        columns=lambda key: {"judge": judge, **dict(zip(names, key, strict=True))},
        index_column="vote",
    )


def item_seed(study_seed: int, identity: Mapping, item: JudgedItem) -> int:
    """Seed of an item's votes: the judge's model and the item, never the schedule or a name of the judge."""
    return derive_seed(study_seed, dict(identity), "judge", *item.key.values())
