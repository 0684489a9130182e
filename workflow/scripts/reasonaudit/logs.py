"""Logs of jobs: everything goes to the job's log file and to the terminal; errors are one message."""

import sys
import time
import traceback
from collections.abc import Iterable
from pathlib import Path

from reasonaudit.errors import ReasonAuditError


class _Tee:
    def __init__(self, *streams):
        self._streams = streams

    def write(self, text: str) -> int:
        for stream in self._streams:
            stream.write(text)
            stream.flush()
        return len(text)

    def flush(self) -> None:
        for stream in self._streams:
            stream.flush()

    def isatty(self) -> bool:
        return False


def start_log(paths: Iterable[str]) -> None:
    """Copy standard error to the first of ``paths``, and end on our own errors without a traceback."""
    for path in list(paths)[:1]:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        file = open(path, "w", encoding="utf-8")  # noqa: SIM115 (open until the process ends)
        sys.stderr = _Tee(sys.__stderr__, file)
    sys.excepthook = _report


def _report(kind, error, trace) -> None:
    if isinstance(error, ReasonAuditError):
        sys.stderr.write(f"{kind.__name__}: {error}\n")
    else:
        sys.stderr.write("".join(traceback.format_exception(kind, error, trace)))


class ProgressLog:
    """A line every few seconds: calls done / total, tokens a second, estimated end.

    In a terminal outside Snakemake a progress bar instead.

    Args:
        total: calls expected; adaptive methods may end with fewer.
        name: what is running.
        every: seconds between lines.
    """

    def __init__(self, total: int, name: str, every: float = 5.0):
        self.total, self.name, self.every = total, name, every
        self._last = time.monotonic()
        self._bar = self._task = None
        if sys.stderr.isatty():
            from rich.progress import Progress, TextColumn  # only where a person watches

            self._bar = Progress(*Progress.get_default_columns(), TextColumn("{task.fields[rate]}"))
            self._task = self._bar.add_task(name, total=total, rate="")
            self._bar.start()

    def __call__(self, progress) -> None:
        """Report ``progress`` (an engine's counters), at most every few seconds."""
        now = time.monotonic()
        self.total = max(self.total, progress.calls_asked)  # methods of several turns ask for more
        rate = progress.generated_tokens / max(now - progress.started, 1e-9)
        if self._bar:
            self._bar.update(
                self._task, total=self.total, completed=progress.calls_done, rate=f"{rate:.0f} tokens/s"
            )
            return
        if now - self._last < self.every:
            return
        self._last = now
        done = max(progress.calls_done, 1e-9)
        left = (now - progress.started) / done * max(self.total - progress.calls_done, 0)
        end = f", about {left:.0f} s left" if progress.calls_done else ""
        print(
            f"{self.name}: {progress.calls_done}/{self.total} calls, {rate:.0f} tokens/s{end}",
            file=sys.stderr,
        )

    def close(self, progress) -> None:
        """The last line."""
        if self._bar:
            self._bar.stop()
        seconds = max(time.monotonic() - progress.started, 1e-9)
        print(
            f"{self.name}: {progress.calls_done} calls in {seconds:.1f} s, "
            f"{progress.generated_tokens} tokens generated ({progress.generated_tokens / seconds:.0f}/s), "
            f"{progress.computed_prompt_tokens} of {progress.prompt_tokens} prompt tokens computed, "
            f"{progress.decode_seconds / seconds:.0%} of the time in decoding, "
            f"{progress.prefill_seconds / seconds:.0%} in prompts",
            file=sys.stderr,
        )
