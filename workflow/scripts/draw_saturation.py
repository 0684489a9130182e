"""Draws saturation."""

from reasonaudit.figures.saturation import draw_saturation
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_saturation(
    saturation=snakemake.input.saturation, paths=list(snakemake.output), strategy=snakemake.params.strategy
)
