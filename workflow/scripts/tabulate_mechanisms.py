"""Transitions, engagement and unreadable answers."""

from reasonaudit.analysis.tabulate_mechanisms import tabulate_mechanisms
from reasonaudit.logs import start_log

start_log(snakemake.log)
tabulate_mechanisms(
    calls=snakemake.input.calls,
    answers=snakemake.input.answers,
    steps=snakemake.input.steps,
    dropped=snakemake.input.dropped,
    transitions=snakemake.output.transitions,
    engagement=snakemake.output.engagement,
    unreadable=snakemake.output.unreadable,
    methods=snakemake.params.methods,
    statistics=snakemake.params.statistics,
    study_seed=snakemake.params.study_seed,
)
