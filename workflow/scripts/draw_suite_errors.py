"""Draws the errors on the robustness battery."""

from reasonaudit.figures.suite_errors import draw_suite_errors
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_suite_errors(
    suite=snakemake.input.suite, variants=snakemake.input.variants, paths=list(snakemake.output)
)
