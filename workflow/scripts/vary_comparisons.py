"""The comparisons again under other choices."""

from reasonaudit.analysis.vary_comparisons import vary_comparisons
from reasonaudit.logs import start_log

start_log(snakemake.log)
vary_comparisons(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    verdicts=snakemake.input.verdicts,
    steps=snakemake.input.get("steps", []),
    dropped=snakemake.input.dropped,
    robustness=snakemake.output.robustness,
    pool=snakemake.params.pool,
    grading=snakemake.params.grading,
    statistics=snakemake.params.statistics,
    study_seed=snakemake.params.study_seed,
)
