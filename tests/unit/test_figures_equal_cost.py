"""The figures of the equal-cost study: files, contents, and what happens when there is little to show."""

import pytest

from reasonaudit.figures.comparisons import draw_comparisons
from reasonaudit.figures.cost_accuracy import draw_cost_accuracy
from reasonaudit.figures.judging_minus_counting import draw_judging_minus_counting
from reasonaudit.tables.comparisons import COMPARISONS
from reasonaudit.tables.curves import CURVES
from reasonaudit.tables.parquet import write_table
from reasonaudit.tables.pick_vs_count import PICK_VS_COUNT

METHODS = {
    "chain_of_thought": {"kind": "single_pass", "label": "Chain of thought"},
    "best_of_n": {"kind": "choosing", "label": "Best-of-N"},
    "debate": {"kind": "debating", "label": None},
}
MODELS = {"small": {"size_b": 1.5, "label": "Small-1.5B"}, "large": {"size_b": 7.0, "label": None}}
DATASETS = {"sums": {"label": "Sums"}, "proofs": {"label": None}}
NAMES = {"methods": METHODS, "models": MODELS, "datasets": DATASETS}


def curve_rows(model, dataset, tokens=50.0):
    return [
        {
            "model": model,
            "dataset": dataset,
            "estimator": "exact",
            "n": n,
            "on_grid": n in (1, 2, 4),
            "n_questions": 10,
            "runs": 1,
            "accuracy": 0.4 + 0.05 * n,
            "low": 0.3 + 0.05 * n,
            "high": 0.5 + 0.05 * n,
            "tokens": None if tokens is None else tokens * n,
        }
        for n in range(1, 5)
    ]


def comparison(model, dataset, method, verdict, difference=-0.05):
    compared = verdict != "not_compared"
    return {
        "model": model,
        "dataset": dataset,
        "method": method,
        "cost_basis": "generated",
        "matching": "fixed",
        "family": "paper",
        "n_questions": 10,
        "runs": 1,
        "accuracy": 0.5,
        "accuracy_low": 0.4,
        "accuracy_high": 0.6,
        "tokens": 120.0,
        "tokens_low": 110.0,
        "tokens_high": 135.0,
        "difference": difference if compared else None,
        "low": difference - 0.05 if compared else None,
        "high": difference + 0.05 if compared else None,
        "p_holm_setting": 0.0004 if verdict == "worse" else 0.3 if compared else None,
        "verdict": verdict,
        "flag": None if compared else "above_pool",
    }


def pick(model, dataset, method="best_of_n"):
    return {
        "model": model,
        "dataset": dataset,
        "method": method,
        "n_questions": 10,
        "runs": 1,
        "difference": -0.08,
        "low": -0.15,
        "high": -0.01,
        "judge_only": 1,
        "count_only": 4,
    }


COMPARED = [
    comparison("small", "sums", "chain_of_thought", "indistinguishable"),
    comparison("small", "sums", "best_of_n", "worse"),
    comparison("small", "sums", "debate", "not_compared"),
    comparison("large", "proofs", "debate", "better", 0.2),
]


def tables(folder, curves=None, comparisons=COMPARED, picks=None):
    curves = curve_rows("small", "sums") + curve_rows("large", "proofs") if curves is None else curves
    picks = [pick("small", "sums"), pick("large", "sums")] if picks is None else picks
    write_table(folder / "curves.parquet", curves, CURVES)
    write_table(folder / "comparisons.parquet", comparisons, COMPARISONS)
    write_table(folder / "pick_vs_count.parquet", picks, PICK_VS_COUNT)
    return {
        "cost_accuracy": (
            draw_cost_accuracy,
            {"curves": folder / "curves.parquet", "comparisons": folder / "comparisons.parquet"},
        ),
        "comparisons": (draw_comparisons, {"comparisons": folder / "comparisons.parquet"}),
        "judging_minus_counting": (
            draw_judging_minus_counting,
            {"pick_vs_count": folder / "pick_vs_count.parquet"},
        ),
    }


@pytest.fixture
def drawn(monkeypatch):
    """The figure that is saved, for looking at its texts."""
    kept = []
    for module in ("cost_accuracy", "comparisons", "judging_minus_counting"):
        monkeypatch.setattr(
            f"reasonaudit.figures.{module}.save_figure", lambda figure, paths: kept.append(figure)
        )
    return kept


