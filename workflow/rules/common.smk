# The study's configuration, checked, and what rules ask of it.
#
# Params that hold several values are one dict a section: Snakemake compares the values of params
# without their names. Nothing here may import pandas or llama_cpp: every cluster job parses it.

import functools
import os
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

REPOSITORY = Path(workflow.basedir)
sys.path.insert(0, str(REPOSITORY / "workflow" / "scripts"))

from reasonaudit.config.load import load_config
from reasonaudit.config.strict_yaml import read_yaml_strict
from reasonaudit.errors import ReasonAuditError
from reasonaudit.methods.declarations import method_settings, prompt_paths, seed_settings
from reasonaudit.provenance import code_digest, library_versions, sha256_file
from reasonaudit.sources import stored_name

# The demo is read only where no other file is given: Snakemake merges config files deeply, and a
# study would otherwise inherit the demo's models and data.
if not workflow.config_settings.configfiles:

    configfile: "config/config.yaml"


CONFIG_FILES = [str(path) for path in workflow.config_settings.configfiles] or ["config/config.yaml"]

try:
    for name in CONFIG_FILES:
        read_yaml_strict(Path(name))
    STUDY = load_config(config, file=" + ".join(CONFIG_FILES), repository=REPOSITORY)
except ReasonAuditError as error:
    raise WorkflowError(f"\n{error}") from None

RESULTS = f"results/{STUDY.study}"
POOL = "self_consistency"


# Names are the configured ones, so that a greedy wildcard cannot split a path elsewhere.
def one_of(names):
    return "|".join(re.escape(name) for name in names) or "(?!)"


wildcard_constraints:
    model=one_of(STUDY.models),
    dataset=one_of(STUDY.datasets),
    method=one_of(entry.name for entry in STUDY.methods),
    judge=one_of(STUDY.judges),
    questions_shard=r"\d{5}",
    shard=r"(run[1-9]\d*-)?\d{5}",  # run 0 has no prefix


# --- jobs on this machine ---------------------------------------------------------------------

# --cores may promise more than the machine has, and a model job that shares its cores with any other
# job runs up to ten times slower. So on one machine there are as many cores as there really are; on
# a cluster the scheduler sees to it.
LOCAL_CPUS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
given_cores, given_jobs = (workflow.global_resources[name].value for name in ("_cores", "_nodes"))
if given_jobs is None and (given_cores or 0) > LOCAL_CPUS:
    workflow.global_resources["_cores"] = LOCAL_CPUS


def model_threads(wildcards):
    """Threads of a model job; Snakemake grants at most the cores there are."""
    return STUDY.models[running_model(wildcards)].threads


def running_model(wildcards):
    """The model that a job loads: the judge's where there is one."""
    judge = getattr(wildcards, "judge", None)
    return STUDY.judges[judge].model if judge else wildcards.model


# --- files of models and data sets ------------------------------------------------------------


def model_file(wildcards):
    """Where a model's file is kept (shared by studies)."""
    model = STUDY.models[running_model(wildcards)]
    return f"resources/models/{stored_name(model.source, model.sha256)}"


def adapter_file(wildcards):
    """Where a model's LoRA adapter is kept, if it has one."""
    lora = STUDY.models[running_model(wildcards)].lora
    return f"resources/models/{stored_name(lora.source, lora.sha256)}" if lora else []


def model_probe(wildcards):
    """What was found out about a model when it was first loaded."""
    return f"{RESULTS}/models/{running_model(wildcards)}.json"


def fetched_sources():
    """File name in resources/ -> (source, sha256) of everything that must be fetched."""
    found = {}
    for model in STUDY.models.values():
        found[stored_name(model.source, model.sha256)] = (list(model.source), model.sha256)
        if model.lora:
            found[stored_name(model.lora.source, model.lora.sha256)] = (
                list(model.lora.source),
                model.lora.sha256,
            )
    for dataset in [*STUDY.datasets.values(), *STUDY.step_labels.values()]:
        found[stored_name(dataset.source, dataset.sha256)] = ([dataset.source], dataset.sha256)
    return found


SOURCES = fetched_sources()


def source_of(wildcards):
    return {"source": SOURCES[wildcards.file][0], "sha256": SOURCES[wildcards.file][1]}


