"""Time and memory of the judge study's analysis at the size of the paper: 133,434 judged items, 3 votes each.

Run from the repository: ``python benchmarks/cot_pass.py``. Prints one line a step (seconds, and the
largest memory so far), then the total. One core is used: set OMP_NUM_THREADS=1.
"""

import os
import resource
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "workflow" / "scripts"), str(ROOT / "tests" / "unit")]

import pyarrow as pa  # noqa: E402

pa.set_cpu_count(1)
pa.set_io_thread_count(1)

from judged_study import CONDITIONS, judged_study  # noqa: E402

from reasonaudit.analysis.acceptance import measure_acceptance  # noqa: E402
from reasonaudit.analysis.cot_pass import measure_cot_pass  # noqa: E402
from reasonaudit.analysis.judge_cost import measure_judge_cost  # noqa: E402
from reasonaudit.analysis.judge_sensitivity import measure_sensitivity  # noqa: E402
from reasonaudit.analysis.judged_samples import count_votes  # noqa: E402
from reasonaudit.analysis.length_stops import measure_stops  # noqa: E402
from reasonaudit.analysis.saturation import measure_saturation  # noqa: E402
from reasonaudit.tables.answers import ANSWERS  # noqa: E402
from reasonaudit.tables.injections import INJECTIONS  # noqa: E402
from reasonaudit.tables.judgements import JUDGEMENTS  # noqa: E402
from reasonaudit.tables.panel import PANEL  # noqa: E402
from reasonaudit.tables.parquet import write_table  # noqa: E402
from reasonaudit.tables.questions import QUESTIONS  # noqa: E402

ITEMS = 133_434


def make(folder: Path):
    """Ten solvers, four data sets of 30 questions, 64 samples, four judges, a panel of 72 a cell."""
    rates = dict.fromkeys(("natural", *CONDITIONS), 0.85) | {"missing": 0.03}
    study = judged_study(
        solvers={f"solver{i}": 0.17 + 0.02 * i for i in range(10)},
        datasets={
            name: {"language": language, "parallel": "contest" if i < 3 else None, "origin": None}
            for i, (name, language) in enumerate(
                (("contest-en", "en"), ("contest-pt", "pt"), ("contest-tr", "tr"), ("native-tr", "tr"))
            )
        },
        judges={f"judge{i}": rates for i in range(4)},
        questions=30,
        samples=64,
        panel_per_cell=72,
    )
    for name, rows, schema in (
        ("questions", study.questions, QUESTIONS),
        ("answers", study.answers, ANSWERS),
        ("judgements", study.judgements, JUDGEMENTS),
        ("panel", study.panel, PANEL),
        ("injections", study.injections, INJECTIONS),
    ):
        write_table(folder / f"{name}.parquet", rows, schema)
    return study


def main() -> None:
    """Write the synthetic study, run every step, and print what each took."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        study = make(folder)
        items = study.judgements.num_rows // 3
        assert items >= ITEMS, items
        statistics = {"resamples": 10_000, "confidence": 0.95}
        files = {path.stem: path for path in folder.glob("*.parquet")}
        made = folder / "made"

        def out(table: str) -> Path:
            return made / f"{table}.parquet"

        common = {"questions": files["questions"], "answers": files["answers"]}
        judged = {"judged_samples": out("judged_samples")}
        labels = {"judges": study.judges, "datasets": study.datasets}
        random = {"statistics": statistics, "seed": 1}
        steps = [
            (
                count_votes,
                {"answers": files["answers"], "judgements": files["judgements"], "panels": files["panel"]}
                | {"gates": out("gates"), "judges": study.judges, "conditions": list(CONDITIONS)}
                | judged,
            ),
            (
                measure_cot_pass,
                {"cot_pass": out("cot_pass"), "solvers": study.solvers, "ladder": None}
                | (common | judged | labels | random),
            ),
            (
                measure_acceptance,
                {"questions": files["questions"], "injections": files["injections"]}
                | {"acceptance": out("acceptance"), "datasets": study.datasets}
                | (judged | random),
            ),
            (
                measure_saturation,
                {"saturation": out("saturation"), "solvers": study.solvers}
                | (common | judged | labels | random),
            ),
            (
                measure_stops,
                {"answers": files["answers"], "cot_pass": out("cot_pass"), "stops": out("stops")}
                | {"budget_ladder": out("ladder"), "judges": study.judges, "solvers": study.solvers}
                | judged,
            ),
            (
                measure_judge_cost,
                {"answers": files["answers"], "judge_cost": out("cost"), "judges": study.judges} | judged,
            ),
            (
                measure_sensitivity,
                {"acceptance": out("acceptance"), "cot_pass": out("cot_pass")}
                | {"judge_sensitivity": out("sensitivity")}
                | (common | judged | labels),
            ),
        ]
        print(f"{items} judged items, {study.judgements.num_rows} judgements, 10,000 resamples")
        first_wall, first_cpu = time.perf_counter(), time.process_time()
        for step, arguments in steps:
            wall, cpu = time.perf_counter(), time.process_time()
            step(**arguments)
            report(step.__name__, wall, cpu)
        report("total", first_wall, first_cpu)


def report(name: str, wall: float, cpu: float) -> None:
    """Print what has passed since ``wall`` and ``cpu`` (on a busy machine they differ), and peak memory."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    took, used = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{name:22s} {took:7.1f} s   {used:7.1f} s of one core   {peak:5.2f} GB")


if __name__ == "__main__":
    main()
