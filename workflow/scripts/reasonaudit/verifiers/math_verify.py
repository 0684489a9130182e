"""The library math-verify, as people use it: parse the gold, parse the reply, compare.

It runs in a worker process under a limit of CPU time; its own limit is an alarm in wall time, which
works in the main thread only and turns verdicts on a busy machine.
"""

from reasonaudit.verifiers.verdict import Verdict, missing
from reasonaudit.verifiers.worker import WORKER

CPU_SECONDS = 5.0
MAX_CHARACTERS = 50_000
LIBRARIES = ("math-verify", "latex2sympy2_extended", "sympy")  # whose versions decide its verdicts


def verify(
    prediction: str | None,
    gold: str,
    *,
    language: str = "en",
    text: str | None = None,
    cpu_seconds: float = CPU_SECONDS,
) -> Verdict:
    """The library's verdict on the reply, or on the prediction where no reply is given.

    A comparison that reaches the limit of CPU time, memory or nesting is not accepted and counted as
    timed out.
    """
    source = text if text is not None else (None if prediction is None else f"${prediction}$")
    if verdict := missing(source, gold):
        return verdict
    if len(source) > MAX_CHARACTERS:
        return Verdict(False, "too_long", timed_out=True)
    reply = WORKER.ask({"gold": f"${gold}$", "answer": source, "cpu_seconds": cpu_seconds})
    if "limit" in reply:
        return Verdict(False, f"limit_{reply['limit']}", timed_out=True)
    return Verdict(reply["accepted"], reply["rule"])
