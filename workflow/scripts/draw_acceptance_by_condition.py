"""Draws acceptance by condition."""

from reasonaudit.figures.acceptance_by_condition import draw_acceptance_by_condition
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_acceptance_by_condition(
    acceptance=snakemake.input.acceptance, paths=list(snakemake.output), strategy=snakemake.params.strategy
)
