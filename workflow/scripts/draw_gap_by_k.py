"""Draws gap by k."""

from reasonaudit.figures.gap_by_k import draw_gap_by_k
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_gap_by_k(
    cot_pass=snakemake.input.cot_pass, paths=list(snakemake.output), strategy=snakemake.params.strategy
)
