"""Draws the errors on the robustness battery."""

from reasonaudit.figures.suite_errors import draw_suite_errors

draw_suite_errors(
    suite=snakemake.input.suite, variants=snakemake.input.variants, paths=list(snakemake.output)
)
