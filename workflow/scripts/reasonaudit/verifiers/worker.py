"""The client of ``worker_process``: one persistent process for symbolic comparisons."""

import atexit
import contextlib
import os
import select
import subprocess
import sys
import threading
from pathlib import Path

from reasonaudit.errors import ReasonAuditError
from reasonaudit.verifiers.worker_process import read_message, write_message

# The verdict depends on CPU time alone. This much silence means that the machine stopped, not that a
# comparison is long, and ends the run with an error instead of a verdict.
SILENCE_SECONDS = 900


class Worker:
    """Asks one comparison at a time; safe to call from any thread, and after a fork."""

    def __init__(self):
        self._lock = threading.Lock()
        self._process: subprocess.Popen | None = None
        self._owner = 0

    def ask(self, request: dict) -> dict:
        """The worker's reply; ``{"limit": ...}`` where the request ran into a limit.

        Raises:
            ReasonAuditError: the process cannot be started or stopped answering.
        """
        with self._lock:
            if self._process is None or self._owner != os.getpid():
                self._start()
            process = self._process
            try:
                write_message(process.stdin.fileno(), request)
                return self._read(process)
            except (OSError, ReasonAuditError):
                self._stop()
                raise

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._stop()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            # -P: the folder of this package must not hide libraries of the same name.
            [sys.executable, "-P", str(Path(__file__).with_name("worker_process.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={**os.environ, "PYTHONHASHSEED": "0"},  # symbolic results may depend on set order
        )
        self._owner = os.getpid()
        self._read(self._process)

    def _read(self, process: subprocess.Popen) -> dict:
        ready, _, _ = select.select([process.stdout], [], [], SILENCE_SECONDS)
        reply = read_message(process.stdout.fileno()) if ready else None
        if reply is None:
            raise ReasonAuditError(
                "the process for symbolic comparisons stopped answering",
                hint="is math-verify installed in this environment?",
            )
        return reply

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None or self._owner != os.getpid():
            return
        for stream in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                stream.close()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


WORKER = Worker()
atexit.register(WORKER.close)
