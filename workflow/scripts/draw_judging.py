"""Judging minus counting against model size."""

from reasonaudit.figures.judging import draw_judging
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_judging(
    pick_vs_count=snakemake.input.pick_vs_count,
    paths=[snakemake.output.pdf, snakemake.output.png, snakemake.output.svg],
    methods=snakemake.params.methods,
    models=snakemake.params.models,
    datasets=snakemake.params.datasets,
)