def data_file(section):
    """Where a data set's file is: in place for file: sources, else fetched."""
    if section.source.startswith("file:"):
        path = Path(section.source.removeprefix("file:")).expanduser()
        return str(path if path.is_absolute() or REPOSITORY == Path.cwd() else REPOSITORY / path)
    return f"resources/data/{stored_name(section.source, section.sha256)}"


# --- questions and calls ----------------------------------------------------------------------


@functools.cache
def shards_of(dataset):
    """Shard name -> draw indices [start, stop)."""
    return STUDY.shards(dataset)


def dataset_file(wildcards):
    return data_file(STUDY.datasets[wildcards.dataset])


def question_sampling(wildcards):
    """What decides a shard of questions; the number of questions is not among it."""
    dataset = STUDY.datasets[wildcards.dataset]
    start, stop = shards_of(wildcards.dataset)[wildcards.questions_shard]
    return {
        "dataset": wildcards.dataset,
        "source": dataset.source,
        "format": dataset.format,
        "language": dataset.language,
        "columns": dataset.columns.model_dump() if dataset.columns else None,
        "seed": STUDY.seed,
        "start": start,
        "stop": stop,
        "size": dataset.size,
        "sha256": dataset.sha256,
    }


def loader_digest(wildcards):
    loader = f"reasonaudit.questions.{STUDY.datasets[wildcards.dataset].format}"
    return code_digest("sample_questions.py", modules=[loader])


def question_shards(wildcards):
    """Question files of a data set."""
    return [
        f"{RESULTS}/questions/{wildcards.dataset}/{shard}.parquet" for shard in shards_of(wildcards.dataset)
    ]


def all_question_shards(wildcards=None):
    return [
        f"{RESULTS}/questions/{dataset}/{shard}.parquet"
        for dataset in STUDY.datasets
        for shard in shards_of(dataset)
    ]


def shard_names(dataset):
    """Shards of calls: those of the questions, once a run."""
    return [
        f"run{run}-{shard}" if run else shard
        for run in range(STUDY.statistics.runs)
        for shard in shards_of(dataset)
    ]


def questions_of_shard(wildcards):
    return f"{RESULTS}/questions/{wildcards.dataset}/{wildcards.shard[-5:]}.parquet"


def calls_key(wildcards):
    """The key columns that all rows of a shard share."""
    prefix = wildcards.shard.partition("-")[0] if "-" in wildcards.shard else "run0"
    return {
        "model": wildcards.model,
        "dataset": wildcards.dataset,
        "method": wildcards.method,
        "run": int(prefix.removeprefix("run")),
    }


def calls_of_cell(wildcards):
    """Calls files of one (model, dataset, method)."""
    folder = f"{RESULTS}/calls/{wildcards.model}/{wildcards.dataset}/{wildcards.method}"
    return [f"{folder}/{shard}.parquet" for shard in shard_names(wildcards.dataset)]


def identity_of_model(wildcards):
    return STUDY.models[running_model(wildcards)].identity()


def adapter_of_model(wildcards):
    return adapter_file(wildcards) or None


def method_given(wildcards):
    """A method as generation takes it: complete settings, changes by role, and what enters its seeds."""
    entry = STUDY.method(wildcards.method)
    sampling = STUDY.sampling
    settings = {
        "temperature": sampling.temperature if entry.temperature is None else entry.temperature,
        "top_p": entry.top_p or sampling.top_p,
        "max_tokens": STUDY.max_tokens(wildcards.model, wildcards.method),
    }
    if entry.module == POOL:
        settings["pool_size"] = sampling.pool_size
    identity = entry.identity()
    every_role = {} if entry.temperature is None else {"*": {"temperature": entry.temperature}}
    return {
        "module": entry.module,
        "settings": settings | method_settings(entry.module, entry.settings),
        "roles": every_role | identity.get("roles", {}),
        "seed": identity | {"settings": seed_settings(entry.module, entry.settings)},
    }


def prompts_given(wildcards):
    """Prompt files of a method in the language of the questions, and the digests of their texts."""
    return prompts_of(wildcards.method, STUDY.datasets[wildcards.dataset].language)


