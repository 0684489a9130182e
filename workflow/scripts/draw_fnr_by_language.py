"""Draws the false-negative rates by language."""

from reasonaudit.figures.fnr_by_language import draw_fnr_by_language
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_fnr_by_language(errors=snakemake.input.errors, paths=list(snakemake.output))
