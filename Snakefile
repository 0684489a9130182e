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
#
# Usage: snakemake --cores 64                          the demo (config/config.yaml)
#        snakemake --cores 64 --configfile config/studies/equal_cost.yaml

from snakemake.utils import min_version

min_version("9.0")


include: "workflow/rules/common.smk"
include: "workflow/rules/prepare.smk"
include: "workflow/rules/generate.smk"
include: "workflow/rules/grade.smk"


rule all:
    default_target: True
    input:
        rules.answers.input,


