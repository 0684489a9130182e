# Study 2: does the judge inside CoT-Pass@k check the chain?
# Needs: questions, calls, answers. Outputs in results/<study>/:
# injections/, panel/ <model>/<dataset>/<method>.parquet        errors put into correct solutions
# judge_calls/<judge>/<model>/<dataset>/<method>/<shard>.parquet   one row a vote, raw text
# judgements/<judge>/<model>/<dataset>/<method>.parquet         the verdicts in it
# step_labels/<name>.parquet, and .../<judge>/step_labels/<name>   chains with human labels
# the tables and figures of COT_PASS_TABLES and COT_PASS_FIGURES, tables/cot_pass_summary.md


rule inject_errors:
    input:
        questions=question_shards,
        calls=calls_of_cell,
        answers=f"{RESULTS}/answers/{{model}}/{{dataset}}/{{method}}.parquet",
    output:
        injections=f"{RESULTS}/injections/{{model}}/{{dataset}}/{{method}}.parquet",
    log:
        f"{RESULTS}/logs/injections/{{model}}/{{dataset}}/{{method}}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("inject_errors.py"),
        injection=injection_given,
        answer_range=answer_range_of,
        policy=STUDY.grading.policies(),
        seed=STUDY.seed,
    script:
        "../scripts/inject_errors.py"


# One file a cell, so that a cell whose panel stays as it was is not judged again.
rule choose_panels:
    input:
        injections=cell_files("injections", INJECTED_CELLS),
    output:
        panels=cell_files("panel", INJECTED_CELLS),
    log:
        f"{RESULTS}/logs/choose_panels.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("choose_panels.py"),
        per_cell=STUDY.injection.panel_per_cell if STUDY.injection else None,
    script:
        "../scripts/choose_panels.py"


rule judge_samples:
    input:
        questions=questions_of_shard,
        calls=calls_of_shard,
        answers=f"{RESULTS}/answers/{{model}}/{{dataset}}/{{method}}.parquet",
        injections=file_of_injected_cell("injections"),
        panel=file_of_injected_cell("panel"),
        model=ancient(model_file),
        adapter=ancient(adapter_file),
        probe=model_probe,
    output:
        judge_calls=f"{RESULTS}/judge_calls/{{judge}}/{{model}}/{{dataset}}/{{method}}/{{shard}}.parquet",
    log:
        f"{RESULTS}/logs/judge_calls/{{judge}}/{{model}}/{{dataset}}/{{method}}/{{shard}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/judge_calls/{{judge}}/{{model}}/{{dataset}}/{{method}}/{{shard}}.tsv"
    conda:
        "../../envs/generate.yaml"
    threads: model_threads
    resources:
        mem_mb=model_memory_mb,
        runtime=model_runtime,
        n_parallel=schedule_of_model,
        gpu_layers=gpu_layers_of_model,
        allow_context_errors=int(STUDY.statistics.allow_context_errors),
    params:
        code=code_digest("judge_samples.py"),
        libraries=library_versions(["llama-cpp-python"]),
        identity=judge_identity,
        settings=judge_settings,
        prompts=judge_prompts,
        study_seed=STUDY.seed,
    script:
        "../scripts/judge_samples.py"


rule load_step_labels:
    input:
        source=labelled_file,
    output:
        step_labels=f"{RESULTS}/step_labels/{{labelled}}.parquet",
    log:
        f"{RESULTS}/logs/step_labels/{{labelled}}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("load_step_labels.py"),
        given=labelled_given,
    script:
        "../scripts/load_step_labels.py"


rule judge_labelled_chains:
    input:
        step_labels=f"{RESULTS}/step_labels/{{labelled}}.parquet",
        model=ancient(model_file),
        adapter=ancient(adapter_file),
        probe=model_probe,
    output:
        judge_calls=f"{RESULTS}/judge_calls/{{judge}}/step_labels/{{labelled}}/{{part}}.parquet",
    log:
        f"{RESULTS}/logs/judge_calls/{{judge}}/step_labels/{{labelled}}/{{part}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/judge_calls/{{judge}}/step_labels/{{labelled}}/{{part}}.tsv"
    conda:
        "../../envs/generate.yaml"
    threads: model_threads
    resources:
        mem_mb=model_memory_mb,
        runtime=model_runtime,
        n_parallel=schedule_of_model,
        gpu_layers=gpu_layers_of_model,
        allow_context_errors=int(STUDY.statistics.allow_context_errors),
    params:
        code=code_digest("judge_samples.py"),
        libraries=library_versions(["llama-cpp-python"]),
        identity=judge_identity,
        settings=judge_settings,
        prompts=judge_prompts,
        study_seed=STUDY.seed,
    script:
        "../scripts/judge_samples.py"


