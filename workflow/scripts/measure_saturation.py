"""Acceptance and CoT-Pass@n at equal numbers of correct samples."""

from reasonaudit.analysis.saturation import measure_saturation
from reasonaudit.logs import start_log

start_log(snakemake.log)
measure_saturation(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    judged_samples=snakemake.input.judged_samples,
    saturation=snakemake.output.saturation,
    judges=snakemake.params.judges,
    datasets=snakemake.params.datasets,
    solvers=snakemake.params.solvers,
    statistics=snakemake.params.statistics,
    seed=snakemake.params.seed,
)
