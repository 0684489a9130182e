"""Draws the verifier language bias beside its null."""

from reasonaudit.figures.language_bias import draw_language_bias
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_language_bias(errors=snakemake.input.errors, paths=list(snakemake.output))
