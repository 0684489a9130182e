# What jobs cost, from the configuration and a model's speed: what clusters are asked for, and what
# `snakemake estimate` shows. Read before the rules that run models.

from types import SimpleNamespace

from reasonaudit.audit.judge_prompts import judge_prompt_file
from reasonaudit.estimate.costs import job_memory_mb, job_minutes
from reasonaudit.estimate.speeds import model_speed
from reasonaudit.estimate.walk import read_prompts, walk_judge, walk_method

# Length of a reply as a share of its limit: a round number, since nobody knows before the run.
REPLY_SHARE = 0.5


def speed_file(model):
    """Where a model's measured speed is kept (shared by studies)."""
    return f"resources/speeds/{model}-{Path(model_file(SimpleNamespace(model=model))).name[:12]}.json"


@functools.cache
def speed_of(model):
    given = STUDY.models[model]
    return model_speed(
        speed_file(model), size_b=given.size_b, threads=given.threads, gpu=given.gpu_layers != 0
    )


@functools.cache
def walk_of(model, dataset, method):
    """What one question costs a solver."""
    cell = SimpleNamespace(model=model, dataset=dataset, method=method)
    given = method_given(cell)
    return walk_method(
        given["module"],
        read_prompts(prompts_given(cell)),
        given["settings"],
        given["roles"],
        language=STUDY.datasets[dataset].language,
        share=REPLY_SHARE,
    )


@functools.cache
def judge_walk_of(judge, model, dataset, method):
    """What judging one question's samples costs, at most: only right answers are judged."""
    given, section = STUDY.judges[judge], STUDY.datasets[dataset]
    answers = STUDY.sampling.pool_size if STUDY.method(method).module == POOL else 1
    natural = min(answers, given.max_samples or answers) if given.natural else 0
    injected = 0
    if STUDY.injection and given.injected:
        panel = STUDY.injection.panel_per_cell or STUDY.injection.per_cell
        originals = min(STUDY.injection.per_question * section.count, panel)
        injected = -(-originals * len(STUDY.injection.conditions) // section.count)
    prompt = judge_prompt_file(STUDY.prompts.folder, section.language, given.prompt_language)[1]
    return walk_judge(
        Path(prompt).read_text(encoding="utf-8"),
        language=section.language,
        samples=natural + injected,
        votes=given.votes,
        max_tokens=given.max_tokens,
        chain_tokens=int(STUDY.max_tokens(model, method) * REPLY_SHARE),
        share=REPLY_SHARE,
    )


def walk_of_job(wildcards):
    if hasattr(wildcards, "labelled"):  # chains of unknown number: the longest that a judge may read
        judge = STUDY.judges[wildcards.judge]
        return walk_judge(
            "",
            language="en",
            samples=1,
            votes=judge.votes,
            max_tokens=judge.max_tokens,
            chain_tokens=2048,
            share=REPLY_SHARE,
        )
    cell = (wildcards.model, wildcards.dataset, wildcards.method)
    judge = getattr(wildcards, "judge", None)
    return judge_walk_of(judge, *cell) if judge else walk_of(*cell)


def questions_of_job(wildcards):
    if hasattr(wildcards, "labelled"):
        return -(-(STUDY.step_labels[wildcards.labelled].n_questions or 1000) // LABELLED_PARTS)
    start, stop = shards_of(wildcards.dataset)[wildcards.shard[-5:]]
    return stop - start


def model_runtime(wildcards, attempt):
    """Minutes that a model job asks for: every reply at its limit, on a machine half as fast; more on
    every attempt."""
    speed = speed_of(running_model(wildcards))
    return attempt * job_minutes(walk_of_job(wildcards), speed, questions=questions_of_job(wildcards))


def model_memory_mb(wildcards, attempt):
    """Megabytes that a model job asks for; more on every attempt."""
    name = running_model(wildcards)
    model = STUDY.models[name]
    return attempt * job_memory_mb(
        walk_of_job(wildcards),
        speed_of(name),
        n_parallel=model.n_parallel,
        context_length=model.context_length,
    )


def probe_memory_mb(wildcards, attempt):
    """Megabytes for loading a model and trying it on 32 short rows."""
    speed = speed_of(wildcards.model)
    return attempt * (2000 + int(1.1 * speed.file_bytes / 2**20) + 32 * 1280 * speed.kv_bytes // 2**20)


def estimated_cells(wildcards):
    """One row a cell: the solvers', then the judges'."""
    solvers = [("solver", None, cell) for cell in CELLS]
    judges = [("judge", judge, cell) for judge in STUDY.judges for cell in STUDY.judged_cells(judge)]
    return [estimated_cell(*each) for each in solvers + judges]


def estimated_cell(kind, judge, cell):
    model, dataset, method = cell
    running = STUDY.judges[judge].model if judge else model
    given, runs = STUDY.models[running], STUDY.statistics.runs
    folder = f"judge_calls/{judge}" if judge else "calls"
    return {
        "kind": kind,
        "model": judge or model,
        "dataset": dataset,
        "method": f"{model} {method}" if judge else method,
        "folder": f"{folder}/{model}/{dataset}/{method}",
        "walk": vars(judge_walk_of(judge, *cell) if judge else walk_of(*cell)),
        "questions": STUDY.datasets[dataset].count * runs,
        "jobs": len(shards_of(dataset)) * runs,
        "speed_file": speed_file(running),
        "size_b": given.size_b,
        "threads": given.threads,
        "gpu": given.gpu_layers != 0,
        "n_parallel": given.n_parallel,
        "context_length": given.context_length,
    }


def measurable_speeds(wildcards):
    """Speeds of the models whose files are here; nothing is downloaded for an estimate."""
    names = {STUDY.judges[judge].model for judge in STUDY.judges} | set(STUDY.solvers)
    return [
        speed_file(name)
        for name in STUDY.models
        if name in names and Path(model_file(SimpleNamespace(model=name))).exists()
    ]


def model_schedule(wildcards):
    return {
        "n_parallel": STUDY.models[wildcards.model].n_parallel,
        "gpu_layers": gpu_layers_of_model(wildcards),
    }
