"""One shard of a method's model calls."""

from reasonaudit.generation import generate_calls
from reasonaudit.logs import start_log

start_log(snakemake.log)
generate_calls(
    questions=snakemake.input.questions,
    model_file=snakemake.input.model,
    adapter_file=snakemake.input.get("adapter") or None,
    probe=snakemake.input.probe,
    output=snakemake.output.calls,
    key=snakemake.params.key,
    identity=snakemake.params.identity,
    method=snakemake.params.method,
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
