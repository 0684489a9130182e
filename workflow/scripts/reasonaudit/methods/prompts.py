"""The words a method says: prompt texts by step, exemplars, and how values are put into them.

A prompt file is plain text. ``{question}`` and the like are replaced by values; every other brace,
such as those of ``\\boxed{}``, is left alone, and inserted values are never read again, so a
question may contain braces.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from reasonaudit.conversation import Message
from reasonaudit.errors import ConfigError

ANSWER_FORMAT = "answer_format"
_LABELLED_END = re.compile(r"(?:^|(?<=\n))ANSWER:[ \t]*(?P<value>[^\n]*?)[ \t]*\s*\Z")


class PromptSet:
    """Prompt texts in one language.

    Args:
        texts: step -> text. ``answer_format`` is inserted where a text says ``{answer_format}``;
            ``system`` is said first (leave it out, or empty, for none).
        exemplars: worked examples, each ``{"question": ..., "reply": ...}``; they stand before the
            question as earlier turns, so that all questions share them as one prefix.
        boxed: the replies of the exemplars end with ``ANSWER: <value>``; True turns that line into
            ``\\boxed{<value>}``, so that examples and instruction agree.
    """

    def __init__(
        self,
        texts: Mapping[str, str],
        exemplars: Iterable[Mapping[str, str]] = (),
        *,
        boxed: bool = False,
    ):
        self.texts = dict(texts)
        self.exemplars = tuple(
            (example["question"], _boxed_end(example["reply"]) if boxed else example["reply"])
            for example in exemplars
        )

    @classmethod
    def from_files(
        cls,
        paths: Mapping[str, str | Path],
        exemplars: Iterable[Mapping[str, str]] = (),
        *,
        boxed: bool = False,
    ) -> "PromptSet":
        """Reads step -> file. Line ends at the end of a file are not part of the prompt."""
        texts = {step: Path(path).read_text(encoding="utf-8-sig").strip("\n") for step, path in paths.items()}
        return cls(texts, exemplars, boxed=boxed)

    def render(self, step: str, **values: str | int) -> str:
        """The text of ``step`` with every ``{name}`` of ``values`` replaced, in one pass.

        Raises:
            ConfigError: no such step, or its text does not say where one of the values goes.
        """
        text = self._text(step)
        missing = [name for name in values if f"{{{name}}}" not in text]
        if missing:
            raise ConfigError(
                f"the prompt {step!r} does not say where {missing[0]} goes",
                where=f"prompt file {step}.txt",
                hint=f"put {{{missing[0]}}} into the text",
            )
        replacements = {name: str(value) for name, value in values.items()}
        if f"{{{ANSWER_FORMAT}}}" in text:
            replacements.setdefault(ANSWER_FORMAT, self._text(ANSWER_FORMAT))
        if not replacements:
            return text
        names = "|".join(map(re.escape, replacements))
        return re.sub(rf"\{{({names})\}}", lambda match: replacements[match[1]], text)

    def opening(
        self, question: str, step: str = "solve", *, with_exemplars: bool = True, **values: str | int
    ) -> tuple[Message, ...]:
        """System prompt, exemplars (solutions, each a pair of turns), then ``step`` about the question."""
        messages = []
        if self.texts.get("system", "").strip():
            messages.append({"role": "system", "content": self.render("system")})
        for example, reply in self.exemplars if with_exemplars else ():
            messages += [user(self.render("solve", question=example)), assistant(reply)]
        return (*messages, user(self.render(step, question=question, **values)))

    def _text(self, step: str) -> str:
        try:
            return self.texts[step]
        except KeyError:
            raise ConfigError(
                f"there is no prompt for the step {step!r}",
                where=f"prompt steps: {', '.join(sorted(self.texts)) or 'none'}",
                hint=f"add {step}.txt to the prompt folder and {step!r} to the method's PROMPTS",
            ) from None


def user(text: str) -> Message:
    """A turn of the user."""
    return {"role": "user", "content": text}


def assistant(text: str) -> Message:
    """A turn of the model."""
    return {"role": "assistant", "content": text}


def _boxed_end(reply: str) -> str:
    return _LABELLED_END.sub(lambda match: rf"\boxed{{{match['value']}}}", reply)
