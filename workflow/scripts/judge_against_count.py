"""The model's pick against a count on the same samples."""

from reasonaudit.analysis.judge_against_count import judge_against_count
from reasonaudit.logs import start_log

start_log(snakemake.log)
judge_against_count(
    answers=snakemake.input.answers,
    steps=snakemake.input.steps,
    calls=snakemake.input.calls,
    dropped=snakemake.input.dropped,
    pick_vs_count=snakemake.output.pick_vs_count,
    pick_positions=snakemake.output.pick_positions,
    methods=snakemake.params.methods,
    statistics=snakemake.params.statistics,
    study_seed=snakemake.params.study_seed,
)
