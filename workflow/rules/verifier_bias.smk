# Study 3: verifiers by language, and what selection across languages recovers. No model runs.
# Outputs: results/<study>/{verifier_suite,verifier_suite_variants,reward_errors,reward_error_contrasts,
# reward_errors_displayed,false_negative_causes,reward_variance,selection,selection_autopsy,
# interface_probe,verifier_profiles}.parquet, their tables, and the figures.


rule score_suite:
    input:
        battery=BATTERY,
    output:
        suite=f"{RESULTS}/verifier_suite.parquet",
        variants=f"{RESULTS}/verifier_suite_variants.parquet",
    log:
        f"{RESULTS}/logs/verifier_suite.log",
    benchmark:
        f"{RESULTS}/benchmarks/verifier_suite.tsv"
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("score_suite.py"),
        libraries=library_versions(["math-verify", "latex2sympy2_extended", "sympy"]),
        verifiers=GRADING["verifiers"],
    script:
        "../scripts/score_suite.py"


rule measure_reward_errors:
    input:
        questions=questions_of_cells(AUDITED),
        answers=cell_files("answers", AUDITED),
        verdicts=cell_files("verdicts", AUDITED),
    output:
        errors=f"{RESULTS}/reward_errors.parquet",
        contrasts=f"{RESULTS}/reward_error_contrasts.parquet",
        displayed=f"{RESULTS}/reward_errors_displayed.parquet",
    log:
        f"{RESULTS}/logs/reward_errors.log",
    benchmark:
        f"{RESULTS}/benchmarks/reward_errors.tsv"
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("measure_reward_errors.py"),
        audit=AUDIT,
        settings=ERROR_SETTINGS,
    script:
        "../scripts/measure_reward_errors.py"


rule explain_false_negatives:
    input:
        questions=questions_of_cells(AUDITED),
        answers=cell_files("answers", AUDITED),
        verdicts=cell_files("verdicts", AUDITED),
    output:
        causes=f"{RESULTS}/false_negative_causes.parquet",
    log:
        f"{RESULTS}/logs/false_negative_causes.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("explain_false_negatives.py"),
        audit=AUDIT,
        settings={"readmitting_verifier": STUDY.bias.readmitting_verifier if STUDY.bias else None},
    script:
        "../scripts/explain_false_negatives.py"


rule measure_reward_variance:
    input:
        questions=questions_of_cells(AUDITED),
        answers=cell_files("answers", AUDITED),
        verdicts=cell_files("verdicts", AUDITED),
    output:
        variance=f"{RESULTS}/reward_variance.parquet",
    log:
        f"{RESULTS}/logs/reward_variance.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("measure_reward_variance.py"),
        audit=AUDIT,
        settings={"group_size": STUDY.bias.group_size if STUDY.bias else None},
    script:
        "../scripts/measure_reward_variance.py"


rule select_across_languages:
    input:
        questions=questions_of_cells(SELECTED),
        answers=cell_files("answers", SELECTED),
    output:
        selection=f"{RESULTS}/selection.parquet",
        autopsy=f"{RESULTS}/selection_autopsy.parquet",
    log:
        f"{RESULTS}/logs/selection.log",
    benchmark:
        f"{RESULTS}/benchmarks/selection.tsv"
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("select_across_languages.py"),
        audit={
            "problem_sets": answered_sets(STUDY.selection.method) if STUDY.selection else {},
            "method": STUDY.selection.method if STUDY.selection else None,
        },
        settings=selection_settings(),
    script:
        "../scripts/select_across_languages.py"


rule probe_interface:
    input:
        questions=questions_of_cells(PROBED),
        answers=cell_files("answers", PROBED),
        verdicts=cell_files("verdicts", PROBED),
    output:
        probe=f"{RESULTS}/interface_probe.parquet",
    log:
        f"{RESULTS}/logs/interface_probe.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("probe_interface.py"),
        settings={
            "probes": [
                {"name": name, **probe.model_dump(mode="json")}
                for name, probe in STUDY.interface_probes.items()
            ],
            "verifiers": UNDER_AUDIT,
            "trusted": GRADING["verifier"],
            "seed": STUDY.seed,
            "confidence": STUDY.statistics.confidence,
            "resamples": STUDY.bias.resamples if STUDY.bias else 4000,
        },
    script:
        "../scripts/probe_interface.py"


rule profile_verifiers:
    input:
        errors=f"{RESULTS}/reward_errors.parquet",
        causes=f"{RESULTS}/false_negative_causes.parquet",
        selection=f"{RESULTS}/selection.parquet" if STUDY.selection else [],
    output:
        profiles=f"{RESULTS}/verifier_profiles.parquet",
    log:
        f"{RESULTS}/logs/verifier_profiles.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("profile_verifiers.py"),
    script:
        "../scripts/profile_verifiers.py"


rule write_verifier_summary:
    input:
        suite=f"{RESULTS}/verifier_suite.parquet",
        profiles=f"{RESULTS}/verifier_profiles.parquet" if STUDY.bias else [],
        selection=f"{RESULTS}/selection.parquet" if STUDY.selection else [],
    output:
        summary=report(
            f"{RESULTS}/tables/verifier_bias_summary.md",
            category="Verifiers",
            caption="../report/verifier_bias_summary.rst",
        ),
    log:
        f"{RESULTS}/logs/verifier_bias_summary.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("write_verifier_summary.py"),
    script:
        "../scripts/write_verifier_summary.py"


SUITE_TABLES = ["verifier_suite", "verifier_suite_variants"]
BIAS_TABLES = [
    "reward_errors",
    "reward_error_contrasts",
    "reward_errors_displayed",
    "false_negative_causes",
    "reward_variance",
    "verifier_profiles",
]
VERIFIER_TABLES = [
    *SUITE_TABLES,
    *(BIAS_TABLES if STUDY.bias else []),
    *(["selection", "selection_autopsy"] if STUDY.selection else []),
    *(["interface_probe"] if STUDY.interface_probes else []),
]
SUITE_FIGURES = {"suite_errors": (["verifier_suite", "verifier_suite_variants"], {})}
BIAS_FIGURES = {
    "fnr_by_language": (["reward_errors"], {}),
    "language_bias": (["reward_errors"], {}),
    "reward_variance": (["reward_variance"], {}),
}
VERIFIER_FIGURES = {
    **SUITE_FIGURES,
    **(BIAS_FIGURES if STUDY.bias else {}),
    **({"local_vs_aggregated": (["selection"], {})} if STUDY.selection else {}),
}


rule verifier_suite:
    input:
        exported(SUITE_TABLES),
        figure_files(*SUITE_FIGURES),


rule verifier_bias:
    input:
        rules.write_verifier_summary.output.summary,
        exported(VERIFIER_TABLES),
        figure_files(*VERIFIER_FIGURES),
