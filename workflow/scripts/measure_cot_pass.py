"""Pass@k, CoT-Pass@k and their gap."""

from reasonaudit.analysis.cot_pass import measure_cot_pass
from reasonaudit.logs import start_log

start_log(snakemake.log)
measure_cot_pass(
    questions=snakemake.input.questions,
    answers=snakemake.input.answers,
    judged_samples=snakemake.input.judged_samples,
    cot_pass=snakemake.output.cot_pass,
    judges=snakemake.params.judges,
    datasets=snakemake.params.datasets,
    solvers=snakemake.params.solvers,
    ladder=snakemake.params.ladder,
    statistics=snakemake.params.statistics,
    seed=snakemake.params.seed,
)
