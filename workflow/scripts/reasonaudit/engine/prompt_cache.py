"""Prompts that were computed once and are copied to every call that begins with them.

A prompt is always computed in chunks that start at multiples of CHUNK, whoever asks for it. So the cells
of a prompt's full chunks are the same bits for every prompt with the same beginning, and a copy up to the
border of a chunk changes nothing.
"""

from collections import OrderedDict
from collections.abc import Iterator

import numpy as np

CHUNK = 64  # prompt tokens computed together; also the grain at which different prompts share


def chunks(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Chunk borders from ``start``; the last chunk is never a single token behind a full one."""
    while start < end:
        stop = end if end - start <= CHUNK + 1 else start + CHUNK
        yield start, stop
        start = stop


def last_border(length: int) -> int:
    """Where the last chunk of a fresh prompt of this length starts, or its end if that is a full chunk."""
    if length % CHUNK == 1:
        return max(length - 1 - CHUNK, 0)
    return length - length % CHUNK


def common_prefix(a: np.ndarray, b: np.ndarray) -> int:
    """Tokens that two prompts have in common at their beginning."""
    length = min(len(a), len(b))
    differing = np.flatnonzero(a[:length] != b[:length])
    return int(differing[0]) if len(differing) else length


class PromptCache:
    """Saved cells of prompts, the least recently used dropped first.

    Args:
        limit: bytes to keep at most; the newest prompt stays whatever its size.
    """

    def __init__(self, limit: int):
        self.limit, self._size = limit, 0
        self._prompts: OrderedDict[bytes, tuple[np.ndarray, np.ndarray]] = OrderedDict()

    @property
    def size(self) -> int:
        """Bytes of saved cells."""
        return self._size

    def find(self, prompt: np.ndarray) -> tuple[int, np.ndarray | None]:
        """(tokens usable, saved cells) for the longest usable beginning of ``prompt``; (0, None) for none.

        The saved cells may hold more than the usable tokens.
        """
        key = prompt.tobytes()
        length = len(prompt)
        if key not in self._prompts:
            key, length = self._best_beginning(prompt)
        if key is None:
            return 0, None
        self._prompts.move_to_end(key)
        return length, self._prompts[key][1]

    def _best_beginning(self, prompt: np.ndarray) -> tuple[bytes | None, int]:
        best, best_key, border = 0, None, last_border(len(prompt))
        for key, (tokens, _) in self._prompts.items():
            common = min(common_prefix(tokens, prompt), last_border(len(tokens)), border)
            common -= common % CHUNK
            if common > best:
                best, best_key = common, key
        return best_key, best

    def keep(self, prompt: np.ndarray, state: np.ndarray, reserved: int = 0) -> None:
        """Store the cells of a freshly computed prompt.

        Args:
            reserved: bytes of the limit that something else needs.
        """
        key = prompt.tobytes()
        if key in self._prompts:
            self._size -= self._prompts.pop(key)[1].size
        self._prompts[key] = (prompt, state)
        self._size += state.size
        while self._size > self.limit - reserved and len(self._prompts) > 1:
            self._size -= self._prompts.popitem(last=False)[1][1].size
