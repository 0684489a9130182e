"""Draws acceptance by edit."""

from reasonaudit.figures.acceptance_by_edit import draw_acceptance_by_edit
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_acceptance_by_edit(
    acceptance=snakemake.input.acceptance, paths=list(snakemake.output), strategy=snakemake.params.strategy
)
