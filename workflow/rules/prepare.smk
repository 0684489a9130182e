# Models and data sets at hand: fetched, checked against their hashes, probed.
# Outputs: resources/models/, resources/data/ (shared by studies), results/<study>/models/<model>.json


rule fetch_model:
    output:
        model="resources/models/{file}",
    log:
        "results/logs/fetch_model/{file}.log",
    conda:
        "../../envs/generate.yaml"
    params:
        code=code_digest("fetch_model.py"),
        given=source_of,
    script:
        "../scripts/fetch_model.py"


rule fetch_data:
    output:
        data="resources/data/{file}",
    log:
        "results/logs/fetch_data/{file}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("fetch_data.py"),
        given=source_of,
    script:
        "../scripts/fetch_data.py"


rule probe_model:
    input:
        model=ancient(model_file),
        adapter=ancient(adapter_file),
    output:
        probe=f"{RESULTS}/models/{{model}}.json",
    log:
        f"{RESULTS}/logs/models/{{model}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/models/{{model}}.tsv"
    conda:
        "../../envs/generate.yaml"
    threads: model_threads
    resources:
        mem_mb=probe_memory_mb,
        runtime=60,
    params:
        code=code_digest("probe_model.py"),
        given=probe_given,
        identity=identity_of_model,
        libraries=library_versions(["llama-cpp-python"]),
    script:
        "../scripts/probe_model.py"


rule sample_questions:
    input:
        source=dataset_file,
    output:
        questions=f"{RESULTS}/questions/{{dataset}}/{{questions_shard}}.parquet",
    log:
        f"{RESULTS}/logs/questions/{{dataset}}/{{questions_shard}}.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=loader_digest,
        sampling=question_sampling,
    script:
        "../scripts/sample_questions.py"


rule questions:
    input:
        all_question_shards(),
