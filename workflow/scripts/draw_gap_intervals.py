"""Draws gap intervals."""

from reasonaudit.figures.gap_intervals import draw_gap_intervals
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_gap_intervals(
    cot_pass=snakemake.input.cot_pass, paths=list(snakemake.output), strategy=snakemake.params.strategy
)
