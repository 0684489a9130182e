"""What the study will cost, and what it has cost so far."""

from reasonaudit.estimate.report import estimate_cost
from reasonaudit.logs import start_log

start_log(snakemake.log)
estimate_cost(cells=snakemake.params.cells, results=snakemake.params.results, table=snakemake.params.table)
