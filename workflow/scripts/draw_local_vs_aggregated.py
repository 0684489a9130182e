"""Draws accuracies under local majority and aggregation."""

from reasonaudit.figures.local_vs_aggregated import draw_local_vs_aggregated

draw_local_vs_aggregated(selection=snakemake.input.selection, paths=list(snakemake.output))
