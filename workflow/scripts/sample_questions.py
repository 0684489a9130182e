"""One shard of the questions of a data set."""

from reasonaudit.questions.sampling import sample_questions

sample_questions(
    path=snakemake.input.source,
    output=snakemake.output.questions,
    **snakemake.params.sampling,
)