rule parse_judgements:
    input:
        judge_calls=judge_calls_of_cell,
    output:
        judgements=f"{RESULTS}/judgements/{{judge}}/{{model}}/{{dataset}}/{{method}}.parquet",
    log:
        f"{RESULTS}/logs/judgements/{{judge}}/{{model}}/{{dataset}}/{{method}}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("parse_judgements.py"),
    script:
        "../scripts/parse_judgements.py"


rule parse_labelled_judgements:
    input:
        judge_calls=expand(
            f"{RESULTS}/judge_calls/{{{{judge}}}}/step_labels/{{{{labelled}}}}/{{part:05d}}.parquet",
            part=range(LABELLED_PARTS),
        ),
    output:
        judgements=f"{RESULTS}/judgements/{{judge}}/step_labels/{{labelled}}.parquet",
    log:
        f"{RESULTS}/logs/judgements/{{judge}}/step_labels/{{labelled}}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("parse_judgements.py"),
    script:
        "../scripts/parse_judgements.py"


# Nothing is computed from judgements that are incomplete or of other samples than the answers.
rule count_votes:
    input:
        answers=cell_files("answers", JUDGED_CELLS),
        judgements=judgement_files(),
        panels=cell_files("panel", INJECTED_CELLS),
    output:
        judged_samples=f"{RESULTS}/judged_samples.parquet",
        gates=f"{RESULTS}/judge_gates.parquet",
    log:
        f"{RESULTS}/logs/count_votes.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("count_votes.py"),
        judges=JUDGES_GIVEN,
        conditions=CONDITIONS,
    script:
        "../scripts/count_votes.py"


rule count_injections:
    input:
        injections=cell_files("injections", INJECTED_CELLS),
        panels=cell_files("panel", INJECTED_CELLS),
    output:
        injection_counts=f"{RESULTS}/injection_counts.parquet",
    log:
        f"{RESULTS}/logs/count_injections.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("count_injections.py"),
    script:
        "../scripts/count_injections.py"


rule measure_cot_pass:
    input:
        questions=all_question_shards(),
        answers=cell_files("answers", JUDGED_CELLS),
        judged_samples=rules.count_votes.output.judged_samples,
    output:
        cot_pass=f"{RESULTS}/cot_pass.parquet",
    log:
        f"{RESULTS}/logs/measure_cot_pass.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("measure_cot_pass.py"),
        judges=JUDGES_GIVEN,
        datasets=DATASETS_GIVEN,
        solvers=SOLVERS_GIVEN,
        ladder=COT_PASS["k"],
        statistics=STATISTICS,
        seed=STUDY.seed,
    script:
        "../scripts/measure_cot_pass.py"


rule measure_acceptance:
    input:
        questions=all_question_shards(),
        injections=cell_files("injections", INJECTED_CELLS),
        judged_samples=rules.count_votes.output.judged_samples,
    output:
        acceptance=f"{RESULTS}/acceptance.parquet",
    log:
        f"{RESULTS}/logs/measure_acceptance.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("measure_acceptance.py"),
        datasets=DATASETS_GIVEN,
        statistics=STATISTICS,
        seed=STUDY.seed,
    script:
        "../scripts/measure_acceptance.py"


rule measure_saturation:
    input:
        questions=all_question_shards(),
        answers=cell_files("answers", JUDGED_CELLS),
        judged_samples=rules.count_votes.output.judged_samples,
    output:
        saturation=f"{RESULTS}/saturation.parquet",
    log:
        f"{RESULTS}/logs/measure_saturation.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("measure_saturation.py"),
        judges=JUDGES_GIVEN,
        datasets=DATASETS_GIVEN,
        solvers=SOLVERS_GIVEN,
        statistics=STATISTICS,
        seed=STUDY.seed,
    script:
        "../scripts/measure_saturation.py"


rule measure_stops:
    input:
        answers=cell_files("answers", JUDGED_CELLS),
        judged_samples=rules.count_votes.output.judged_samples,
        cot_pass=rules.measure_cot_pass.output.cot_pass,
    output:
        stops=f"{RESULTS}/stops.parquet",
        budget_ladder=f"{RESULTS}/budget_ladder.parquet",
    log:
        f"{RESULTS}/logs/measure_stops.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("measure_stops.py"),
        judges=JUDGES_GIVEN,
        solvers=SOLVERS_GIVEN,
    script:
        "../scripts/measure_stops.py"


rule measure_judge_cost:
    input:
        answers=cell_files("answers", JUDGED_CELLS),
        judged_samples=rules.count_votes.output.judged_samples,
    output:
        judge_cost=f"{RESULTS}/judge_cost.parquet",
    log:
        f"{RESULTS}/logs/measure_judge_cost.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("measure_judge_cost.py"),
        judges=JUDGES_GIVEN,
    script:
        "../scripts/measure_judge_cost.py"


