"""Languages of the chains of one cell and of a sample of its judgements."""

from reasonaudit.audit.identify_languages import identify_languages
from reasonaudit.logs import start_log

start_log(snakemake.log)
identify_languages(
    questions=snakemake.input.questions,
    calls=snakemake.input.calls,
    answers=snakemake.input.answers,
    judge_calls=snakemake.input.judge_calls,
    chain_languages=snakemake.output.chain_languages,
    seed=snakemake.params.seed,
    threshold=snakemake.params.threshold,
    judgements_per_judge=snakemake.params.judgements_per_judge,
)
