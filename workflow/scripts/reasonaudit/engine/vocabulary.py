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

    @cached_property
    def end_of_generation(self) -> frozenset[int]:
        """Tokens that end a reply."""
        return frozenset(i for i in range(self.size) if llama_cpp.llama_vocab_is_eog(self._vocab, i))

    @cached_property
    def control_pattern(self) -> re.Pattern | None:
        """Matches the spelling of any token that the tokeniser reads as a control token."""
        is_control, text = llama_cpp.llama_vocab_is_control, llama_cpp.llama_vocab_get_text
        spellings = [
            text(self._vocab, i).decode("utf-8", "replace")
            for i in range(self.size)
            if is_control(self._vocab, i)
        ]
        spellings = sorted(filter(None, spellings), key=lambda s: (-len(s), s))
        return re.compile("|".join(map(re.escape, spellings))) if spellings else None

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
