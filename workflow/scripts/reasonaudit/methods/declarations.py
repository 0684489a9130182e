"""What a method module declares, read from its source without importing it.

Rules need it while the workflow is planned (which prompt files a method says, which settings it has),
when importing methods would be slow and would tie every rule to every method. Declared as literals:

    PROMPTS       steps whose texts it says; the answer format comes with them
    DEFAULTS      its own settings and their defaults
    CHOICES       setting -> allowed texts (optional)
    RANGES        setting -> (least, greatest) (optional; whole numbers are at least 1 in any case)
    SEED_NEUTRAL  settings that do not enter the seed (optional)
"""

import ast
import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from reasonaudit.errors import ConfigError

HERE = Path(__file__).resolve().parent
LITERALS = {"PROMPTS": (), "DEFAULTS": {}, "CHOICES": {}, "RANGES": {}, "SEED_NEUTRAL": ()}
FALLBACK_LANGUAGE = "en"
ANSWER_FORMATS = ("boxed", "label")


def method_names() -> list[str]:
    """Names of all method modules: those that hold a function named like themselves."""
    return sorted(path.stem for path in HERE.glob("[a-z]*.py") if _source(path.stem)[1])


def declared(name: str) -> dict:
    """The literals of a method module, with empty ones for those it leaves out.

    Raises:
        ConfigError: there is no such method, or a declaration is no literal.
    """
    literals, is_method = _source(name)
    if not is_method:
        raise ConfigError(
            f"there is no method {name!r}",
            where=f"methods/{name}.py",
            hint=f"known methods: {', '.join(method_names())}; a new one is a function {name} in that file",
        )
    return {key: literals.get(key, empty) for key, empty in LITERALS.items()}


def method_settings(name: str, given: Mapping) -> dict:
    """A method's own settings, complete: its defaults, overridden by what the study gives.

    Raises:
        ConfigError: an unknown setting, a value of another type than the default's, or one that is
            not allowed.
    """
    literals = declared(name)
    defaults = literals["DEFAULTS"]
    for key, value in given.items():
        where = f"method {name}, setting {key}: {value!r}"
        if key not in defaults:
            known = ", ".join(defaults) or "it has none"
            raise ConfigError(f"{name} has no setting {key!r}", where=where, hint=f"its settings: {known}")
        default = defaults[key]
        numeric = isinstance(default, float) and type(value) is int
        if type(value) is not type(default) and not numeric:
            kind = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
            raise ConfigError(
                f"{key} must be {kind[type(default)]}", where=where, hint=f"the default is {default!r}"
            )
        choices = literals["CHOICES"].get(key, (value,))
        if value not in choices:
            raise ConfigError(
                f"{key} cannot be {value!r}", where=where, hint=f"allowed: {', '.join(choices)}"
            )
        low, high = literals["RANGES"].get(key, (1 if type(default) is int else value, value))
        if not isinstance(value, str) and not low <= value <= high:
            limits = f"between {low} and {high}" if key in literals["RANGES"] else f"at least {low}"
            raise ConfigError(f"{key} must be {limits}", where=where, hint=f"the default is {default!r}")
    return {**defaults, **given}


def seed_settings(name: str, given: Mapping) -> dict:
    """The settings that enter a method's seed: changed from their defaults and not seed-neutral."""
    literals = declared(name)
    return {
        key: value
        for key, value in method_settings(name, given).items()
        if value != literals["DEFAULTS"][key] and key not in literals["SEED_NEUTRAL"]
    }


def prompt_paths(
    name: str,
    language: str,
    answer_format: str,
    folder: str | Path,
    replaced: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Path]:
    """Step -> prompt file of a method, in the question's language where there is one, else in English.

    Args:
        name: the method.
        language: of the questions, such as ``ja``.
        answer_format: ``label`` (last line ``ANSWER: <value>``) or ``boxed``.
        folder: holds one folder a language, such as ``resources/prompts``.
        replaced: step -> name of the file that the study says instead, such as
            ``{"answer_format": "answer_number"}``.

    Raises:
        ConfigError: an unknown answer format, a replaced step that the method does not say, or a step
            without a file in either language.
    """
    if answer_format not in ANSWER_FORMATS:
        raise ConfigError(
            f"answer_format cannot be {answer_format!r}",
            where="prompts: answer_format",
            hint=f"allowed: {', '.join(ANSWER_FORMATS)}",
        )
    files = {step: step for step in declared(name)["PROMPTS"]} | {"answer_format": f"answer_{answer_format}"}
    for step in replaced:
        if step not in files:
            raise ConfigError(
                f"{name} says no prompt {step!r}",
                where=f"method {name}, prompts: {step}",
                hint=f"it says: {', '.join(files)}",
            )
    files |= replaced
    return {step: _prompt_path(Path(folder), language, file) for step, file in files.items()}


def _prompt_path(folder: Path, language: str, file: str) -> Path:
    places = [folder / code / f"{file}.txt" for code in (language, FALLBACK_LANGUAGE)]
    for place in places:
        if place.is_file():
            return place
    raise ConfigError(
        f"there is no prompt file for {file}",
        where=" or ".join(f"{place.parent.name}/{place.name}" for place in dict.fromkeys(places)),
        hint=f"write it in {folder.name}, or correct the method's PROMPTS",
    )


@functools.cache
def _source(name: str) -> tuple[dict, bool]:
    """Declared literals of a module, and whether it holds a function of its own name."""
    path = HERE / f"{name}.py"
    if not name.isidentifier() or not path.is_file():
        return {}, False
    literals, is_method = {}, False
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            is_method = True
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        target = node.targets[0].id
        if target in LITERALS:
            try:
                literals[target] = ast.literal_eval(node.value)
            except ValueError:
                raise ConfigError(
                    f"{target} must be a literal, since it is read without running the module",
                    where=f"methods/{name}.py, line {node.lineno}",
                    hint="write the value out",
                ) from None
    return literals, is_method
