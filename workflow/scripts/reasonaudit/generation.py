"""A generation job: one shard of questions, one method, one model. Brings methods and engine together."""

import importlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from reasonaudit.conversation import Ask, Method
from reasonaudit.engine.accounting import cached_prompt_tokens
from reasonaudit.engine.llama import Model
from reasonaudit.engine.memory import cache_bytes, kv_bytes_per_position
from reasonaudit.engine.planning import plan_rows
from reasonaudit.engine.rows import RowClass
from reasonaudit.engine.scheduler import Call, Engine, Session
from reasonaudit.engine.templates import ChatTemplate
from reasonaudit.engine.vocabulary import Vocabulary
from reasonaudit.errors import ContextError, DataError, ModelError
from reasonaudit.logs import ProgressLog
from reasonaudit.methods.prompts import PromptSet
from reasonaudit.seeds import derive_seed
from reasonaudit.tables.calls import CALLS
from reasonaudit.tables.parquet import read_table, write_table
from reasonaudit.tables.questions import QUESTIONS


def generate_calls(
    *,
    questions: str | Path,
    model_file: str | Path,
    adapter_file: str | Path | None,
    probe: str | Path,
    output: str | Path,
    key: Mapping,
    identity: Mapping,
    method: Mapping,
    prompts: Mapping,
    study_seed: int,
    allow_context_errors: bool,
    schedule: Mapping,
) -> None:
    """Write the calls table of one shard.

    Args:
        questions: the shard's questions table.
        model_file, adapter_file: GGUF files; the adapter may be None.
        probe: the model's row class, as ``probe_model`` wrote it.
        output: the calls table.
        key: model, dataset, method, run: the key columns of every row.
        identity: what of the model decides text.
        method: module, settings (complete), roles (role, or * for all -> changed settings), seed (what
            enters seeds).
        prompts: paths (step -> file), exemplars (file or None), shots, boxed.
        study_seed: the study's seed.
        allow_context_errors: go on where a prompt cannot fit; else refuse before anything runs.
        schedule: n_parallel (None plans it), gpu_layers, threads, memory_mb; changes no text.

    Raises:
        ContextError: the longest possible prompt does not fit, or the memory granted is too small.
        ModelError: the model file cannot be used.
    """
    rows = read_table(questions, QUESTIONS).to_pylist()
    module = importlib.import_module(f"reasonaudit.methods.{method['module']}")
    generator = getattr(module, method["module"])
    prompt_set = PromptSet.from_files(
        prompts["paths"], read_exemplars(prompts["exemplars"], prompts["shots"]), boxed=prompts["boxed"]
    )

    def sessions() -> Iterator[Session]:
        for row in rows:
            yield Session(
                (row["question_id"],),
                adjusted(
                    generator(row["question"], prompt_set, method["settings"]), method["roles"], identity
                ),
                question_seed(study_seed, identity, key, method["seed"], row["question_id"]),
            )

    longest = method_tokens(method, module)
    write_calls(
        output,
        CALLS,
        sessions,
        model_file=model_file,
        adapter_file=adapter_file,
        probe=probe,
        identity=identity,
        reply_tokens=longest,
        allow_context_errors=allow_context_errors,
        schedule=schedule,
        name=" ".join(str(key[part]) for part in ("model", "dataset", "method")),
        columns=lambda session_key: {**key, "question_id": session_key[0]},
    )


def question_seed(
    study_seed: int, identity: Mapping, key: Mapping, settings: Mapping, question_id: str
) -> int:
    """Seed of a question's calls: names and settings that decide text, never the schedule.

    Run 0 adds nothing, so that more runs leave the first as it was.
    """
    run = [key["run"]] if key["run"] else []
    return derive_seed(study_seed, dict(identity), key["dataset"], dict(settings), question_id, *run)


def method_tokens(method: Mapping, module) -> int:
    """Generated tokens that the longest conversation of a method may hold, its last reply included."""
    limits = [role["max_tokens"] for role in method["roles"].values() if "max_tokens" in role]
    largest = max([method["settings"]["max_tokens"], *limits])
    return (module.replies_in_longest_prompt(method["settings"]) + 1) * largest


def read_exemplars(path: str | Path | None, shots: int) -> list[dict]:
    """The first ``shots`` worked examples of a file.

    Raises:
        DataError: the file has fewer.
    """
    if not shots:
        return []
    if path is None:
        raise DataError(
            "worked examples are wanted (prompts: shots), but there are none in this language",
            hint="add a file <language>.jsonl to the exemplars, or set shots: 0",
        )
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    examples = [json.loads(line) for line in lines if line.strip()]
    if len(examples) < shots:
        raise DataError(
            f"{shots} worked examples are wanted, but the file has {len(examples)}",
            where=str(path),
            hint=f"add examples, or set shots to at most {len(examples)}",
        )
    return examples[:shots]


