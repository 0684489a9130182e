# Model calls: one job per (model, dataset, method, shard).
# Output: results/<study>/calls/<model>/<dataset>/<method>/<shard>.parquet


rule generate_calls:
    input:
        questions=questions_of_shard,
        # A file over 1 MB is compared by its time; the hash in params stands for the content.
        model=ancient(model_file),
        adapter=ancient(adapter_file),
        probe=model_probe,
    output:
        calls=f"{RESULTS}/calls/{{model}}/{{dataset}}/{{method}}/{{shard}}.parquet",
    log:
        f"{RESULTS}/logs/calls/{{model}}/{{dataset}}/{{method}}/{{shard}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/calls/{{model}}/{{dataset}}/{{method}}/{{shard}}.tsv"
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
        digest=generation_digest,
        key=calls_key,
        identity=identity_of_model,
        method=method_given,
        prompts=prompts_given,
        study_seed=STUDY.seed,
    script:
        "../scripts/generate_calls.py"


rule calls:
    input:
        call_files(CELLS),
