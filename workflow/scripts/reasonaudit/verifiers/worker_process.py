"""Runs symbolic comparisons in a process of its own, each within a limit of CPU time and memory.

Started as a script, not imported. The first process loads the libraries once and forks; the child
answers requests until one of them runs into a limit and the kernel ends it; then the next child
takes over within milliseconds. CPU time, not wall time, so that a busy machine changes no verdict;
a limit of the kernel, not a signal handler, so that no computation can ignore it.

A request or reply is eight bytes of length and JSON.
"""

import contextlib
import json
import os
import resource
import signal
import sys

MEMORY_BYTES = 4 << 30


def read_message(source: int) -> dict | None:
    """The next message, None at the end of the stream."""
    head = _read_exactly(source, 8)
    if head is None:
        return None
    body = _read_exactly(source, int.from_bytes(head, "big"))
    return None if body is None else json.loads(body)


def write_message(target: int, message: dict) -> None:
    """Writes one message."""
    body = json.dumps(message).encode()
    body = len(body).to_bytes(8, "big") + body
    while body:
        body = body[os.write(target, body) :]


def _read_exactly(source: int, count: int) -> bytes | None:
    parts = []
    while count:
        part = os.read(source, min(count, 1 << 16))
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def _load():
    import logging

    logging.disable(logging.CRITICAL)
    import math_verify

    # The first use builds grammars and tables; children then share them.
    gold = math_verify.parse(r"$\frac{1}{2}$", parsing_timeout=None)
    math_verify.verify(gold, math_verify.parse("0.5", parsing_timeout=None), timeout_seconds=None)
    return math_verify


def _compare(library, request: dict) -> dict:
    gold = library.parse(request["gold"], parsing_timeout=None)
    if not gold:
        return {"accepted": False, "rule": "gold_not_parsed"}
    answer = library.parse(request["answer"], parsing_timeout=None)
    if not answer:
        return {"accepted": False, "rule": "not_parsed"}
    accepted = bool(library.verify(gold, answer, timeout_seconds=None))
    return {"accepted": accepted, "rule": "equal" if accepted else "different"}


def _serve(library, source: int, target: int) -> None:
    with contextlib.suppress(ValueError, OSError):  # some systems refuse; the CPU limit still holds
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    while (request := read_message(source)) is not None:
        signal.setitimer(signal.ITIMER_PROF, request["cpu_seconds"])
        try:
            reply = _compare(library, request)
        except MemoryError:
            reply = {"limit": "memory"}
        except RecursionError:
            reply = {"limit": "depth"}
        except Exception as error:
            reply = {"accepted": False, "rule": f"error_{type(error).__name__}"}
        signal.setitimer(signal.ITIMER_PROF, 0)
        write_message(target, reply)


def main() -> None:
    """Serves standard input to standard output until the input ends."""
    source, target = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # what a library prints must not end up between the replies
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt ends the parent, and with it the input
    library = _load()
    write_message(target, {"ready": True})
    while True:
        child = os.fork()
        if child == 0:
            try:
                _serve(library, source, target)
            except BaseException:
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            return
        ended_by_cpu = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
        try:
            write_message(target, {"limit": "cpu" if ended_by_cpu else "crash"})
        except OSError:
            return


if __name__ == "__main__":
    sys.exit(main())
