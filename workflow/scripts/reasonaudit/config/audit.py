"""Judges, injected errors, and the two multilingual analyses."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from reasonaudit.config.dataset import Language
from reasonaudit.config.model import Source
from reasonaudit.config.section import Name, Names, Section, Sha256, Share, check_repeats, key, mistake

CONDITIONS = ("clean", "intermediate_error", "truncated", "boxed_only", "consistent_error")
Condition = Literal["clean", "intermediate_error", "truncated", "boxed_only", "consistent_error"]


class Judged(Section):
    """Which samples a judge reads."""

    models: Names | None = key(None, decides="questions", text="Only these solvers; null means all.")
    datasets: Names | None = key(None, decides="questions", text="Only these data sets; null means all.")
    methods: Names = key(["self_consistency"], decides="questions", text="Methods whose samples are judged.")


class Judge(Section):
    """A model that reads solutions and says yes or no."""

    model: Name = key(decides="text", text="A key of models.")
    votes: int = key(3, decides="questions", text="Times each sample is judged.", ge=1, le=99)
    temperature: float = key(0.6, decides="text", text="Temperature of a judgement.", ge=0, le=5)
    top_p: float = key(0.95, decides="text", text="Nucleus of a judgement.", gt=0, le=1)
    max_tokens: int = key(4096, decides="text", text="Limit of generated tokens a judgement.", ge=1)
    prompt_language: Literal["en", "question"] = key(
        "en", decides="text", text="Language of the judge's prompt: English, or the question's."
    )
    chat_template_kwargs: dict[str, Any] = key(
        {}, decides="text", text="Switches of the chat template, over those of the model."
    )
    judged_text: Literal["whole", "visible"] = key(
        "whole",
        decides="text",
        text="What the judge reads: the whole stored reply, or the reply without its thinking part.",
    )
    judged: Judged = key(Judged(), decides="questions", text="Which samples are judged.")
    natural: bool = key(
        True,
        decides="questions",
        text="Judge the answer-correct samples as they are (CoT-Pass@k).",
    )
    injected: bool = key(
        True, decides="questions", text="Judge the samples with injected errors, where injection is given."
    )
    step_labels: Annotated[list[Name], AfterValidator(check_repeats)] = key(
        [], decides="questions", text="Keys of step_labels: chains with human labels that this judge reads."
    )
    max_samples: int | None = key(
        None,
        decides="questions",
        text="Natural samples judged a question (the first); null means all.",
        ge=1,
    )
    label: str | None = key(None, decides="label", text="Name in figures; the key of the judge when null.")

    @model_validator(mode="after")
    def _votes_differ(self):
        if self.temperature == 0 and self.votes > 1:
            raise mistake(
                f"temperature is 0, so all {self.votes} votes would be the same text",
                allowed="temperature above 0, or votes: 1",
            )
        return self


class Injection(Section):
    """Errors put into correct solutions, to see whether judges notice."""

    min_tokens: int = key(
        600, decides="questions", text="Originals are longer than this many generated tokens.", ge=0
    )
    per_question: int = key(6, decides="questions", text="Originals a question, at most.", ge=1)
    per_cell: int = key(150, decides="questions", text="Originals drawn in each model x data set.", ge=1)
    panel_per_cell: int | None = key(
        None,
        decides="questions",
        text="Originals kept in each model x data set, among those that support every condition; "
        "null keeps the largest equal number.",
        ge=1,
    )
    conditions: Annotated[list[Condition], AfterValidator(check_repeats), Field(min_length=1)] = key(
        list(CONDITIONS), decides="questions", text="The edits; clean is the unedited solution."
    )
    intermediate_region: Annotated[list[Share], Field(min_length=2, max_length=2)] = key(
        [0.4, 0.7],
        decides="text",
        text="Part of the chain (shares of its length) where a number changes.",
    )
    truncate_share: float = key(
        0.25, decides="text", text="Share of the text dropped by truncated.", gt=0, lt=1
    )
    seed: int | None = key(
        None, decides="text", text="Seed of the draw and of the wrong numbers; null takes the study's.", ge=0
    )

    @model_validator(mode="after")
    def _consistent(self):
        low, high = self.intermediate_region
        if low >= high:
            raise mistake(
                f"intermediate_region ends ({high}) before it starts ({low})", hint=f"write [{high}, {low}]"
            )
        if "clean" not in self.conditions:
            raise mistake("conditions lacks clean, to which the others are compared", hint="add clean")
        if self.panel_per_cell is not None and self.panel_per_cell > self.per_cell:
            raise mistake(
                f"panel_per_cell is {self.panel_per_cell}, but only {self.per_cell} are drawn (per_cell)",
                allowed=f"1 to {self.per_cell}, or null",
            )
        return self


class StepLabels(Section):
    """Chains whose first wrong step people have marked: what judges are measured against."""

    source: Source = key(decides="place", text="Where the file comes from (forms as for data sets).")
    sha256: Sha256 | None = key(None, decides="questions", text="SHA-256 of the file; checked where given.")
    format: Literal["processbench"] = key(
        "processbench",
        decides="questions",
        text="Records with problem, steps and label: the first wrong step from 0, or -1.",
    )
    language: Language = key("en", decides="questions", text="Language of the chains.")
    n_questions: int | None = key(
        None, decides="questions", text="The first so many chains of the file; null means all.", ge=1
    )


class ProbeSide(Section):
    """One side of an interface probe."""

    datasets: Names = key(decides="analysis", text="Data sets, one a language.")
    method: Name = key("self_consistency", decides="analysis", text="The method that asked.")


class Probe(Section):
    """The same problems under the ordinary answer prompt and under a plain-number one."""

    ordinary: ProbeSide = key(decides="analysis", text="As usual.")
    plain_numeric: ProbeSide = key(
        decides="analysis", text="With another method entry (prompts: ...) or other data sets."
    )


class Selection(Section):
    """Choosing a target-language answer with the support of sibling languages."""

    alpha: Annotated[
        list[Annotated[float, Field(gt=0)]], AfterValidator(check_repeats), Field(min_length=1)
    ] = key([0.5, 1.0, 2.0], decides="analysis", text="Exponents of the sibling support.")
    reported_alpha: float = key(1.0, decides="analysis", text="The exponent in the main table.", gt=0)
    support: Literal["sum", "mean"] = key(
        "sum", decides="analysis", text="Sibling languages' support is summed, or averaged."
    )
    method: Name = key("self_consistency", decides="analysis", text="The method whose samples are voted on.")
    reference_language: Language | None = key(
        "en", decides="analysis", text="The gap to the weakest language is measured from this one."
    )
    min_siblings: Literal["all"] | Annotated[int, Field(ge=1)] = key(
        "all",
        decides="analysis",
        text="Siblings that must support an answer before the conservative rule acts: all, or a number.",
    )

    @model_validator(mode="after")
    def _reported(self):
        if self.reported_alpha not in self.alpha:
            raise mistake(
                f"reported_alpha {self.reported_alpha} is not among alpha",
                allowed=", ".join(map(str, self.alpha)),
            )
        return self


class Bias(Section):
    """Verifier language bias."""

    method: Name = key("self_consistency", decides="analysis", text="The method whose samples are verified.")
    resamples: int = key(4000, decides="analysis", text="Bootstrap resamples of problems.", ge=100)
    permutations: int = key(
        4000, decides="analysis", text="Permutations of the language labels within problems.", ge=100
    )
    flag_fnr: Share = key(0.3, decides="analysis", text="A larger false-negative rate flags a language,")
    flag_vlb: Share = key(0.2, decides="analysis", text="where the bias of that rate is larger than this.")
    group_size: int | None = key(
        None, decides="analysis", text="Samples a group of rewards (training consequence); null: all.", ge=2
    )
    readmitting_verifier: Name | None = key(
        "numeric",
        decides="analysis",
        text="The verifier that is asked which false negatives it would admit; null asks none.",
    )
