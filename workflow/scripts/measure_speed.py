"""Tokens a second of a model on this machine."""

from reasonaudit.engine.speed import measure_speed
from reasonaudit.logs import start_log

start_log(snakemake.log)
measure_speed(
    model_file=snakemake.input.model,
    adapter_file=snakemake.input.get("adapter") or None,
    n_parallel=snakemake.params.schedule["n_parallel"],
    gpu_layers=snakemake.params.schedule["gpu_layers"],
    threads=snakemake.threads,
    output=snakemake.output.speed,
)
