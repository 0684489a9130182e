"""The published numbers a second time, by SQL over the stored calls and answers."""

from reasonaudit.analysis.rederivation import rederive_results
from reasonaudit.logs import start_log

start_log(snakemake.log)
rederive_results(
    calls=snakemake.input.calls,
    answers=snakemake.input.answers,
    steps=snakemake.input.steps,
    dropped=snakemake.input.dropped,
    curves=snakemake.input.curves,
    comparisons=snakemake.input.comparisons,
    pick_vs_count=snakemake.input.pick_vs_count,
    rederivation=snakemake.output.rederivation,
    pool=snakemake.params.pool,
    statistics=snakemake.params.statistics,
)
