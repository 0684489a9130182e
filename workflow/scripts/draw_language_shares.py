"""Draws the languages of chains and judgements."""

from reasonaudit.figures.language_shares import draw_language_shares
from reasonaudit.logs import start_log

start_log(snakemake.log)
draw_language_shares(chain_language=snakemake.input.chain_language, paths=list(snakemake.output))