rule measure_sensitivity:
    input:
        questions=all_question_shards(),
        answers=cell_files("answers", JUDGED_CELLS),
        judged_samples=rules.count_votes.output.judged_samples,
        acceptance=rules.measure_acceptance.output.acceptance,
        cot_pass=rules.measure_cot_pass.output.cot_pass,
    output:
        judge_sensitivity=f"{RESULTS}/judge_sensitivity.parquet",
    log:
        f"{RESULTS}/logs/measure_sensitivity.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("measure_sensitivity.py"),
        judges=JUDGES_GIVEN,
        datasets=DATASETS_GIVEN,
    script:
        "../scripts/measure_sensitivity.py"


rule measure_step_truth:
    input:
        step_labels=expand(
            f"{RESULTS}/step_labels/{{name}}.parquet",
            name=dict.fromkeys(n for _, n in LABELLED),
        ),
        judged_samples=rules.count_votes.output.judged_samples,
    output:
        step_truth=f"{RESULTS}/step_truth.parquet",
    log:
        f"{RESULTS}/logs/measure_step_truth.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("measure_step_truth.py"),
        statistics=STATISTICS,
        seed=STUDY.seed,
    script:
        "../scripts/measure_step_truth.py"


rule identify_languages:
    input:
        questions=question_shards,
        calls=calls_of_cell,
        answers=f"{RESULTS}/answers/{{model}}/{{dataset}}/{{method}}.parquet",
        judge_calls=natural_judge_calls,
    output:
        chain_languages=f"{RESULTS}/chain_languages/{{model}}/{{dataset}}/{{method}}.parquet",
    log:
        f"{RESULTS}/logs/chain_languages/{{model}}/{{dataset}}/{{method}}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("identify_languages.py"),
        libraries=library_versions(["py3langid"]),
        seed=STUDY.seed,
        threshold=COT_PASS["language_threshold"],
        judgements_per_judge=COT_PASS["judgements_per_judge"],
    script:
        "../scripts/identify_languages.py"


rule tabulate_languages:
    input:
        chain_languages=cell_files("chain_languages", JUDGED_CELLS),
        judged_samples=rules.count_votes.output.judged_samples,
    output:
        chain_language=f"{RESULTS}/chain_language.parquet",
        language_tests=f"{RESULTS}/language_tests.parquet",
    log:
        f"{RESULTS}/logs/tabulate_languages.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("tabulate_languages.py"),
        solvers=SOLVERS_GIVEN,
        datasets=DATASETS_GIVEN,
        strategy=COT_PASS["strategy"],
        confidence=STUDY.statistics.confidence,
    script:
        "../scripts/tabulate_languages.py"


rule write_cot_pass_summary:
    input:
        acceptance=rules.measure_acceptance.output.acceptance,
        cot_pass=rules.measure_cot_pass.output.cot_pass,
        judge_sensitivity=rules.measure_sensitivity.output.judge_sensitivity,
        stops=rules.measure_stops.output.stops,
        budget_ladder=rules.measure_stops.output.budget_ladder,
        judge_cost=rules.measure_judge_cost.output.judge_cost,
        step_truth=rules.measure_step_truth.output.step_truth if LABELLED else [],
    output:
        summary=report(
            f"{RESULTS}/tables/cot_pass_summary.md",
            category="Judges",
            caption="../report/cot_pass_summary.rst",
        ),
    log:
        f"{RESULTS}/logs/write_cot_pass_summary.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("write_cot_pass_summary.py"),
        strategy=COT_PASS["strategy"],
    script:
        "../scripts/write_cot_pass_summary.py"


COT_PASS_TABLES = [
    "cot_pass",
    "acceptance",
    "saturation",
    "stops",
    "budget_ladder",
    "judge_cost",
    "judge_sensitivity",
    "chain_language",
    "language_tests",
    "judge_gates",
    *(["injection_counts"] if INJECTED_CELLS else []),
    *(["step_truth"] if LABELLED else []),
]
BY_STRATEGY = {"strategy": COT_PASS["strategy"]}
COT_PASS_FIGURES = {
    "acceptance_by_condition": (["acceptance"], BY_STRATEGY),
    "acceptance_by_edit": (["acceptance"], BY_STRATEGY),
    "cot_pass_endpoints": (["cot_pass"], BY_STRATEGY),
    "gap_by_k": (["cot_pass"], BY_STRATEGY),
    "gap_intervals": (["cot_pass"], BY_STRATEGY),
    "saturation": (["saturation"], BY_STRATEGY),
    "stops_and_gap": (["stops"], BY_STRATEGY),
    "language_shares": (["chain_language"], {}),
}


rule cot_pass:
    input:
        exported(COT_PASS_TABLES if STUDY.judges else []),
        figure_files(*COT_PASS_FIGURES if STUDY.judges else []),
        rules.write_cot_pass_summary.output.summary if STUDY.judges else [],
