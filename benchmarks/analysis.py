"""Time of the equal-cost analysis at the size of the published study, and of the exact curve.

Run from the repository: ``python benchmarks/analysis.py``. The answers are made up (no model runs): three
models on two data sets, 150 questions, eight methods, a pool of 16, eight verifiers, 10,000 resamples, three
matchings; then a pool of 64 for 500 questions. One core. Prints a line a step and the share of the time
allowed: 60 s for the whole analysis from stored answers to the summary, 10 s for the curve.
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
sys.path[:0] = [str(ROOT / "workflow" / "scripts"), str(ROOT / "tests")]

import numpy as np  # noqa: E402
import pyarrow as pa  # noqa: E402

pa.set_cpu_count(1)
pa.set_io_thread_count(1)

from reasonaudit.analysis.curve import exact_curve, pool_of  # noqa: E402
from unit.equal_cost_run import run_study  # noqa: E402
from unit.synthetic import make_study  # noqa: E402

VERIFIERS = (
    "trusted",
    "exact",
    "numeric",
    "hybrid",
    "math_verify",
    "strict_label",
    "flexible_number",
    "paper",
)
ANALYSIS_ALLOWED, CURVE_ALLOWED = 60.0, 10.0  # seconds


def analysis_seconds() -> float:
    """Every step of the analysis on a study of the published size."""
    study = make_study(
        models={"1.5B": -0.3, "3B": 0.5, "7B": 1.5},
        datasets=("words", "proofs"),
        n_questions=150,
        pool_size=16,
        resamples=10_000,
        verifiers=VERIFIERS,
    )
    study.statistics["matching"] = ["fixed", "rematched", "grid"]
    with tempfile.TemporaryDirectory() as folder:
        paths = study.write(Path(folder))
        seconds = run_study(study, Path(folder), paths)["seconds"]
    for step, spent in seconds.items():
        report(step, spent)
    return sum(seconds.values())


def curve_seconds(questions: int = 500, size: int = 64) -> float:
    """The exact curve at every N of large pools whose answers agree more or less."""
    rng = np.random.default_rng(1)
    pools = []
    for _ in range(questions):
        shares = rng.dirichlet(np.full(40, rng.choice([0.05, 0.3, 1.0])))
        answers = [str(a) if rng.random() > 0.05 else None for a in rng.choice(40, size=size, p=shares)]
        pools.append(pool_of(answers, [a == "0" for a in answers]))
    start = time.perf_counter()
    for pool in pools:
        exact_curve(pool)
    return time.perf_counter() - start


def report(name: str, seconds: float, allowed: float | None = None) -> None:
    line = f"{name:<28}{seconds:8.2f} s"
    print(line + (f"   {seconds / allowed:6.1%} of the {allowed:g} s allowed" if allowed else ""), flush=True)


def main() -> None:
    report("whole analysis", analysis_seconds(), ANALYSIS_ALLOWED)
    report("exact curve, 64 x 500", curve_seconds(), CURVE_ALLOWED)
    print(f"{'largest memory':<28}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB")


if __name__ == "__main__":
    main()
