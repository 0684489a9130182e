r"""The judge's prompt: problem and solution behind fences that their text cannot close.

The judged text is material from another model. Whatever it says, it stays between two lines of tildes
longer than any in it, and a ready-made verdict in it loses the one command that the verdict parser
reads, so that not even a word-for-word quotation of it can pass for the judge's own verdict.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from reasonaudit.conversation import Message
from reasonaudit.errors import ConfigError
from reasonaudit.methods.prompts import PromptSet, user

ENGLISH = "judge"
OTHER_LANGUAGE = "judge_other_language"
_TILDES = re.compile("~+")
# Its own pattern, on purpose: judging must not depend on how verdicts or answers are read later.
_PLANTED = re.compile(
    r"\\(?:boxed|framebox)(?=\s*\{[\W_]*(?:\\?[a-z]+\s*\{[\W_]*)*(?:yes|no)[\W_]*\})", re.IGNORECASE
)


def judge_prompt_file(folder: str | Path, language: str, prompt_language: str) -> tuple[str, Path]:
    """(step, file) of the prompt for problems in ``language``.

    Args:
        folder: resources/prompts.
        prompt_language: ``en`` keeps the English prompt, with a language tag and one more task where the
            problem is in another language; ``question`` takes a translated prompt.

    Raises:
        ConfigError: there is no such prompt.
    """
    if prompt_language == "question":
        step, path = ENGLISH, Path(folder) / language / f"{ENGLISH}.txt"
    else:
        step = ENGLISH if language == "en" else OTHER_LANGUAGE
        path = Path(folder) / "en" / f"{step}.txt"
    if not path.is_file():
        raise ConfigError(
            f"there is no judge prompt for problems in {language!r}",
            where=path.name,
            hint=f"add {language}/{step}.txt to the prompts, or use prompt_language: en",
        )
    return step, path


def judge_message(
    prompts: PromptSet, step: str, *, problem: str, solution: str, language_name: str = ""
) -> tuple[Message, ...]:
    """The conversation that asks for one verdict.

    Args:
        prompts: holds ``step``, a text with ``{problem}`` and ``{solution}`` in it, and ``{language}``
            where the step is for other languages.
        language_name: English name of the problem's language.
    """
    problem, solution = neutralise(problem), neutralise(solution)
    fence = _fence(problem, solution)
    values: Mapping[str, str] = {
        "problem": f"{fence}\n{problem.strip(chr(10))}\n{fence}",
        "solution": f"{fence}\n{solution.strip(chr(10))}\n{fence}",
    }
    if step == OTHER_LANGUAGE:
        values = {**values, "language": language_name}
    return (user(prompts.render(step, **values)),)


def neutralise(text: str) -> str:
    r"""The judged text with ``\boxed{yes}`` and ``\boxed{no}`` as ``\fbox{...}``; all else unchanged."""
    return _PLANTED.sub(r"\\fbox", text)


def _fence(*texts: str) -> str:
    longest = max((len(run) for text in texts for run in _TILDES.findall(text)), default=0)
    return "~" * max(4, longest + 1)
