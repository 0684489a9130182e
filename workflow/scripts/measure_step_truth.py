"""Judges against human labels of the first wrong step."""

from reasonaudit.analysis.step_truth import measure_step_truth
from reasonaudit.logs import start_log

start_log(snakemake.log)
measure_step_truth(
    step_labels=snakemake.input.step_labels,
    judged_samples=snakemake.input.judged_samples,
    step_truth=snakemake.output.step_truth,
    statistics=snakemake.params.statistics,
    seed=snakemake.params.seed,
)
