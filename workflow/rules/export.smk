# Every table of an analysis as files to read: CSV, Markdown and LaTeX.


def checked_by(wildcards):
    """Not read: numbers of the comparison are shown once the second route has arrived at them."""
    return f"{RESULTS}/rederivation.parquet" if wildcards.table in ("comparisons", "curves") else []


rule export_table:
    input:
        table=f"{RESULTS}/{{table}}.parquet",
        checked=checked_by,
    output:
        csv=f"{RESULTS}/tables/{{table}}.csv",
        md=f"{RESULTS}/tables/{{table}}.md",
        tex=f"{RESULTS}/tables/{{table}}.tex",
    log:
        f"{RESULTS}/logs/tables/{{table}}.log",
    wildcard_constraints:
        table=r"[a-z_]+",
    conda:
        "../../envs/analysis.yaml"
    params:
        code=code_digest("export_table.py"),
        where=export_filter,
    script:
        "../scripts/export_table.py"
