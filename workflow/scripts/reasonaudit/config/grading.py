"""How stored text becomes answers and verdicts."""

from typing import Literal

from reasonaudit.config.section import Name, Section, key


class Grading(Section):
    """Reading answers from stored text; no model runs when this changes."""

    verifier: Name = key("trusted", decides="grading", text="The verifier that decides `correct`.")
    percent: Literal["sign", "value"] = key(
        "sign", decides="grading", text="35% is the number 35 with a sign, or the value 35/100."
    )
    truncated: Literal["stated", "grade", "unreadable"] = key(
        "stated",
        decides="grading",
        text="A reply cut by the token limit is read if it states its answer, read as any other, or never.",
    )
    several_boxes: Literal["last", "join", "unreadable"] = key(
        "last",
        decides="grading",
        text="Several boxed answers: the last counts, those of the last line are one list, or none counts.",
    )
    inequality: Literal["interval", "distinct"] = key(
        "interval", decides="grading", text="3 < x < 8 is the interval (3, 8), or another answer."
    )
    base_suffix: Literal["required", "optional"] = key(
        "required", decides="grading", text="Whether 52 needs its base where the gold is 52_8."
    )
    tolerance: float = key(
        1e-6,
        decides="grading",
        text="Relative error at which a decimal stands for a number that no finite decimal writes (1/12).",
        ge=0,
        le=0.01,
    )

    def policies(self) -> dict:
        """The policies of reading and comparing answers, without the verifier."""
        return self.model_dump(mode="json", exclude={"verifier"})
