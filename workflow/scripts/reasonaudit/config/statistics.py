"""Inference settings."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from reasonaudit.config.section import Section, check_repeats, key


class Statistics(Section):
    """Intervals, tests and what they count."""

    resamples: int = key(
        10000, decides="analysis", text="Bootstrap resamples; at least 10 m / alpha for m tests.", ge=100
    )
    confidence: float = key(0.95, decides="analysis", text="Confidence of the intervals.", gt=0.5, lt=1)
    ties: Literal["split", "first", "none"] = key(
        "split",
        decides="analysis",
        text="A tied vote counts in shares, by its first answer in stored order, or as wrong.",
    )
    unreadable: Literal["abstain", "wrong"] = key(
        "abstain", decides="analysis", text="Unreadable answers abstain, or vote together for a wrong answer."
    )
    allow_context_errors: bool = key(
        False,
        decides="analysis",
        text="true: a question whose prompt did not fit leaves every method (counted) and the run goes on.",
    )
    runs: int = key(1, decides="questions", text="Independent repetitions of every method.", ge=1, le=1000)
    draws: int = key(200, decides="analysis", text="Draws of the sampled curve beside the exact one.", ge=1)
    ladder: Annotated[list[Annotated[int, Field(ge=1)]], AfterValidator(check_repeats)] | None = key(
        None, decides="analysis", text="Values of k of Pass@k; null takes 1, 2, 4 ... and the pool size."
    )
    cost_basis: Annotated[
        list[Literal["generated", "total"]], AfterValidator(check_repeats), Field(min_length=1)
    ] = key(
        ["generated", "total"],
        decides="analysis",
        text="Tokens that count as cost: generated ones, or prompts too.",
    )
    matching: Annotated[
        list[Literal["fixed", "rematched", "grid"]], AfterValidator(check_repeats), Field(min_length=1)
    ] = key(
        ["fixed", "rematched"],
        decides="analysis",
        text="Where the rival's cost is matched: once, anew in every resample, or on the printed grid.",
    )