def texts(figure):
    return {t.get_text() for t in figure.findobj(lambda artist: hasattr(artist, "get_text"))}


@pytest.mark.parametrize("name", ["cost_accuracy", "comparisons", "judging_minus_counting"])
def test_three_files_with_the_same_bytes_each_time(tmp_path, name):
    draw, inputs = tables(tmp_path)[name]
    for run in ("1", "2"):
        draw(**inputs, paths=[tmp_path / run / f"f.{kind}" for kind in ("pdf", "png", "svg")], **NAMES)
    for kind in ("pdf", "png", "svg"):
        first = (tmp_path / "1" / f"f.{kind}").read_bytes()
        assert first == (tmp_path / "2" / f"f.{kind}").read_bytes()
        assert len(first) > 2000


def test_cost_accuracy_shows_every_setting_and_method(tmp_path, drawn):
    draw, inputs = tables(tmp_path)["cost_accuracy"]
    draw(**inputs, paths=[], **NAMES)
    found = texts(drawn[0])
    assert {"Small-1.5B, Sums", "large, proofs"} <= found
    assert {"Chain of thought", "Best-of-N", "majority of N samples"} <= found
    assert {"accuracy", "mean generated tokens per question"} <= found
    assert "no pool of samples" in found  # the two settings that were not run
    panel = drawn[0].axes[0]
    assert len(panel.containers) == 3  # error bars of three methods, the one beyond the pool too
    assert panel.get_xscale() == "log"


def test_cost_accuracy_without_token_counts(tmp_path, drawn):
    draw, inputs = tables(tmp_path, curves=curve_rows("small", "sums", None), comparisons=[])["cost_accuracy"]
    draw(**inputs, paths=[], **NAMES)
    assert "token counts are unknown" in texts(drawn[0])


def test_forest_plot_rows_colours_and_p(tmp_path, drawn):
    draw, inputs = tables(tmp_path)["comparisons"]
    draw(**inputs, paths=[], **NAMES)
    figure = drawn[0]
    labels = [tick.get_text() for tick in figure.axes[0].get_yticklabels()]
    assert labels == [
        "Small-1.5B, Sums",
        "Chain of thought",
        "Best-of-N",
        "debate",
        "large, proofs",
        "debate",
    ]
    found = texts(figure)
    assert {"< 0.001", "0.300", "costs more than the pool"} <= found
    assert {"worse (Holm-corrected within the setting)", "not distinguishable"} <= found
    points = [line for line in figure.axes[0].get_lines() if line.get_marker() == "o"]
    assert [line.get_xdata()[0] for line in points] == [-5.0, -5.0, 20.0]
    assert len({line.get_color() for line in points}) == 3


def test_judging_is_drawn_against_size_where_sizes_are_known(tmp_path, drawn):
    draw, inputs = tables(tmp_path)["judging_minus_counting"]
    draw(**inputs, paths=[], **NAMES)
    assert drawn[0].axes[0].get_xscale() == "log"
    assert {"1.5B", "7B", "Sums"} <= texts(drawn[0])
    unsized = NAMES | {"models": {name: {"size_b": None} for name in MODELS}}
    draw(**inputs, paths=[], **unsized)
    assert drawn[1].axes[0].get_xscale() == "linear"
    assert {"small", "large", "model"} <= texts(drawn[1])


def test_one_model_and_two_picking_methods(tmp_path, drawn):
    picks = [pick("small", "sums"), pick("small", "sums", "debate")]
    draw, inputs = tables(tmp_path, picks=picks)["judging_minus_counting"]
    draw(**inputs, paths=[], **NAMES)
    assert {"Sums, Best-of-N", "Sums, debate", "Small-1.5B"} <= texts(drawn[0])


def test_nothing_to_show_is_said(tmp_path, drawn):
    for draw, inputs in tables(tmp_path, curves=[], comparisons=[], picks=[]).values():
        draw(**inputs, paths=[], **NAMES)
    assert "no pool of samples" in texts(drawn[0])
    assert any("nothing was compared" in text for text in texts(drawn[1]))
    assert "no method picks among its own samples" in texts(drawn[2])
