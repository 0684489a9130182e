# Study 1: every method against repeated sampling at the same number of generated tokens.
# Needs: questions, calls, answers, verdicts, steps. Outputs: tables and figures of the comparison.

STEP_CELLS = [cell for cell in COMPARED if STUDY.method(cell[2]).module != POOL]
CHOOSING = cells_of_kind("choosing")
POOLS = [cell for cell in COMPARED if STUDY.method(cell[2]).module == POOL]
PLANNED = {"differences": [0.02, 0.03, 0.05, 0.1], "power": 0.8, "runs": [1, 2, 4, 8]}
COMPARISON_TABLES = [
    "curves",
    "comparisons",
    "gates",
    "dropped_questions",
    "rederivation",
    "group_effects",
    "run_variance",
    "temperature_control",
    "pick_vs_count",
    "pick_positions",
    "transitions",
    "engagement",
    "unreadable",
    "robustness",
    "plan",
]


# Rules with long lists of inputs name files, not rules.X.output: Snakemake's time for the latter grows
# with the square of the list.


# Nothing is computed from calls that are incomplete or answers that do not add up.
rule check_integrity:
    input:
        questions=all_question_shards(),
        calls=call_files(COMPARED),
        answers=cell_files("answers", COMPARED),
        verdicts=cell_files("verdicts", COMPARED),
    output:
        gates=f"{RESULTS}/gates.parquet",
        dropped=f"{RESULTS}/dropped_questions.parquet",
    log:
        f"{RESULTS}/logs/check_integrity.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("check_integrity.py"),
        cells=cells_with_methods(COMPARED),
        pool=POOL_GIVEN,
        methods=METHODS_GIVEN,
        grading=GRADING,
        statistics=STATISTICS,
    script:
        "../scripts/check_integrity.py"


rule estimate_curves:
    input:
        questions=all_question_shards(),
        answers=cell_files("answers", POOLS),
        dropped=f"{RESULTS}/dropped_questions.parquet",
    output:
        curves=f"{RESULTS}/curves.parquet",
    log:
        f"{RESULTS}/logs/estimate_curves.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("estimate_curves.py"),
        pool=POOL_GIVEN,
        statistics=STATISTICS,
        study_seed=STUDY.seed,
    script:
        "../scripts/estimate_curves.py"


rule compare_methods:
    input:
        questions=all_question_shards(),
        answers=cell_files("answers", COMPARED),
        dropped=f"{RESULTS}/dropped_questions.parquet",
    output:
        comparisons=f"{RESULTS}/comparisons.parquet",
        group_effects=f"{RESULTS}/group_effects.parquet",
        run_variance=f"{RESULTS}/run_variance.parquet",
        temperature_control=f"{RESULTS}/temperature_control.parquet",
    log:
        f"{RESULTS}/logs/compare_methods.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("compare_methods.py"),
        pool=POOL_GIVEN,
        methods=METHODS_GIVEN,
        statistics=STATISTICS,
        study_seed=STUDY.seed,
    script:
        "../scripts/compare_methods.py"


rule judge_against_count:
    input:
        answers=cell_files("answers", CHOOSING),
        steps=cell_files("steps", CHOOSING),
        calls=call_files(CHOOSING),
        dropped=f"{RESULTS}/dropped_questions.parquet",
    output:
        pick_vs_count=f"{RESULTS}/pick_vs_count.parquet",
        pick_positions=f"{RESULTS}/pick_positions.parquet",
    log:
        f"{RESULTS}/logs/judge_against_count.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("judge_against_count.py"),
        methods=METHODS_GIVEN,
        statistics=STATISTICS,
        study_seed=STUDY.seed,
    script:
        "../scripts/judge_against_count.py"


