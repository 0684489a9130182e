"""The two checks of a judged metric, as a page."""

from reasonaudit.analysis.cot_pass_summary import write_cot_pass_summary
from reasonaudit.logs import start_log

start_log(snakemake.log)
write_cot_pass_summary(
    acceptance=snakemake.input.acceptance,
    cot_pass=snakemake.input.cot_pass,
    judge_sensitivity=snakemake.input.judge_sensitivity,
    stops=snakemake.input.stops,
    budget_ladder=snakemake.input.budget_ladder,
    judge_cost=snakemake.input.judge_cost,
    step_truth=snakemake.input.step_truth,
    summary=snakemake.output.summary,
    strategy=snakemake.params.strategy,
)
