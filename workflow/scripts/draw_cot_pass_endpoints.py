"""Draws cot pass endpoints."""

from reasonaudit.figures.cot_pass_endpoints import draw_cot_pass_endpoints
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_cot_pass_endpoints(
    cot_pass=snakemake.input.cot_pass, paths=list(snakemake.output), strategy=snakemake.params.strategy
)
