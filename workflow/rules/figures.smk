# Every figure: a rule each, which reads the tables it names and hands them and its params to the module of
# its name in reasonaudit.figures. A new figure is that module, a caption, and a line in its study's list.

FIGURES = {
    "Equal cost": COMPARISON_FIGURES,
    "Judges": COT_PASS_FIGURES,
    "Verifiers": VERIFIER_FIGURES,
}
for category, figures in FIGURES.items():
    for figure, (tables, given) in figures.items():

        rule:
            name:
                f"draw_{figure}"
            input:
                **{table: f"{RESULTS}/{table}.parquet" for table in tables},
                checked=comparisons_checked(tables),
            output:
                pdf=f"{RESULTS}/figures/{figure}.pdf",
                png=report(
                    f"{RESULTS}/figures/{figure}.png",
                    category=category,
                    caption=f"../report/{figure}.rst",
                ),
                svg=f"{RESULTS}/figures/{figure}.svg",
            log:
                f"{RESULTS}/logs/figures/{figure}.log",
            conda:
                "../../envs/analysis.yaml"
            params:
                code=code_digest("draw_figure.py", modules=[f"reasonaudit.figures.{figure}"]),
                figure=figure,
                given=given,
            script:
                "../scripts/draw_figure.py"


rule figures:
    input:
        figure_files(*COMPARISON_FIGURES if COMPARED else []),
        figure_files(*COT_PASS_FIGURES if STUDY.judges else []),
        figure_files(*VERIFIER_FIGURES if AUDITED else []),
