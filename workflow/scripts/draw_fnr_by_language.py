"""Draws the false-negative rates by language."""

from reasonaudit.figures.fnr_by_language import draw_fnr_by_language

draw_fnr_by_language(errors=snakemake.input.errors, paths=list(snakemake.output))
