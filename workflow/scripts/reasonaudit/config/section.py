"""What every section of the configuration shares: strictness, names, and what a key decides."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError, PydanticUndefined

# What changes when a key changes:
#   text      what a model writes: the calls concerned are generated anew
#   questions which questions are asked
#   grading   how stored text is read: answers and verdicts are made anew, no model runs
#   analysis  tables and figures only
#   schedule  how the work is cut, placed and sped up; no result changes
#   label     names in figures and groupings
#   place     where files come from or go to
Decides = Literal["text", "questions", "grading", "analysis", "schedule", "label", "place"]

NAME_PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
NAME_MAX = 64
SHA256_PATTERN = re.compile(r"[0-9a-f]{64}")


class Section(BaseModel):
    """A part of the configuration. Unknown keys and wrong types are mistakes, never guesses."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, use_attribute_docstrings=False, protected_namespaces=()
    )

    def deciding(self, *kinds: Decides) -> dict[str, Any]:
        """The plain values of the keys that decide one of ``kinds``."""
        values = self.model_dump(mode="json")
        return {name: values[name] for name in type(self).model_fields if decides(type(self), name) in kinds}


def key(default: Any = PydanticUndefined, *, decides: Decides, text: str, **constraints) -> Any:
    """A key of the configuration: its default, what it decides, and one sentence for the reference."""
    extra = {"decides": decides}
    return Field(default, description=text, json_schema_extra=extra, **constraints)


def decides(section: type[Section], name: str) -> Decides:
    """What the key ``name`` of ``section`` decides."""
    return section.model_fields[name].json_schema_extra["decides"]


def mistake(problem: str, *, allowed: str = "", hint: str = "") -> PydanticCustomError:
    """An error for validators; the loader adds file, key and value."""
    return PydanticCustomError("study", "{problem}", {"problem": problem, "allowed": allowed, "hint": hint})


def check_name(value: str) -> str:
    """A name that is safe as a folder name on every file system.

    Raises:
        PydanticCustomError: other characters, too long, a leading dot.
    """
    if not NAME_PATTERN.fullmatch(value) or len(value) > NAME_MAX or value.endswith("."):
        raise mistake(
            "this name cannot be part of a path",
            allowed=f"1 to {NAME_MAX} of A-Z a-z 0-9 . _ - with a letter or digit first and no dot last",
            hint=f"for example {_safe_name(value)}",
        )
    return value


def _safe_name(value: str) -> str:
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", value).strip("-._")[:NAME_MAX].rstrip("-._")
    return safe or "model-1"


def check_sha256(value: str) -> str:
    """64 hexadecimal digits, in small letters."""
    if not SHA256_PATTERN.fullmatch(value):
        raise mistake(
            f"not a SHA-256: {len(value)} characters"
            if len(value) != 64
            else "not a SHA-256: other characters than 0-9 a-f",
            allowed="64 hexadecimal digits, small letters",
            hint="sha256sum FILE prints it",
        )
    return value


def check_repeats(values: list) -> list:
    """A list that names nothing twice."""
    repeated = [value for place, value in enumerate(values) if value in values[:place]]
    if repeated:
        raise mistake(f"{repeated[0]} is listed twice", hint="remove the second one")
    return values


def check_hashes(value: str | list[str]) -> str | list[str]:
    """One hash of the whole file, or a list with that of each part."""
    for digest in [value] if isinstance(value, str) else value:
        check_sha256(digest)
    return value


Name = Annotated[str, AfterValidator(check_name)]
Sha256 = Annotated[str, AfterValidator(check_sha256)]
Hashes = Annotated[str | list[str], AfterValidator(check_hashes)]
Names = Annotated[list[Name], AfterValidator(check_repeats), Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]