rule tabulate_mechanisms:
    input:
        calls=call_files(COMPARED),
        answers=cell_files("answers", COMPARED),
        steps=cell_files("steps", STEP_CELLS),
        dropped=f"{RESULTS}/dropped_questions.parquet",
    output:
        transitions=f"{RESULTS}/transitions.parquet",
        engagement=f"{RESULTS}/engagement.parquet",
        unreadable=f"{RESULTS}/unreadable.parquet",
    log:
        f"{RESULTS}/logs/tabulate_mechanisms.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("tabulate_mechanisms.py"),
        methods=METHODS_GIVEN,
        statistics=STATISTICS,
        study_seed=STUDY.seed,
    script:
        "../scripts/tabulate_mechanisms.py"


rule vary_comparisons:
    input:
        questions=all_question_shards(),
        answers=cell_files("answers", COMPARED),
        verdicts=cell_files("verdicts", COMPARED),
        dropped=f"{RESULTS}/dropped_questions.parquet",
    output:
        robustness=f"{RESULTS}/robustness.parquet",
    log:
        f"{RESULTS}/logs/vary_comparisons.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("vary_comparisons.py"),
        pool=POOL_GIVEN,
        grading=GRADING,
        statistics=STATISTICS,
        study_seed=STUDY.seed,
    script:
        "../scripts/vary_comparisons.py"


# The same numbers by a second route: SQL over the stored files, none of the analysis code.
rule rederive_results:
    input:
        calls=call_files(COMPARED),
        answers=cell_files("answers", COMPARED),
        steps=cell_files("steps", STEP_CELLS),
        dropped=f"{RESULTS}/dropped_questions.parquet",
        curves=f"{RESULTS}/curves.parquet",
        comparisons=f"{RESULTS}/comparisons.parquet",
        pick_vs_count=f"{RESULTS}/pick_vs_count.parquet",
    output:
        rederivation=f"{RESULTS}/rederivation.parquet",
    log:
        f"{RESULTS}/logs/rederive_results.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("rederive_results.py"),
        pool=POOL_GIVEN,
        statistics=STATISTICS,
    script:
        "../scripts/rederive_results.py"


rule plan_study:
    input:
        comparisons=rules.compare_methods.output.comparisons,
        run_variance=rules.compare_methods.output.run_variance,
    output:
        plan=f"{RESULTS}/plan.parquet",
    log:
        f"{RESULTS}/logs/plan_study.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("plan_study.py"),
        statistics=STATISTICS,
        goals=PLANNED,
    script:
        "../scripts/plan_study.py"


rule write_summary:
    input:
        comparisons=rules.compare_methods.output.comparisons,
        curves=rules.estimate_curves.output.curves,
        engagement=rules.tabulate_mechanisms.output.engagement,
        robustness=rules.vary_comparisons.output.robustness,
        unreadable=rules.tabulate_mechanisms.output.unreadable,
        pick_vs_count=rules.judge_against_count.output.pick_vs_count,
        transitions=rules.tabulate_mechanisms.output.transitions,
        group_effects=rules.compare_methods.output.group_effects,
        gates=rules.check_integrity.output.gates,
        rederivation=rules.rederive_results.output.rederivation,
        dropped=rules.check_integrity.output.dropped,
    output:
        summary=report(f"{RESULTS}/tables/summary.md", category="Equal cost", caption="../report/summary.rst"),
    log:
        f"{RESULTS}/logs/write_summary.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("write_summary.py"),
        study=STUDY.study,
        methods=METHODS_GIVEN,
        models=MODEL_LABELS,
        datasets=DATASET_LABELS,
        statistics=STATISTICS,
    script:
        "../scripts/write_summary.py"


LABELS = {"methods": METHODS_GIVEN, "models": MODEL_LABELS, "datasets": DATASET_LABELS}
COMPARISON_FIGURES = {
    "cost_accuracy": (["curves", "comparisons"], LABELS),
    "comparisons": (["comparisons"], LABELS),
    **({"judging_minus_counting": (["pick_vs_count"], LABELS)} if CHOOSING else {}),
}


rule comparisons:
    input:
        exported(COMPARISON_TABLES if COMPARED else []),
        rules.write_summary.output.summary if COMPARED else [],
        figure_files(*COMPARISON_FIGURES if COMPARED else []),


rule plan:
    input:
        exported(["plan"]),
