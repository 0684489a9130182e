"""A model's file, checked against its SHA-256."""

from reasonaudit.logs import start_log
from reasonaudit.sources import fetch

start_log(snakemake.log)
fetch(**snakemake.params.given, path=snakemake.output.model)
