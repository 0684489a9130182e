"""Checks the judgements of a study and counts their votes."""

from reasonaudit.analysis.judged_samples import count_votes
from reasonaudit.logs import start_log

start_log(snakemake.log)
count_votes(
    answers=snakemake.input.answers,
    judgements=snakemake.input.judgements,
    panels=snakemake.input.panels,
    judged_samples=snakemake.output.judged_samples,
    gates=snakemake.output.gates,
    judges=snakemake.params.judges,
    conditions=snakemake.params.conditions,
)
