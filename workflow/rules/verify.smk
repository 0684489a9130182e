# What results rest on, and whether they still follow from the stored calls.
# Output: results/<study>/provenance.json


rule record_provenance:
    input:
        probes=[f"{RESULTS}/models/{model}.json" for model in STUDY.models],
        data=[data_file(dataset) for dataset in STUDY.datasets.values()],
    output:
        record=f"{RESULTS}/provenance.json",
    log:
        f"{RESULTS}/logs/provenance.log",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("record_provenance.py"),
        versions=library_versions(["llama-cpp-python", "math-verify", "sympy", "pandas", "numpy", "pyarrow"]),
        given=provenance_given,
    script:
        "../scripts/record_provenance.py"


# Without outputs it runs whenever it is asked for, and never otherwise. It takes what is there.
rule verify:
    log:
        f"{RESULTS}/logs/verify.log",
    conda:
        "../../envs/analysis.yaml"
    threads: 4
    params:
        code=code_digest("verify_results.py"),
        given=verification_given,
    script:
        "../scripts/verify_results.py"
