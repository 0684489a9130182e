"""The library math-verify in its worker process: limits, recovery, threads; and light imports."""

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from reasonaudit.verifiers.math_verify import verify
from reasonaudit.verifiers.worker import Worker

TOWER = r"\dfrac{7^{\left(7^{\left(7^{7}\right)}\right)} - 5}{16}"


@pytest.mark.parametrize(
    ("prediction", "gold", "accepted"),
    [
        ("1/2", r"\frac12", True),
        ("0.5", r"\frac{1}{2}", True),
        ("3", "4", False),
        (r"\{1,2\}", r"\{2,1\}", True),
    ],
)
def test_verdicts(prediction, gold, accepted):
    assert verify(prediction, gold).accepted is accepted


def test_reads_the_reply():
    assert verify(None, "18", text=r"First 3. So it is $\boxed{18}$.").accepted
    assert verify("18", "18", text="none at all").rule == "not_parsed"
    assert verify(None, "18").rule == "no_answer"


def test_a_limit_is_counted_and_the_next_comparison_goes_on():
    verdict = verify(TOWER, "16", cpu_seconds=0.3)
    assert verdict.timed_out
    assert not verdict.accepted
    assert verdict.rule in ("limit_cpu", "limit_memory")
    assert verify("3", "3").accepted


def test_long_replies_are_not_searched():
    verdict = verify(None, "3", text="x" * 60_000)
    assert (verdict.timed_out, verdict.rule) == (True, "too_long")


def test_threads_share_the_worker():
    def ask(number):
        return verify(rf"\frac{{{number}}}{{400}}", rf"\frac{{{number % 3}}}{{400}}").accepted

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(1, 13)))
    assert found == [number == number % 3 for number in range(1, 13)]


def test_it_works_outside_of_the_main_thread_and_after_a_fork():
    found = []
    thread = threading.Thread(target=lambda: found.append(verify("3", "3").accepted))
    thread.start()
    thread.join()
    assert found == [True]
    child = os.fork()
    if child == 0:
        os._exit(0 if verify("5", "5").accepted and not verify("5", "6").accepted else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert verify("7", "7").accepted


def test_a_closed_worker_starts_again():
    worker = Worker()
    request = {"gold": "$3$", "answer": "$3$", "cpu_seconds": 5}
    assert worker.ask(request)["accepted"]
    worker.close()
    assert worker.ask(request)["accepted"]
    worker.close()


def test_grading_does_not_load_the_computer_algebra():
    script = (
        "import sys; from reasonaudit.verifiers.grading import grade_answers; "
        "from reasonaudit.verifiers.trusted import verify; assert verify('18', '18.0').accepted; "
        "print([name for name in ('sympy', 'mpmath', 'math_verify') if name in sys.modules])"
    )
    paths = os.pathsep.join(path for path in sys.path if path)
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
