"""Forest plot of all comparisons."""

from reasonaudit.figures.comparisons import draw_comparisons
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_comparisons(
    comparisons=snakemake.input.comparisons,
    paths=[snakemake.output.pdf, snakemake.output.png, snakemake.output.svg],
    methods=snakemake.params.methods,
    models=snakemake.params.models,
    datasets=snakemake.params.datasets,
)
