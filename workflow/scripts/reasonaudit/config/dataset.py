"""Data sets: source, format, language, and how many questions are drawn."""

from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from reasonaudit.config.model import Source
from reasonaudit.config.section import Name, Section, Sha256, key, mistake

# ISO 639-1 codes. A language here can be asked in; prompts exist for the folders of resources/prompts.
LANGUAGES = {
    "ar": "Arabic",
    "bn": "Bengali",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "hu": "Hungarian",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "ms": "Malay",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sv": "Swedish",
    "sw": "Swahili",
    "te": "Telugu",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
_OFTEN_MEANT = {"jp": "ja", "cn": "zh", "br": "pt", "kr": "ko", "gr": "el", "cz": "cs", "zh-cn": "zh"}


def check_language(value: str) -> str:
    """A known ISO 639-1 code."""
    if value in LANGUAGES:
        return value
    lowered = value.strip().lower()
    names = {name.lower(): code for code, name in LANGUAGES.items()}
    meant = _OFTEN_MEANT.get(lowered) or names.get(lowered) or lowered.split("-")[0]
    raise mistake(
        "not a known language",
        allowed=" ".join(LANGUAGES),
        hint=f"did you mean {meant}?" if meant in LANGUAGES else "codes are those of ISO 639-1",
    )


Language = Annotated[str, AfterValidator(check_language)]


class Columns(Section):
    """Which column holds what, for the formats csv, jsonl and parquet."""

    question: str = key("question", decides="questions", text="Column with the question's text.")
    gold: str = key("answer", decides="questions", text="Column with the right answer.")
    id: str | None = key(
        None, decides="questions", text="Column with a unique id; null numbers the rows of the file."
    )
    parallel_id: str | None = key(
        None,
        decides="questions",
        text="Column that says which rows are the same problem in other languages; null takes the id.",
    )
    level: str | None = key(None, decides="questions", text="Column with the difficulty, a whole number.")
    subject: str | None = key(None, decides="questions", text="Column with the subject.")


class Dataset(Section):
    """Questions with their right answers."""

    source: Source = key(
        decides="place",
        text="Where the file comes from: file:PATH, hf:datasets/REPO/FILE@REVISION, or as for models.",
    )
    sha256: Sha256 | None = key(None, decides="questions", text="SHA-256 of the file; checked where given.")
    format: Name = key(
        decides="questions",
        text="How the file is read: questions, gsm8k, math500, mgsm, aime, polymath, mmath, csv, "
        "jsonl or parquet.",
    )
    language: Language = key(decides="questions", text="Language of the questions, an ISO 639-1 code.")
    n_questions: int | None = key(
        decides="questions",
        text="Questions to draw; the first n of one seeded order, so that more questions extend fewer. "
        "null takes all and then wants size.",
        ge=1,
    )
    size: int | None = key(
        None,
        decides="questions",
        text="Questions in the file; needed when n_questions is null, verified when sampled.",
        ge=1,
    )
    columns: Columns | None = key(
        None, decides="questions", text="Which column holds what, for the formats csv, jsonl and parquet."
    )
    answer_range: Annotated[list[int], Field(min_length=2, max_length=2)] | None = key(
        None,
        decides="text",
        text="Least and greatest whole-number answer ([0, 999] for AIME), for wrong numbers.",
    )
    parallel: Name | None = key(
        None,
        decides="analysis",
        text="Name of a group of data sets that hold the same problems in several languages.",
    )
    label: str | None = key(None, decides="label", text="Name in figures; the key of the data set when null.")

    @model_validator(mode="after")
    def _consistent(self):
        if self.n_questions is None and self.size is None:
            raise mistake(
                "n_questions is null (all of them), but size is not given",
                allowed="n_questions: N, or size: N beside n_questions: null",
                hint="the number of questions must be known before anything runs; it is verified later",
            )
        if self.n_questions is not None and self.size is not None and self.n_questions > self.size:
            raise mistake(
                f"n_questions is {self.n_questions}, but the data set has {self.size}",
                allowed=f"1 to {self.size}, or null for all",
            )
        if self.answer_range is not None and self.answer_range[0] >= self.answer_range[1]:
            raise mistake(f"answer_range {self.answer_range} is empty", allowed="[least, greatest]")
        if self.columns is not None and self.format not in ("csv", "jsonl", "parquet"):
            raise mistake(
                f"format {self.format} knows its columns",
                allowed="columns with the formats csv, jsonl, parquet",
                hint="remove columns, or name the general format",
            )
        return self

    @property
    def count(self) -> int:
        """Number of questions that are asked."""
        return self.size if self.n_questions is None else self.n_questions
