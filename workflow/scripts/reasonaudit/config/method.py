"""Methods and what they are given: sampling, prompts, roles."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from reasonaudit.config.section import Name, Names, Section, check_repeats, key, mistake
from reasonaudit.methods.catalog import AnswerRule, Family, Kind, method_entry

PAPER_GRID = (1, 2, 3, 4, 6, 8, 12, 16)
POOL_METHOD = "self_consistency"  # the baseline of every comparison; its samples are the pool


class Role(Section):
    """Settings of one kind of call within a method (pick, critique, revise, judge, reflect ...)."""

    temperature: float | None = key(None, decides="text", text="0 is greedy; null: the method's.", ge=0, le=5)
    top_p: float | None = key(None, decides="text", text="Nucleus; null keeps the method's.", gt=0, le=1)
    max_tokens: int | None = key(
        None, decides="text", text="Limit of generated tokens; null keeps the method's.", ge=1
    )


class Method(Section):
    """One way of using the model on a question.

    Keys that are not listed here are settings of the method itself (``samples``, ``rounds`` ...);
    each method's module lists its own, and the loader checks them.
    """

    name: Name = key(decides="label", text="Name of the entry, in paths and tables.", exclude=False)
    method: Name | None = key(
        None,
        decides="text",
        text="The method's module, where the entry has a name of its own: two entries may use one method "
        "with different settings.",
    )
    models: Names | None = key(None, decides="questions", text="Only these models; null means every solver.")
    datasets: Names | None = key(None, decides="questions", text="Only these data sets; null means all.")
    temperature: float | None = key(
        None,
        decides="text",
        text="0 is greedy; null keeps the method's own (0, or sampling.temperature where it samples).",
        ge=0,
        le=5,
    )
    top_p: float | None = key(None, decides="text", text="Nucleus; null takes sampling.top_p.", gt=0, le=1)
    max_tokens: int | None = key(
        None,
        decides="text",
        text="Limit of generated tokens a call; null takes the model's, or sampling.max_tokens.",
        ge=1,
    )
    roles: dict[Name, Role] = key(
        {}, decides="text", text="Settings for one kind of call, such as pick: {max_tokens: 16}."
    )
    prompts: dict[Name, Name] = key(
        {},
        decides="text",
        text="Other prompt texts for some steps, as {answer_format: answer_number}; names of prompt files.",
    )
    answer_rule: AnswerRule | None = key(
        None, decides="grading", text="The rule that turns calls into an answer; null takes the catalog's."
    )
    family: Family | None = key(
        None,
        decides="analysis",
        text="Methods whose tests are corrected together; null takes the catalog's, paper or extension.",
    )
    kind: Kind | None = key(
        None, decides="analysis", text="Group whose effect is estimated jointly; null takes the catalog's."
    )
    self_inspection: bool | None = key(
        None, decides="analysis", text="Whether the model assesses its own output; null takes the catalog's."
    )
    label: str | None = key(None, decides="label", text="Name in figures; the name of the entry when null.")
    settings: dict[str, Any] = key(
        {}, decides="text", text="Filled by the loader: the method's own settings, as far as given."
    )

    @property
    def module(self) -> str:
        """Name of the module in reasonaudit.methods."""
        return self.method or self.name

    def reported(self) -> dict[str, Any]:
        """How the entry is scored and grouped: the catalog's answer rule, kind, family, self-inspection
        and label, where the configuration does not say otherwise; and its module."""
        names = ("answer_rule", "kind", "family", "self_inspection", "label")
        given = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        if self.method is not None and "label" not in given:
            given["label"] = self.name.replace("_", " ").capitalize()
        return vars(method_entry(self.module, **given)) | {"module": self.module}

    def identity(self) -> dict:
        """What of this entry decides text and enters its seeds: only what differs from the defaults.

        The pool size is not in it (a pool of 32 extends a pool of 16), nor is the answer rule.
        """
        values = self.deciding("text")
        values["method"] = self.module
        values["roles"] = {
            role: {name: value for name, value in given.items() if value is not None}
            for role, given in values["roles"].items()
        }
        return {name: value for name, value in values.items() if value not in (None, {})}


class Sampling(Section):
    """How replies are drawn."""

    pool_size: int = key(
        16,
        decides="questions",
        text="Samples a question in the self-consistency pool; a larger pool extends a smaller one.",
        ge=1,
        le=4096,
    )
    temperature: float = key(
        0.7, decides="text", text="Temperature of the pool and of every method that samples.", ge=0, le=5
    )
    top_p: float = key(1.0, decides="text", text="Nucleus of sampled calls; 1 keeps all tokens.", gt=0, le=1)
    max_tokens: int = key(1024, decides="text", text="Limit of generated tokens a call.", ge=1)
    curve: Annotated[list[Annotated[int, Field(ge=1)]], AfterValidator(check_repeats)] = key(
        [],
        decides="analysis",
        text="Pool sizes on the printed curve; empty takes 1, 2, 3, 4, 6, 8, 12, 16 up to pool_size.",
    )

    @model_validator(mode="before")
    @classmethod
    def _default_curve(cls, values: Any) -> Any:
        if isinstance(values, dict) and not values.get("curve"):
            pool = values.get("pool_size", cls.model_fields["pool_size"].default)
            if isinstance(pool, int):
                values = {**values, "curve": sorted({*(n for n in PAPER_GRID if n <= pool), max(pool, 1)})}
        return values

    @model_validator(mode="after")
    def _curve_fits(self):
        beyond = [n for n in self.curve if n > self.pool_size]
        if beyond:
            raise mistake(
                f"curve asks for {', '.join(map(str, beyond))} samples, but pool_size is {self.pool_size}",
                allowed=f"whole numbers from 1 to {self.pool_size}",
                hint=f"raise pool_size to {max(beyond)}, or end the curve at {self.pool_size}",
            )
        if self.curve != sorted(self.curve):
            raise mistake("curve is not in rising order", hint=f"write {sorted(self.curve)}")
        if self.pool_size > 1 and self.temperature == 0:
            raise mistake(
                f"temperature is 0, so all {self.pool_size} samples of a pool would be the same text",
                allowed="temperature above 0, or pool_size: 1",
            )
        return self


class Prompts(Section):
    """How questions are put to the model."""

    shots: int = key(
        0,
        decides="text",
        text="Worked examples before the question, in its language, the same for every question.",
        ge=0,
        le=16,
    )
    language: Literal["question", "en"] = key(
        "question",
        decides="text",
        text="Language of the instructions: the question's own (English where none is written), or en.",
    )
    answer_format: Literal["boxed", "label"] = key(
        "boxed",
        decides="text",
        text="How the last line gives the answer: \\boxed{...}, or ANSWER: ... (for small models).",
    )
    folder: str = key(
        "resources/prompts", decides="place", text="Folder of the prompt texts; their contents decide text."
    )
