# What a study costs before it runs: calls, tokens, hours and memory by (model, dataset, method).
# Output: results/<study>/estimate.{csv,md}, and a table on the screen. After a run the same command
# shows beside it what was really spent. Jobs ask for time and memory by the same functions.

import functools


rule measure_speed:
    input:
        model=ancient(model_file),
        adapter=ancient(adapter_file),
    output:
        speed="resources/speeds/{model}-{sha}.json",
    log:
        "results/logs/speeds/{model}-{sha}.log",
    wildcard_constraints:
        sha="[0-9a-f]{12}",
    conda:
        "../../envs/generate.yaml"
    threads: model_threads
    resources:
        mem_mb=probe_memory_mb,
        runtime=30,
    params:
        code=code_digest("measure_speed.py"),
        schedule=model_schedule,
    script:
        "../scripts/measure_speed.py"


# Without outputs it runs whenever it is asked for, and never otherwise.
rule estimate:
    input:
        measurable_speeds,
    log:
        f"{RESULTS}/logs/estimate.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("estimate_cost.py"),
        cells=estimated_cells,
        results=RESULTS,
        table=f"{RESULTS}/estimate.csv",
    script:
        "../scripts/estimate_cost.py"
