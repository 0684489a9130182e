"""Figures of the judge study: drawn from tables, the same bytes every time, and honest when empty."""

import pytest
from judged_study import small_study
from test_judge_tables import Files

from reasonaudit.figures.acceptance_by_condition import draw_acceptance_by_condition
from reasonaudit.figures.acceptance_by_edit import draw_acceptance_by_edit
from reasonaudit.figures.cot_pass_endpoints import draw_cot_pass_endpoints
from reasonaudit.figures.gap_by_k import draw_gap_by_k
from reasonaudit.figures.gap_intervals import draw_gap_intervals
from reasonaudit.figures.language_shares import draw_language_shares
from reasonaudit.figures.saturation import draw_saturation
from reasonaudit.figures.stops_and_gap import draw_stops_and_gap
from reasonaudit.tables.acceptance import ACCEPTANCE
from reasonaudit.tables.chain_language import CHAIN_LANGUAGE
from reasonaudit.tables.cot_pass import COT_PASS
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.saturation import SATURATION
from reasonaudit.tables.stops import STOPS

FIGURES = {
    draw_acceptance_by_condition: ACCEPTANCE,
    draw_acceptance_by_edit: ACCEPTANCE,
    draw_cot_pass_endpoints: COT_PASS,
    draw_gap_by_k: COT_PASS,
    draw_gap_intervals: COT_PASS,
    draw_saturation: SATURATION,
    draw_stops_and_gap: STOPS,
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    made = Files(tmp_path_factory.mktemp("figures"), small_study())
    made.measure()
    return made


@pytest.mark.parametrize("draw", FIGURES, ids=lambda draw: draw.__name__)
def test_drawn_twice_the_same(files, tmp_path, draw):
    table = FIGURES[draw].name
    paths = [tmp_path / name for name in ("a.svg", "b.svg")]
    for path in paths:
        draw(**{table: files[table]}, paths=[path], strategy="majority")
    text = paths[0].read_text()
    assert text == paths[1].read_text()
    assert len(text) > 5000


@pytest.mark.parametrize("draw", FIGURES, ids=lambda draw: draw.__name__)
def test_an_empty_table_gives_a_figure_that_says_so(tmp_path, draw):
    table = tmp_path / "empty.parquet"
    write_table(table, [], FIGURES[draw])
    draw(**{FIGURES[draw].name: table}, paths=[tmp_path / "a.png"], strategy="majority")
    assert (tmp_path / "a.png").stat().st_size > 2000


def test_language_shares(tmp_path):
    head = {"part": "visible", "model": "m", "dataset": "d", "mode": "", "language": "tr", "judge": "none"}
    rows = [
        head | {"writer": writer, "language_class": name, "n": n, "of": 10, "share": n / 10}
        for writer in ("solver", "some-judge")
        for name, n in (("target", 6), ("english", 4))
    ]
    for name, content in (("full", rows), ("empty", [])):
        write_table(tmp_path / f"{name}.parquet", content, CHAIN_LANGUAGE)
        draw_language_shares(
            chain_language=tmp_path / f"{name}.parquet",
            paths=[tmp_path / f"{name}.{kind}" for kind in ("svg", "png")],
        )
    assert (tmp_path / "full.svg").stat().st_size > (tmp_path / "empty.svg").stat().st_size
