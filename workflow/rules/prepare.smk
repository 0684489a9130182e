# Models and data sets at hand: fetched, checked against their hashes, probed.
# Outputs: resources/models/, resources/data/ (shared by studies), results/<study>/models/<model>.json


rule fetch_model:
    output:
        model="resources/models/{file}",
    params:
        code=code_digest("fetch_model.py"),
        given=source_of,
    log:
        "results/logs/fetch_model/{file}.log",
    conda:
        "../../envs/generate.yaml"
    script:
        "../scripts/fetch_model.py"


rule fetch_data:
    output:
        data="resources/data/{file}",
    params:
        code=code_digest("fetch_data.py"),
        given=source_of,
    log:
        "results/logs/fetch_data/{file}.log",
    conda:
        "../../envs/analysis.yaml"
    script:
        "../scripts/fetch_data.py"


def probe_given(wildcards):
    model = STUDY.models[wildcards.model]
    return {"context_length": model.context_length, "adapter": adapter_of_model(wildcards)}


rule probe_model:
    input:
        model=ancient(model_file),
        adapter=ancient(adapter_file),
    output:
        probe=f"{RESULTS}/models/{{model}}.json",
    params:
        code=code_digest("probe_model.py"),
        given=probe_given,
        identity=identity_of_model,
        libraries=library_versions(["llama-cpp-python"]),
    log:
        f"{RESULTS}/logs/models/{{model}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/models/{{model}}.tsv"
    threads: model_threads
    resources:
        mem_mb=model_memory_mb,
        local_cpus=claimed_cpus,
    conda:
        "../../envs/generate.yaml"
    script:
        "../scripts/probe_model.py"


rule sample_questions:
    input:
        source=dataset_file,
    output:
        questions=f"{RESULTS}/questions/{{dataset}}/{{questions_shard}}.parquet",
    params:
        code=loader_digest,
        sampling=question_sampling,
    log:
        f"{RESULTS}/logs/questions/{{dataset}}/{{questions_shard}}.log",
    conda:
        "../../envs/analysis.yaml"
    script:
        "../scripts/sample_questions.py"


rule questions:
    input:
        all_question_shards(),
