"""One shard of a judge's model calls."""

from reasonaudit.judge_generation import judge_samples
from reasonaudit.logs import start_log

start_log(snakemake.log)
judge_samples(
    questions=snakemake.input.get("questions", []),
    calls=snakemake.input.get("calls", []),
    answers=snakemake.input.get("answers", []),
    injections=snakemake.input.get("injections", []),
    panel=snakemake.input.get("panel", []),
    step_labels=snakemake.input.get("step_labels", []),
    model_file=snakemake.input.model,
    adapter_file=snakemake.input.get("adapter") or None,
    probe=snakemake.input.probe,
    output=snakemake.output.judge_calls,
    judge=snakemake.wildcards.judge,
    identity=snakemake.params.identity,
    settings=snakemake.params.settings,
    prompts=snakemake.params.prompts,
    study_seed=snakemake.params.study_seed,
    allow_context_errors=bool(snakemake.resources.allow_context_errors),
    schedule={
        "n_parallel": snakemake.resources.n_parallel or None,
        "gpu_layers": snakemake.resources.gpu_layers,
        "threads": snakemake.threads,
        "memory_mb": snakemake.resources.mem_mb,
    },
)
