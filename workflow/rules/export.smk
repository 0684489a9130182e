# Every table of an analysis as files to read: CSV, Markdown and LaTeX.


def export_filter(wildcards):
    """Rows that the exported table keeps: comparisons.csv has one row per (model, dataset, method)."""
    if wildcards.table == "comparisons":
        return {"cost_basis": "generated", "matching": "fixed"}
    return {}


rule export_table:
    input:
        table=f"{RESULTS}/{{table}}.parquet",
    output:
        csv=f"{RESULTS}/tables/{{table}}.csv",
        md=f"{RESULTS}/tables/{{table}}.md",
        tex=f"{RESULTS}/tables/{{table}}.tex",
    params:
        code=code_digest("export_table.py"),
        where=export_filter,
    wildcard_constraints:
        table=r"[a-z_]+",
    log:
        f"{RESULTS}/logs/tables/{{table}}.log",
    conda:
        "../../envs/analysis.yaml"
    script:
        "../scripts/export_table.py"
