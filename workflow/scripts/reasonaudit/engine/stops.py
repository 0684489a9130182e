"""Stop texts of a call, found in the bytes of its tokens, across the borders of tokens too."""

from collections.abc import Iterable


class StopTexts:
    """Watches a reply for texts that end it.

    Args:
        texts: stop texts; empty ones are left out.
    """

    def __init__(self, texts: Iterable[str]):
        self._texts = [text.encode("utf-8") for text in texts if text]
        self._longest = max(map(len, self._texts), default=0)
        self._tail = b""

    def __bool__(self) -> bool:
        return bool(self._texts)

    def found(self, piece: bytes) -> bool:
        """Whether a stop text ends in ``piece``, the bytes of the newest token."""
        if not self._texts:
            return False
        # A stop text that lay wholly in earlier tokens has been found there.
        data = self._tail + piece
        self._tail = data[-self._longest :]
        return any(text in data for text in self._texts)

    def before(self, data: bytes) -> bytes:
        """The reply up to the earliest stop text."""
        places = [place for text in self._texts if (place := data.find(text)) >= 0]
        return data[: min(places)] if places else data
