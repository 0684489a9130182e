"""One shard of the questions of a data set."""

from reasonaudit.logs import start_log
from reasonaudit.questions.sampling import sample_questions

start_log(snakemake.log)
sample_questions(
    path=snakemake.input.source,
    output=snakemake.output.questions,
    **snakemake.params.sampling,
)
