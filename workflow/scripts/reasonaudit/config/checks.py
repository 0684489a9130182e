"""Checks over several sections: names that must fit together, and settings that contradict."""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

from reasonaudit.config.available import Available
from reasonaudit.config.method import POOL_METHOD
from reasonaudit.config.mistakes import Mistake, did_you_mean
from reasonaudit.config.study import Study
from reasonaudit.errors import ConfigError
from reasonaudit.methods.declarations import prompt_paths


def find_mistakes(study: Study, *, available: Available, repository: Path) -> list[Mistake]:
    """All mistakes that no single section can see. Those that follow from others are not told."""
    named = [
        *_collisions(study),
        *_unknown_code(study, available),
        *_unknown_names(study),
        *_missing_files(study, repository),
    ]
    return named or [
        *_prompts(study, repository),
        *_unused(study),
        *_parallel(study),
        *_too_long(study, available),
        *_too_few_resamples(study),
    ]


def _unknown(key: str, name: str, known: Iterable[str], what: str) -> Iterator[Mistake]:
    known = list(known)
    if name not in known:
        nearest = did_you_mean(name, known)
        yield Mistake(key, f"there is no {what} {name}", allowed=", ".join(known) or "none yet", hint=nearest)


def _collisions(study: Study) -> Iterator[Mistake]:
    """Names differing in case only are one folder on some file systems; equal ones anywhere."""
    named = {
        "models": list(study.models),
        "datasets": list(study.datasets),
        "methods": [entry.name for entry in study.methods],
        "judges": list(study.judges),
    }
    for section, names in named.items():
        seen: dict[str, str] = {}
        for name in names:
            other = seen.setdefault(name.lower(), name)
            if other is not name and other == name:
                yield Mistake(
                    f"{section}.{name}",
                    "this name is used twice",
                    hint=f"give the second a name of its own: {{{name}_2: {{method: {name}, ...}}}}"
                    if section == "methods"
                    else "rename one of them",
                )
            elif other != name:
                yield Mistake(
                    f"{section}.{name}",
                    f"differs from {other} in capital letters only",
                    hint="some file systems take both for one folder; rename one of them",
                )


def _unknown_code(study: Study, available: Available) -> Iterator[Mistake]:
    for entry in study.methods:
        yield from _unknown(f"methods.{entry.name}", entry.module, available.methods, "method")
    for name, dataset in study.datasets.items():
        yield from _unknown(f"datasets.{name}.format", dataset.format, available.formats, "format")
    yield from _unknown("grading.verifier", study.grading.verifier, available.verifiers, "verifier")
    for verifier in study.verifiers:
        yield from _unknown("verifiers", verifier, available.verifiers, "verifier")
    if study.bias and study.bias.readmitting_verifier is not None:
        yield from _unknown(
            "bias.readmitting_verifier", study.bias.readmitting_verifier, study.stored_verifiers(), "verifier"
        )
    for name, entry in study.imports.items():
        yield from _unknown(f"imports.{name}.format", entry.format, available.importers, "importer")


def _unknown_names(study: Study) -> Iterator[Mistake]:
    for entry in study.methods:
        for model in entry.models or ():
            yield from _unknown(f"methods.{entry.name}.models", model, study.models, "model")
            if model in study.models and not study.models[model].solver:
                yield Mistake(
                    f"methods.{entry.name}.models",
                    f"{model} is no solver (solver: false)",
                    hint="remove it here, or set solver: true",
                )
        for dataset in entry.datasets or ():
            yield from _unknown(f"methods.{entry.name}.datasets", dataset, study.datasets, "data set")
    methods = [entry.name for entry in study.methods]
    for name, judge in study.judges.items():
        yield from _unknown(f"judges.{name}.model", judge.model, study.models, "model")
        for model in judge.judged.models or ():
            yield from _unknown(f"judges.{name}.judged.models", model, study.models, "model")
        for dataset in judge.judged.datasets or ():
            yield from _unknown(f"judges.{name}.judged.datasets", dataset, study.datasets, "data set")
        for method in judge.judged.methods:
            yield from _unknown(f"judges.{name}.judged.methods", method, methods, "method")
        for labels in judge.step_labels:
            yield from _unknown(f"judges.{name}.step_labels", labels, study.step_labels, "step_labels entry")
    for section in ("selection", "bias"):
        given = getattr(study, section)
        if given is not None:
            yield from _unknown(f"{section}.method", given.method, methods, "method")
    for name, probe in study.interface_probes.items():
        for side in ("ordinary", "plain_numeric"):
            given = getattr(probe, side)
            yield from _unknown(f"interface_probes.{name}.{side}.method", given.method, methods, "method")
            for dataset in given.datasets:
                where = f"interface_probes.{name}.{side}.datasets"
                yield from _unknown(where, dataset, study.datasets, "data set")
    for name, entry in study.imports.items():
        yield from _unknown(f"imports.{name}.dataset", entry.dataset, study.datasets, "data set")
        if entry.tokenizer is not None:
            yield from _unknown(f"imports.{name}.tokenizer", entry.tokenizer, study.models, "model")


