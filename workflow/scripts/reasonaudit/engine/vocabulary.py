"""Text to token ids and back, byte-safe and control-safe."""

import codecs
import ctypes
import re
from functools import cached_property

import llama_cpp

from reasonaudit.engine.llama import Model


class Vocabulary:
    """Tokeniser of a model."""

    def __init__(self, model: Model):
        self._model, self._vocab = model, model.vocab  # the model keeps the vocabulary alive
        self.size = model.vocabulary_size
        self.bos = llama_cpp.llama_vocab_bos(self._vocab)
        self.eos = llama_cpp.llama_vocab_eos(self._vocab)
        self.adds_bos = llama_cpp.llama_vocab_get_add_bos(self._vocab)
        self._pieces: dict[int, bytes] = {}

    @cached_property
    def end_of_generation(self) -> frozenset[int]:
        """Tokens that end a reply."""
        return frozenset(i for i in range(self.size) if llama_cpp.llama_vocab_is_eog(self._vocab, i))

    @cached_property
    def _controls(self) -> frozenset[str]:
        """Spellings that the tokeniser reads as one control token (or as the unknown token)."""
        attributes = llama_cpp.llama_vocab_get_attr
        special = llama_cpp.LLAMA_TOKEN_ATTR_CONTROL | llama_cpp.LLAMA_TOKEN_ATTR_UNKNOWN
        spellings = (self.spelling(i) for i in range(self.size) if attributes(self._vocab, i) & special)
        return frozenset(filter(None, spellings))

    @cached_property
    def _control_starts(self) -> tuple[re.Pattern | None, tuple[int, ...]]:
        """First characters of those spellings, and their lengths, longest first."""
        first = "".join(sorted({re.escape(spelling[0]) for spelling in self._controls}))
        lengths = sorted({len(spelling) for spelling in self._controls}, reverse=True)
        return (re.compile(f"[{first}]") if first else None), tuple(lengths)

    def control_spans(self, text: str) -> list[tuple[int, int]]:
        """Where a text spells control tokens: (start, end), from the left, the longest at each place."""
        starts, lengths = self._control_starts
        spans, free = [], 0
        for match in starts.finditer(text) if starts else ():
            start = match.start()
            if start < free:
                continue
            length = next((n for n in lengths if text[start : start + n] in self._controls), 0)
            if length:
                free = start + length
                spans.append((start, free))
        return spans

    def spelling(self, token: int) -> str:
        """The vocabulary's own text of a token (control tokens included), or "" for none."""
        if token < 0:
            return ""
        return llama_cpp.llama_vocab_get_text(self._vocab, token).decode("utf-8", "replace")

    def encode(self, text: str, *, control: bool) -> list[int]:
        """Token ids; spellings of control tokens are read as such only where ``control``."""
        data = text.encode("utf-8", "replace")
        size = len(data) + 8
        while True:
            buffer = (llama_cpp.llama_token * size)()
            count = llama_cpp.llama_tokenize(self._vocab, data, len(data), buffer, size, False, control)
            if count >= 0:
                return buffer[:count]
            size = -count

    def piece(self, token: int) -> bytes:
        """Bytes of one token; may be part of a character."""
        piece = self._pieces.get(token)
        if piece is None:
            piece = self._pieces[token] = self._read_piece(token)
        return piece

    def _read_piece(self, token: int) -> bytes:
        size = 64
        while True:
            buffer = ctypes.create_string_buffer(size)
            count = llama_cpp.llama_token_to_piece(self._vocab, token, buffer, size, 0, True)
            if count >= 0:
                return buffer.raw[:count]
            size = -count

    def decode(self, tokens) -> str:
        """Text of the joined bytes of all tokens; invalid UTF-8 is replaced."""
        return decode_bytes(b"".join(map(self.piece, tokens)))


def decode_bytes(data: bytes) -> str:
    """UTF-8 with invalid bytes replaced; a character cut off at the very end leaves nothing behind."""
    return codecs.getincrementaldecoder("utf-8")("replace").decode(data, final=False)
