# Answers and verdicts from stored text; no model runs.
# Outputs: results/<study>/{answers,verdicts,steps}/<model>/<dataset>/<method>.parquet


rule grade_answers:
    input:
        questions=question_shards,
        calls=calls_of_cell,
    output:
        answers=f"{RESULTS}/answers/{{model}}/{{dataset}}/{{method}}.parquet",
        verdicts=f"{RESULTS}/verdicts/{{model}}/{{dataset}}/{{method}}.parquet",
    log:
        f"{RESULTS}/logs/answers/{{model}}/{{dataset}}/{{method}}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest(
            "grade_answers.py", modules=[f"reasonaudit.verifiers.{name}" for name in GRADING["verifiers"]]
        ),
        libraries=library_versions(["math-verify", "latex2sympy2_extended", "sympy"]),
        answer_rule=answer_rule_of,
        grading=GRADING,
        policy=STUDY.grading.policies(),
    script:
        "../scripts/grade_answers.py"


rule grade_steps:
    input:
        questions=question_shards,
        calls=calls_of_cell,
    output:
        steps=f"{RESULTS}/steps/{{model}}/{{dataset}}/{{method}}.parquet",
    log:
        f"{RESULTS}/logs/steps/{{model}}/{{dataset}}/{{method}}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("grade_steps.py", modules=[f"reasonaudit.verifiers.{GRADING['verifier']}"]),
        verifier=GRADING["verifier"],
        policy=STUDY.grading.policies(),
    script:
        "../scripts/grade_steps.py"


rule answers:
    input:
        cell_files("answers", CELLS),


# Synthetic replies with known answers: what each verifier recovers of every gold.
rule validate_graders:
    input:
        questions=all_question_shards(),
    output:
        table=f"{RESULTS}/grader_validation.parquet",
    log:
        f"{RESULTS}/logs/grader_validation.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest(
            "validate_graders.py", modules=[f"reasonaudit.verifiers.{name}" for name in GRADING["verifiers"]]
        ),
        libraries=library_versions(["math-verify", "latex2sympy2_extended", "sympy"]),
        grading=GRADING,
        policy=STUDY.grading.policies(),
    script:
        "../scripts/validate_graders.py"


rule grader_validation:
    input:
        exported(["grader_validation"]),
