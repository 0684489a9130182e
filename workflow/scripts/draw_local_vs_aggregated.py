"""Draws accuracies under local majority and aggregation."""

from reasonaudit.figures.local_vs_aggregated import draw_local_vs_aggregated
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_local_vs_aggregated(selection=snakemake.input.selection, paths=list(snakemake.output))