def _missing_files(study: Study, repository: Path) -> Iterator[Mistake]:
    sources = [
        (f"models.{name}.source", part) for name, model in study.models.items() for part in model.source
    ]
    sources += [
        (f"models.{name}.lora.source", part)
        for name, model in study.models.items()
        if model.lora
        for part in model.lora.source
    ]
    sources += [(f"datasets.{name}.source", dataset.source) for name, dataset in study.datasets.items()]
    sources += [(f"step_labels.{name}.source", entry.source) for name, entry in study.step_labels.items()]
    sources += [(f"imports.{name}.source", entry.source) for name, entry in study.imports.items()]
    for key, source in sources:
        if not source.startswith("file:"):
            continue
        path = repository / Path(source.removeprefix("file:")).expanduser()
        if not path.is_file():
            beside = [other.name for other in path.parent.iterdir()] if path.parent.is_dir() else []
            nearest = did_you_mean(path.name, beside)
            yield Mistake(
                key,
                "it is a folder, not a file" if path.is_dir() else "there is no such file",
                value=source,
                hint=nearest or "paths are relative to the folder of the Snakefile",
            )


def _prompts(study: Study, repository: Path) -> Iterator[Mistake]:
    """Every step that a method says must be written, in the question's language or in English."""
    folder = repository / study.prompts.folder
    if not folder.is_dir():
        yield Mistake("prompts.folder", "there is no such folder", value=study.prompts.folder)
        return
    told = set()
    for _, dataset, name in study.cells():
        entry, asked = study.method(name), study.datasets[dataset].language
        spoken = asked if study.prompts.language == "question" else "en"
        try:
            prompt_paths(entry.module, spoken, study.prompts.answer_format, folder, entry.prompts)
        except ConfigError as error:
            if (name, error.what) not in told:
                yield Mistake(
                    f"methods.{name}.prompts", f"{error.what} ({error.where})", hint=error.hint or ""
                )
            told.add((name, error.what))
        examples = folder / "exemplars" / f"{asked}.jsonl"
        if study.prompts.shots and asked not in told:
            told.add(asked)
            text = examples.read_text(encoding="utf-8") if examples.is_file() else ""
            found = sum(1 for line in text.split("\n") if line.strip())
            if found < study.prompts.shots:
                where = f"{study.prompts.folder}/exemplars/{asked}.jsonl"
                yield Mistake(
                    "prompts.shots",
                    f"data set {dataset} is in {asked}, for which {where} has {found} worked examples",
                    value=study.prompts.shots,
                    allowed=f"0 to {found}",
                    hint="add lines {question, reply} to the file" if found else "write the file",
                )


def _unused(study: Study) -> Iterator[Mistake]:
    if not study.models:
        return
    cells = study.cells()
    judging = {judge.model for judge in study.judges.values()}
    imported = {entry.tokenizer for entry in study.imports.values()}
    for name, model in study.models.items():
        if name not in {cell[0] for cell in cells} and name not in judging | imported:
            yield Mistake(
                f"models.{name}",
                "no method and no judge can use this model",
                hint="a model with solver: false needs a judge with model: " + name
                if not model.solver
                else "every method is restricted to other models; widen one of them, or remove the model",
            )
    read = {cell[1] for cell in cells} | {entry.dataset for entry in study.imports.values()}
    for name in study.datasets:
        if name not in read:
            yield Mistake(
                f"datasets.{name}",
                "no method uses this data set",
                hint="every method is restricted to others; widen one of them, or remove the data set",
            )
    for entry in study.methods:
        if entry.name not in {cell[2] for cell in cells}:
            yield Mistake(f"methods.{entry.name}", "no model and data set are left for this method")
    for name, judge in study.judges.items():
        if not study.judged_cells(name) and not judge.step_labels:
            yield Mistake(
                f"judges.{name}.judged",
                "nothing is left to judge",
                hint="models, datasets and methods together select no cell of the study",
            )


