"""Accuracy against generated tokens, with the sampling baseline."""

from reasonaudit.figures.cost_accuracy import draw_cost_accuracy
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_cost_accuracy(
    curves=snakemake.input.curves,
    comparisons=snakemake.input.comparisons,
    paths=[snakemake.output.pdf, snakemake.output.png, snakemake.output.svg],
    methods=snakemake.params.methods,
    models=snakemake.params.models,
    datasets=snakemake.params.datasets,
)
