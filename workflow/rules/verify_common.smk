# What the rules of verify.smk ask: the code that results rest on, and what is taken as given.

from reasonaudit.provenance import module_names

# Rules that run a model or fetch or draw what is taken as given when results are derived again.
TAKEN_AS_GIVEN = {
    "fetch_model",
    "fetch_data",
    "probe_model",
    "measure_speed",
    "estimate",
    "sample_questions",
    "generate_calls",
    "judge_samples",
    "judge_labelled_chains",
    "load_step_labels",
    "record_provenance",
    "verify",
}


# Scripts that load modules of a package by name.
LOADED_BY_NAME = {
    "draw_figure.py": "figures",
    "generate_calls.py": "methods",
    "sample_questions.py": "questions",
}


def scripts_of_rules():
    """Script of every rule -> its digest, with all modules that it may load."""
    scripts = {Path(rule.script).name for rule in workflow.rules if rule.script}
    return {name: code_digest(name, modules=modules_loaded_by(name)) for name in sorted(scripts)}


def modules_loaded_by(script):
    package = LOADED_BY_NAME.get(script)
    return [f"reasonaudit.{package}.{name}" for name in module_names(package)] if package else []


def provenance_given(wildcards):
    return {
        "study": STUDY.model_dump(mode="json"),
        "code": scripts_of_rules(),
        "sources": {name: {"source": source, "sha256": sha} for name, (source, sha) in SOURCES.items()},
        "prompts": STUDY.prompts.folder,
    }


def verification_given(wildcards):
    return {
        "results": RESULTS,
        "repository": str(REPOSITORY),
        "config_files": CONFIG_FILES,
        "allowed_rules": [rule.name for rule in workflow.rules if rule.name not in TAKEN_AS_GIVEN],
        "targets": [str(path) for path in rules.derived.input],
    }
