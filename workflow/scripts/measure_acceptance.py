"""Acceptance by condition and slice, with paired differences."""

from reasonaudit.analysis.acceptance import measure_acceptance
from reasonaudit.logs import start_log

start_log(snakemake.log)
measure_acceptance(
    questions=snakemake.input.questions,
    injections=snakemake.input.injections,
    judged_samples=snakemake.input.judged_samples,
    acceptance=snakemake.output.acceptance,
    datasets=snakemake.params.datasets,
    statistics=snakemake.params.statistics,
    seed=snakemake.params.seed,
)
