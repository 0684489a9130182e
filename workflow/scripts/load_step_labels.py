"""Reads chains with human labels of the first wrong step."""

from reasonaudit.audit.step_labels import load_step_labels

load_step_labels(
    source=snakemake.input.source,
    step_labels=snakemake.output.step_labels,
    dataset=snakemake.wildcards.labelled,
    language=snakemake.params.language,
    n_questions=snakemake.params.n_questions,
)
