# Every table of an analysis as files to read: CSV, Markdown and LaTeX.


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
