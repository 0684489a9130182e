# reasonaudit: what the numbers of a reasoning evaluation can carry.
#
# results/<study>/
#   questions/<dataset>/<shard>.parquet                the sampled questions
#   models/<model>.json                                what was loaded, and its row class
#   calls/<model>/<dataset>/<method>/<shard>.parquet   one row per model call, raw text
#   answers/, verdicts/, steps/ <model>/<dataset>/<method>.parquet   graded from stored text
#   *.parquet                                          tables of the analyses
#   tables/*.csv, *.md, *.tex                          the same tables to read
#   figures/*.pdf, *.png, *.svg                        the figures
#   logs/, benchmarks/                                 one file a job, named like its output
#   provenance.json, estimate.csv                      what the results rest on; what they cost
#
# Usage: snakemake --cores 64                          the demo (config/config.yaml)
#        snakemake --cores 64 --configfile config/studies/equal_cost.yaml

from snakemake.utils import min_version

min_version("9.0")


include: "workflow/rules/common.smk"
include: "workflow/rules/estimate_common.smk"
include: "workflow/rules/estimate.smk"
include: "workflow/rules/prepare.smk"
include: "workflow/rules/generate.smk"
include: "workflow/rules/grade.smk"
include: "workflow/rules/compare.smk"
include: "workflow/rules/cot_pass_common.smk"
include: "workflow/rules/cot_pass.smk"
include: "workflow/rules/verifier_bias_common.smk"
include: "workflow/rules/verifier_bias.smk"
include: "workflow/rules/export.smk"
include: "workflow/rules/figures.smk"


# A study has the parts that its configuration asks for.
TABLES = [
    *(COMPARISON_TABLES if COMPARED else []),
    *(COT_PASS_TABLES if STUDY.judges else []),
    *(VERIFIER_TABLES if AUDITED else []),
    "grader_validation",
]


# Everything that follows from questions and calls.
rule derived:
    input:
        rules.comparisons.input,
        rules.cot_pass.input,
        rules.verifier_bias.input if AUDITED else [],
        rules.grader_validation.input,


include: "workflow/rules/verify_common.smk"
include: "workflow/rules/verify.smk"
include: "workflow/rules/cluster.smk"


rule all:
    default_target: True
    input:
        rules.derived.input,
        rules.record_provenance.output.record,


rule report_tables:
    input:
        exported(TABLES),
