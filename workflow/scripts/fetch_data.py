"""A data set's file, checked against its SHA-256 where one is given."""

from reasonaudit.logs import start_log
from reasonaudit.sources import fetch_data

start_log(snakemake.log)
fetch_data(**snakemake.params.given, path=snakemake.output.data)
