"""The sampling baseline: accuracy of N chains, exact and drawn."""

from reasonaudit.analysis.estimate_curves import estimate_curves
from reasonaudit.logs import start_log

start_log(snakemake.log)
estimate_curves(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    dropped=snakemake.input.dropped,
    curves=snakemake.output.curves,
    pool=snakemake.params.pool,
    statistics=snakemake.params.statistics,
    study_seed=snakemake.params.study_seed,
)
