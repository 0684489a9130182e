"""From a conversation to the token ids of a prompt.

The rendered template is tokenised with control tokens read as such; text of messages that spells a
control token is tokenised as plain text. Replies that this model has just written keep the ids that
they were generated with, so that a later turn extends the cache of the earlier one.
"""

import json
import re
from collections.abc import Mapping, Sequence

import jinja2
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from reasonaudit.conversation import Message
from reasonaudit.engine.vocabulary import Vocabulary
from reasonaudit.errors import ModelError

# Some templates print today's date; the same call must give the same prompt on every day.
FIXED_DATE = {"%d %b %Y": "26 Jul 2024", "%d %B %Y": "26 July 2024", "%Y-%m-%d": "2024-07-26"}

_MARK = re.compile("\ue000(\\d+)\ue001")
_SPLIT = "\ue002"  # put inside a control token's spelling to keep it from being read as one


class _Formatter(Jinja2ChatFormatter):
    @staticmethod
    def strftime_now(f: str) -> str:
        return FIXED_DATE.get(f, "2024-07-26")


class ChatTemplate:
    """Renders and tokenises conversations for one model.

    Args:
        template: the model's Jinja chat template, or None for a base model.
        plain_format: for base models, the text to complete, with {prompt} and where wanted {system}.
        variables: passed to the template (``enable_thinking`` and the like).

    Attributes:
        folds_system: True where the template has no system role and the system text goes into the
            first user turn.

    Raises:
        ModelError: no template and no plain format, or a template that does not parse.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        template: str | None,
        *,
        plain_format: str | None = None,
        variables: Mapping | None = None,
    ):
        self._vocabulary, self._variables = vocabulary, dict(variables or {})
        if plain_format:
            template = _as_template(plain_format)
        if not template:
            raise ModelError(
                "the model has no chat template",
                hint="set plain_format for it in the config, such as "
                '"{system}\\n\\nQuestion: {prompt}\\nAnswer:"',
            )
        try:
            self._formatter = _Formatter(
                template,
                eos_token=vocabulary.spelling(vocabulary.eos),
                bos_token=vocabulary.spelling(vocabulary.bos),
            )
        except jinja2.TemplateError as error:
            raise ModelError(f"the chat template does not parse: {error}") from error
        self.folds_system = self._lacks_system_role()

    def encode(
        self, messages: Sequence[Message], known: Mapping[str, Sequence[int]] | None = None
    ) -> list[int]:
        """Token ids of the prompt, beginning-of-sequence token exactly once where the model wants it.

        Args:
            messages: the conversation, oldest first.
            known: text of earlier replies -> the ids they were generated with.

        Raises:
            ModelError: the template refuses the conversation.
        """
        messages = self._fold(messages) if self.folds_system else list(messages)
        ids: list[int] = []
        for part, kind in self._parts(messages, known or {}):
            ids.extend(part if kind == "ids" else self._vocabulary.encode(part, control=kind == "template"))
        vocabulary = self._vocabulary
        if vocabulary.adds_bos and ids[:1] != [vocabulary.bos]:
            ids.insert(0, vocabulary.bos)
        return ids

    def _parts(self, messages: list[Message], known: Mapping[str, Sequence[int]]):
        """(text or ids, kind) pieces of the prompt; kind is template, plain or ids."""
        rendered = self._render(messages)
        layout = self._layout(messages)
        for contents in ([m["content"] for m in messages], [m["content"].strip() for m in messages]):
            if rendered == "".join(p if i % 2 == 0 else contents[int(p)] for i, p in enumerate(layout)):
                break
        else:
            # The template rewrites its messages, so where they stand is unknown.
            yield from self._neutralised(messages)
            return
        inline = ""
        for position, piece in enumerate(layout):
            if position % 2 == 0:
                inline += piece
                continue
            message, content = messages[int(piece)], contents[int(piece)]
            ids = known.get(content) if message["role"] == "assistant" else None
            if ids is not None or self._vocabulary.control_spans(content):
                if inline:
                    yield inline, "template"
                    inline = ""
                yield (ids, "ids") if ids is not None else (content, "plain")
            else:
                inline += content
        if inline:
            yield inline, "template"

    def _layout(self, messages: list[Message]) -> list[str]:
        """The rendered template cut at its messages: text, number of a message, text, and so on."""
        marked = [{**m, "content": f"\ue000{i}\ue001"} for i, m in enumerate(messages)]
        try:
            return _MARK.split(self._render(marked))
        except ModelError:
            return []  # the template looks into its messages

    def _neutralised(self, messages: list[Message]):
        """Split every control spelling inside messages in two, so that neither half is one."""
        for piece in self._render([{**m, "content": self._split(m["content"])} for m in messages]).split(
            _SPLIT
        ):
            yield piece, "template"

    def _split(self, text: str) -> str:
        for start, _ in reversed(self._vocabulary.control_spans(text)):
            text = text[: start + 1] + _SPLIT + text[start + 1 :]
        return text

    def _render(self, messages: list[Message]) -> str:
        try:
            return self._formatter(messages=messages, **self._variables).prompt
        except Exception as error:  # a template is a program of its own, and may raise anything
            roles = ", ".join(m["role"] for m in messages)
            raise ModelError(
                f"the chat template refuses the conversation: {error}",
                where=f"roles {roles}",
                hint="check chat_template_kwargs, or set plain_format for this model",
            ) from error

    def _lacks_system_role(self) -> bool:
        probe = [{"role": "system", "content": "\ue000"}, {"role": "user", "content": "\ue001"}]
        try:
            return "\ue000" not in self._render(probe)
        except ModelError:
            return True

    @staticmethod
    def _fold(messages: Sequence[Message]) -> list[Message]:
        """System text in front of the first user turn."""
        system = "\n\n".join(m["content"] for m in messages if m["role"] == "system")
        rest = [dict(m) for m in messages if m["role"] != "system"]
        first = next((m for m in rest if m["role"] == "user"), None)
        if system and first:
            first["content"] = f"{system}\n\n{first['content']}"
        elif system:
            rest.insert(0, {"role": "user", "content": system})
        return rest


def _as_template(plain_format: str) -> str:
    """A Jinja template for a text to complete: the system text once, then the rest a turn.

    Earlier replies follow their questions after a space, with an empty line behind.
    """
    before, _, turn = (
        plain_format.rpartition("{system}") if "{system}" in plain_format else ("", "", plain_format)
    )
    gap = turn[: len(turn) - len(turn.lstrip())] if "{system}" in plain_format else ""
    opening, _, closing = turn[len(gap) :].partition("{prompt}")

    def quoted(text: str) -> str:
        return "{{ " + json.dumps(text) + " }}"

    return (
        "{% for message in messages %}{% if message.role == 'system' %}"
        f"{quoted(before)}{{{{ message.content }}}}{quoted(gap)}"
        "{% elif message.role == 'user' %}"
        f"{quoted(opening)}{{{{ message.content }}}}{quoted(closing)}"
        "{% else %}{{ ' ' + message.content }}{{ '\n\n' }}{% endif %}{% endfor %}"
    )
