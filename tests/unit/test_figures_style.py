"""Figures are the same bytes for the same content, and the colours stay apart."""

import hashlib
import subprocess
import sys

import pytest

from reasonaudit.figures import style

DRAW = """
import sys
from reasonaudit.figures.style import SERIES, new_figure, save_figure
figure, (left, right) = new_figure(4, 2, 1, 2)
left.plot([1, 2, 3], [3, 1, 2], color=SERIES[0], label="a")
left.fill_between([1, 2, 3], [2, 0, 1], [4, 2, 3], alpha=0.2)
left.set_xlabel("generated tokens")
left.legend()
right.scatter([1], [2])
save_figure(figure, sys.argv[1:])
"""


def test_the_same_bytes_in_another_process(tmp_path, repository):
    digests = []
    for run in ("1", "2"):
        paths = [tmp_path / run / f"figure.{kind}" for kind in ("pdf", "png", "svg")]
        subprocess.run(
            [sys.executable, "-c", DRAW, *map(str, paths)],
            check=True,
            cwd=tmp_path,
            env={
                "PYTHONPATH": str(repository / "workflow/scripts"),
                "PYTHONHASHSEED": run,
                "HOME": str(tmp_path),
            },
        )
        digests.append([hashlib.sha256(path.read_bytes()).hexdigest() for path in paths])
        assert sorted(path.name for path in (tmp_path / run).iterdir()) == [
            "figure.pdf",
            "figure.png",
            "figure.svg",
        ]
    assert digests[0] == digests[1]


def test_files_name_no_date_and_no_program(tmp_path):
    figure, (axes,) = style.new_figure(2, 2)
    axes.plot([0, 1], [0, 1])
    paths = [tmp_path / f"f.{kind}" for kind in ("pdf", "png", "svg")]
    style.save_figure(figure, paths)
    for path in paths:
        content = path.read_bytes()
        assert b"CreationDate" not in content
        assert b"<dc:date>" not in content
        assert b"Software" not in content


def test_other_formats_are_refused(tmp_path):
    figure, _ = style.new_figure(2, 2)
    with pytest.raises(ValueError, match=r"not f\.jpg"):
        style.save_figure(figure, tmp_path / "f.jpg")


def test_series_are_distinct():
    assert len(set(style.SERIES)) == len(style.SERIES)
    assert len(set(style.MARKERS)) == len(style.MARKERS)
    names = [f"method_{i}" for i in range(12)]
    looks = {(style.colour_of(n, names), style.marker_of(n, names)) for n in names}
    assert len(looks) == 12


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ((0.3, 0.7), (0.3, 0.7)),
        ((-0.4, 1.3), (-0.015, 1.015)),
        ((-0.055, 0.055), (-0.015, 0.085)),
        ((0.99, 1.01), (0.915, 1.015)),
        ((0.5, 0.52), (0.46, 0.56)),
    ],
)
def test_axes_of_shares_stay_between_zero_and_one(given, wanted):
    _, (axes,) = style.new_figure(2, 2)
    axes.set_ylim(*given)
    style.share_limits(axes)
    assert axes.get_ylim() == pytest.approx(wanted)


def test_names():
    assert style.readable_name("chain_of_thought") == "Chain of thought"
    assert style.readable_name("best_of_n") == "Best of n"
    assert style.language_name("ja") == "Japanese"
    assert style.language_name("xx") == "xx"