def _parallel(study: Study) -> Iterator[Mistake]:
    for group, names in study.parallel_groups().items():
        members = [study.datasets[name] for name in names]
        languages = [member.language for member in members]
        for name, language in zip(names, languages, strict=True):
            if languages.index(language) != names.index(name):
                yield Mistake(
                    f"datasets.{name}.parallel",
                    f"group {group} has the language {language} twice",
                    hint="a group holds each language once",
                )
        if len({member.count for member in members}) > 1:
            counts = ", ".join(f"{name} {study.datasets[name].count}" for name in names)
            yield Mistake(
                f"datasets.{names[-1]}.n_questions",
                f"group {group} draws different numbers of questions ({counts})",
                hint="the same problems are drawn in each language only for equal numbers",
            )
        if len(names) == 1:
            yield Mistake(
                f"datasets.{names[0]}.parallel",
                f"group {group} has no other data set",
                hint="name the same group in the other language's data set, or remove parallel",
            )
    for name in study.step_labels:
        if not any(name in judge.step_labels for judge in study.judges.values()):
            yield Mistake(
                f"step_labels.{name}",
                "no judge reads these chains",
                hint=f"give a judge step_labels: [{name}]",
            )
    if (study.selection or study.bias) and not study.parallel_groups():
        section = "selection" if study.selection else "bias"
        yield Mistake(
            section,
            "it compares languages, but no data sets are marked as the same problems",
            hint="give the data sets of each language the same parallel: NAME",
        )


def _too_long(study: Study, available: Available) -> Iterator[Mistake]:
    """A prompt that holds whole replies (the pick's, say) may outgrow the context on just the long, hard
    questions, which leaves a sample of easy ones."""
    for entry in study.methods:
        code = available.methods.get(entry.module)
        if code is None:
            continue
        replies = code.replies({**code.defaults, **entry.settings})
        limits = [role.max_tokens for role in entry.roles.values() if role.max_tokens]
        for model in dict.fromkeys(cell[0] for cell in study.cells() if cell[2] == entry.name):
            limit = max([study.max_tokens(model, entry.name), *limits])
            needed, length = (replies + 1) * limit, study.models[model].context_length
            if needed >= length:
                held = f"its longest prompt holds {replies} replies, and " if replies else ""
                yield Mistake(
                    f"models.{model}.context_length",
                    f"too short for {entry.name}: {held} a reply may take {limit} tokens".replace(
                        ":  ", ": "
                    ),
                    value=length,
                    allowed=f"more than {needed}",
                    hint=f"set {_round_up(needed + needed // 4)}, or lower max_tokens"
                    + (f" or the settings of {entry.name}" if replies else ""),
                )
    for name, judge in study.judges.items():
        limits = [study.max_tokens(model, method) for model, _, method in study.judged_cells(name)]
        longest = max(limits, default=0)
        needed, length = longest + judge.max_tokens, study.models[judge.model].context_length
        if needed >= length:
            detail = f"a solution may take {longest} tokens, a judgement {judge.max_tokens}"
            yield Mistake(
                f"models.{judge.model}.context_length",
                f"too short for judge {name}: {detail}",
                value=length,
                allowed=f"more than {needed}",
                hint=f"set {_round_up(needed + needed // 8)}, or lower max_tokens of the judge",
            )


def _round_up(tokens: int) -> int:
    return -(-tokens // 1024) * 1024


def _too_few_resamples(study: Study) -> Iterator[Mistake]:
    """The smallest p of B resamples is 2 / (B + 1); Holm's first step over m tests wants alpha / m."""
    tests = study.comparisons()
    alpha = 1 - study.statistics.confidence
    needed = math.ceil(round(10 * tests / alpha, 6))
    if tests and study.statistics.resamples < needed:
        yield Mistake(
            "statistics.resamples",
            f"too few for {tests} tests at level {alpha:.3g}: the correction could not resolve them",
            value=study.statistics.resamples,
            allowed=f"{needed} or more (10 m / alpha)",
            hint=f"set resamples: {needed}, or compare fewer methods",
        )
    if tests and not any(entry.module == POOL_METHOD for entry in study.methods):
        yield Mistake(
            "methods",
            f"{POOL_METHOD} is missing: it is what the other methods are compared to",
            hint=f"add - {POOL_METHOD}",
        )
