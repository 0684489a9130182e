"""Tokens, hours and memory of a cell and of one of its jobs."""

from dataclasses import dataclass

from reasonaudit.engine.memory import LARGEST_DEFAULT_ROWS, memory_needed_mb
from reasonaudit.estimate.speeds import Speed
from reasonaudit.estimate.walk import Walk

START_SECONDS = 8  # Snakemake, the interpreter, libraries
SLOWER = 2.0  # a job may be slower than the estimate by this factor before it is stopped
LEAST_MINUTES = 10
USUAL_NODE_MB = 48_000
LEAST_ROWS = 4
LONGER_QUESTION = 512  # tokens by which a question may be longer than the invented one


@dataclass(frozen=True)
class Cost:
    """Work of ``questions`` questions in ``jobs`` jobs; tokens, seconds."""

    jobs: int
    calls: int
    prompt: int
    computed: int
    generated: int
    limit: int
    seconds: float
    seconds_at_limit: float


def cost_of(walk: Walk, speed: Speed, *, questions: int, jobs: int) -> Cost:
    """What a number of questions costs; what all questions share is computed once a job."""
    computed = (walk.computed - walk.shared) * questions + walk.shared * jobs
    before = jobs * (START_SECONDS + speed.load_seconds) + computed / speed.prefill
    return Cost(
        jobs=jobs,
        calls=walk.calls * questions,
        prompt=walk.prompt * questions,
        computed=computed,
        generated=walk.generated * questions,
        limit=walk.limit * questions,
        seconds=before + walk.generated * questions / speed.decode,
        seconds_at_limit=before + walk.limit * questions / speed.decode,
    )


def job_minutes(walk: Walk, speed: Speed, *, questions: int) -> int:
    """Minutes to ask of a cluster for one job: every reply at its limit, on a machine half as fast."""
    seconds = cost_of(walk, speed, questions=questions, jobs=1).seconds_at_limit
    return LEAST_MINUTES + int(SLOWER * seconds / 60)


def job_memory_mb(walk: Walk, speed: Speed, *, n_parallel: int | None, context_length: int) -> int:
    """Megabytes to ask for: the rows decoded together, each with the longest conversation.

    Where the number of rows is left open, as many as a usual node holds; the job plans its rows by
    what it was granted.
    """

    def needed(rows: int) -> int:
        exact = memory_needed_mb(
            kv_bytes=speed.kv_bytes,
            rows=rows,
            positions=min(context_length, walk.longest + LONGER_QUESTION),
            file_bytes=speed.file_bytes,
            vocabulary=speed.vocabulary,
        )
        return exact + exact // 4

    if n_parallel:
        return needed(n_parallel)
    rows = LARGEST_DEFAULT_ROWS
    while rows > LEAST_ROWS and needed(rows) > USUAL_NODE_MB:
        rows -= 1
    return needed(rows)
