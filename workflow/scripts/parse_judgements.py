"""Reads the verdicts of one judge on one cell from its stored replies."""

from reasonaudit.audit.parse_judgements import parse_judgements
from reasonaudit.logs import start_log

start_log(snakemake.log)
parse_judgements(judge_calls=snakemake.input.judge_calls, judgements=snakemake.output.judgements)