def adjusted(method: Method, roles: Mapping[str, Mapping], identity: Mapping) -> Method:
    """The same method, with a study's settings for roles and a model's stop texts put into every ask."""
    stop = tuple(identity.get("stop", ()))

    def change(ask: Ask) -> Ask:
        return replace(ask, stop=ask.stop + stop, **roles.get("*", {}) | roles.get(ask.role, {}))

    replies = None
    while True:
        try:
            asked = method.send(replies)
        except StopIteration:
            return
        replies = yield change(asked) if isinstance(asked, Ask) else [change(ask) for ask in asked]


def write_calls(
    output,
    schema,
    sessions,
    *,
    model_file,
    adapter_file,
    probe,
    identity: Mapping,
    reply_tokens: int,
    allow_context_errors: bool,
    schedule: Mapping,
    name: str,
    columns,
    index_column: str = "call_index",
) -> None:
    """Run sessions on a model and write their calls.

    Args:
        sessions: function that makes the sessions anew (they are looked at once before the run).
        reply_tokens: generated tokens that the longest conversation may hold.
        columns: session key -> key columns of its rows.
        index_column: where the order of asking within a session goes (``vote`` for judges).
    """
    lora = identity.get("lora")
    model = Model(
        model_file,
        gpu_layers=schedule["gpu_layers"],
        lora=adapter_file,
        lora_scale=lora["scale"] if lora else 1.0,
    )
    vocabulary = Vocabulary(model)
    template = ChatTemplate(
        vocabulary,
        model.chat_template(),
        plain_format=identity.get("plain_format"),
        variables=identity.get("chat_template_kwargs"),
    )
    longest, calls = _look_ahead(sessions(), template)
    context_length = identity["context_length"]
    needed = longest + reply_tokens
    if needed > context_length and not allow_context_errors:
        raise ContextError(
            f"the longest conversation may need {needed} tokens (prompt {longest}, replies {reply_tokens}), "
            f"but context_length is {context_length}",
            where=name,
            hint=f"set context_length of this model to at least {needed}, or lower max_tokens",
        )
    row_class = read_row_class(probe)
    rows = plan_rows(
        model,
        n_parallel=schedule["n_parallel"],
        context_length=context_length,
        positions=needed,
        file_bytes=Path(model_file).stat().st_size,
        granted_mb=schedule["memory_mb"],
        row_class=row_class,
    )
    rows = min(rows, max(calls, 1))
    engine = Engine(
        model,
        template,
        vocabulary,
        context_length=context_length,
        n_parallel=rows,
        threads=schedule["threads"],
        row_class=row_class,
        expected=needed,
        cache_bytes=cache_bytes(kv_bytes_per_position(model.metadata), rows, min(needed, context_length)),
    )
    log = ProgressLog(calls, name)
    written = []
    for session_key, session_calls in engine.run(sessions(), on_progress=log):
        written.extend(call_rows(session_calls, columns(session_key), index_column))
    log.close(engine.progress)
    write_table(output, written, schema)


def _look_ahead(sessions: Iterable[Session], template: ChatTemplate) -> tuple[int, int]:
    """Tokens of the longest first prompt, and the calls asked for at first, over all sessions."""
    longest = calls = 0
    seen = {}
    for session in sessions:
        asked = next(session.method, [])  # a method may ask for nothing
        for ask in [asked] if isinstance(asked, Ask) else asked:
            said = tuple((message["role"], message["content"]) for message in ask.messages)
            if said not in seen:
                seen[said] = len(template.encode(ask.messages))
            longest, calls = max(longest, seen[said]), calls + 1
        session.method.close()
    return longest, calls


def call_rows(calls: list[Call], columns: Mapping, index_column: str = "call_index") -> Iterator[dict]:
    """The rows of one session's calls.

    Columns that ``columns`` gives stand before those of the call itself.
    """
    cached = cached_prompt_tokens([call.prompt for call in calls], [call.generated for call in calls])
    for call, cached_tokens in zip(calls, cached, strict=True):
        yield {
            "sample_index": call.ask.sample_index,
            index_column: call.index,
            "role": call.ask.role,
            "round": call.ask.round,
            "messages": list(call.ask.messages),
            "seed": call.seed,
            "temperature": float(call.ask.temperature),
            "top_p": float(call.ask.top_p),
            "max_tokens": call.ask.max_tokens,
            "prompt_tokens": len(call.prompt),
            "cached_prompt_tokens": cached_tokens,
            "completion_tokens": len(call.generated),
            "stop_reason": call.stop_reason,
            "text": call.text,
            "token_ids": call.generated,
            "tokens_source": "measured",
            **columns,
        }


def read_row_class(probe: str | Path) -> RowClass:
    """The row class that ``probe_model`` stored.

    Raises:
        ModelError: the file is not what ``probe_model`` writes.
    """
    try:
        stored = json.loads(Path(probe).read_text(encoding="utf-8"))["row_class"]
        return RowClass(stored["least"], stored["multiple"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(
            f"the model's probe cannot be read: {error}", where=str(probe), hint="delete it and run again"
        ) from error