@functools.cache
def prompts_of(method, language):
    entry, prompts = STUDY.method(method), STUDY.prompts
    spoken = language if prompts.language == "question" else "en"
    paths = prompt_paths(entry.module, spoken, prompts.answer_format, prompts.folder, entry.prompts)
    exemplars = Path(prompts.folder) / "exemplars" / f"{language}.jsonl"
    files = [*paths.values(), exemplars] if prompts.shots else [*paths.values()]
    return {
        "paths": {step: str(path) for step, path in paths.items()},
        "exemplars": str(exemplars) if prompts.shots else None,
        "shots": prompts.shots,
        "boxed": prompts.answer_format == "boxed",
        "sha256": [sha256_file(path) for path in files if path.is_file()],
    }


def generation_digest(wildcards):
    """Code and libraries that decide text; the method's own module and no other."""
    source = f"reasonaudit.methods.{STUDY.method(wildcards.method).module}"
    return {
        "code": code_digest("generate_calls.py", modules=[source]),
        "libraries": library_versions(["llama-cpp-python"]),
    }


def schedule_of_model(wildcards):
    """n_parallel and the like travel as resources: they change no text, so they re-run nothing."""
    return STUDY.models[running_model(wildcards)].n_parallel or 0


def gpu_layers_of_model(wildcards):
    return STUDY.models[running_model(wildcards)].gpu_layers


# --- cells and what analyses take -------------------------------------------------------------

CELLS = STUDY.cells()
# Methods that stand against the pool: cells of a model and data set that has one.
COMPARED = [
    cell
    for cell in CELLS
    if any(other[:2] == cell[:2] and STUDY.method(other[2]).module == POOL for other in CELLS)
]


def cell_files(table, cells):
    return [f"{RESULTS}/{table}/{model}/{dataset}/{method}.parquet" for model, dataset, method in cells]


def call_files(cells):
    return [
        f"{RESULTS}/calls/{model}/{dataset}/{method}/{shard}.parquet"
        for model, dataset, method in cells
        for shard in shard_names(dataset)
    ]


def cells_of_kind(kind):
    return [cell for cell in CELLS if STUDY.method(cell[2]).reported()["kind"] == kind]


STATISTICS = STUDY.statistics.model_dump(mode="json") | {"families": STUDY.families()}
GRADING = {"verifier": STUDY.grading.verifier, "verifiers": STUDY.stored_verifiers()}
POOL_GIVEN = {"method": POOL, "size": STUDY.sampling.pool_size, "curve": STUDY.sampling.curve}
MODEL_LABELS = {
    name: {
        "size_b": model.size_b,
        "family": model.family,
        "generation": model.generation,
        "label": model.label,
    }
    for name, model in STUDY.models.items()
}
DATASET_LABELS = {
    name: {"language": dataset.language, "label": dataset.label} for name, dataset in STUDY.datasets.items()
}
METHODS_GIVEN = {entry.name: entry.reported() for entry in STUDY.methods}


# --- what is written to read ------------------------------------------------------------------


def exported(tables):
    return [f"{RESULTS}/tables/{table}.{kind}" for table in tables for kind in ("csv", "md", "tex")]


def figure_files(*names):
    return [f"{RESULTS}/figures/{name}.{kind}" for name in names for kind in ("pdf", "png", "svg")]


# --- small questions of single rules -----------------------------------------------------------


def probe_given(wildcards):
    model = STUDY.models[wildcards.model]
    return {"context_length": model.context_length, "adapter": adapter_of_model(wildcards)}


def answer_rule_of(wildcards):
    return STUDY.method(wildcards.method).reported()["answer_rule"]


def export_filter(wildcards):
    """Rows that the exported table keeps: comparisons.csv has one row per (model, dataset, method)."""
    if wildcards.table == "comparisons":
        return {"cost_basis": "generated", "matching": "fixed"}
    return {}


def cells_with_methods(cells):
    """The generated combinations, by model and data set."""
    found = {}
    for model, dataset, method in cells:
        found.setdefault((model, dataset), []).append(method)
    return [
        {"model": model, "dataset": dataset, "methods": methods}
        for (model, dataset), methods in found.items()
    ]


CHECKED = {"comparisons", "curves", "pick_vs_count"}


def checked_by(wildcards):
    return comparisons_checked([wildcards.table])


def comparisons_checked(tables):
    """Not read: numbers of the comparison are shown once the second route has arrived at them."""
    return f"{RESULTS}/rederivation.parquet" if CHECKED & {*tables} else []
