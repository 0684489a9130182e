"""Every method against repeated sampling at equal cost."""

from reasonaudit.analysis.compare_methods import compare_methods
from reasonaudit.logs import start_log

start_log(snakemake.log)
compare_methods(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    dropped=snakemake.input.dropped,
    comparisons=snakemake.output.comparisons,
    group_effects=snakemake.output.group_effects,
    run_variance=snakemake.output.run_variance,
    temperature_control=snakemake.output.temperature_control,
    pool=snakemake.params.pool,
    methods=snakemake.params.methods,
    statistics=snakemake.params.statistics,
    study_seed=snakemake.params.study_seed,
)
