"""Draws the verifier language bias beside its null."""

from reasonaudit.figures.language_bias import draw_language_bias

draw_language_bias(errors=snakemake.input.errors, paths=list(snakemake.output))
