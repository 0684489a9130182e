"""From the raw configuration to a checked Study, or one message with all mistakes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from reasonaudit.config.available import Available, MethodCode
from reasonaudit.config.checks import find_mistakes
from reasonaudit.config.method import POOL_METHOD, Method
from reasonaudit.config.mistakes import Mistake, config_error, did_you_mean, show
from reasonaudit.config.shape import at_path, keys_at
from reasonaudit.config.study import Study

# Words for what pydantic calls a type error: error type -> (problem, allowed).
_TYPES = {
    "string_type": ("not a text", "a text"),
    "int_type": ("not a whole number", "a whole number"),
    "int_from_float": ("not a whole number", "a whole number"),
    "float_type": ("not a number", "a number"),
    "finite_number": ("not a finite number", "a number"),
    "bool_type": ("not true or false", "true, false"),
    "list_type": ("not a list", "a list, such as [a, b]"),
    "dict_type": ("not a mapping", "keys with values under it"),
    "model_type": ("not a section", "keys with values under it"),
    "model_attributes_type": ("not a section", "keys with values under it"),
    "missing": ("this key is missing", ""),
}
_BOUNDS = {"gt": "above {:g}", "ge": "{:g} or more", "lt": "below {:g}", "le": "{:g} or less"}
# A value that fails every form of a key (null or a number, say) gives one error a form.
_FORM_NAMES = {"int", "float", "str", "bool", "list", "dict"}


def load_config(
    raw: Mapping[str, Any], *, file: str, repository: Path, available: Available | None = None
) -> Study:
    """Check a configuration as YAML gives it.

    Args:
        raw: the mapping (Snakemake's ``config``).
        file: its name, for messages.
        repository: the folder that ``file:`` sources are relative to.
        available: what may be named; by default what is installed.

    Raises:
        ConfigError: one message that lists the mistakes with key, value, what is allowed, and a hint.
    """
    available = available or Available.installed()
    plain, mistakes = _written_methods(raw, available)
    try:
        study = Study.model_validate(plain)
    except ValidationError as error:
        mistakes += _from_pydantic(error, plain)
    else:
        if not mistakes:
            mistakes = find_mistakes(study, available=available, repository=Path(repository))
            if not mistakes:
                return study
    raise config_error(mistakes, file=file)


def _written_methods(raw: Mapping, available: Available) -> tuple[dict, list[Mistake]]:
    """Methods as sections with a name; a method's own settings set apart and checked."""
    plain = dict(raw)
    entries = plain.get("methods")
    if not isinstance(entries, list):
        return plain, []  # pydantic says what is wrong
    sections, mistakes = [], []
    for entry in entries:
        if isinstance(entry, str):
            sections.append({"name": entry})
        elif not isinstance(entry, dict) or len(entry) != 1:
            mistakes.append(
                Mistake(
                    "methods",
                    "an entry is a name, or one name with settings",
                    value=entry,
                    allowed="- NAME  or  - {NAME: {samples: 8}}",
                    hint="indent the settings below the name" if isinstance(entry, dict) else "",
                )
            )
        else:
            [(name, given)] = entry.items()
            if given is not None and not isinstance(given, dict):
                mistakes.append(
                    Mistake(
                        f"methods.{name}", "not a section", value=given, allowed="settings, as {samples: 8}"
                    )
                )
                continue
            section, found = _own_settings(name, dict(given or {}), available)
            sections.append(section)
            mistakes += found
    plain["methods"] = (
        sections if sections or not entries else [{"name": POOL_METHOD}]
    )  # a mistake is told once
    return plain, mistakes


def _own_settings(name: str, given: dict, available: Available) -> tuple[dict, list[Mistake]]:
    """The method's own settings that differ from its defaults, and mistakes among them."""
    common = [key for key in Method.model_fields if key not in ("name", "settings")]
    module = given.get("method") or name
    code = available.methods.get(module) if isinstance(module, str) else None
    settings, mistakes = {}, []
    for setting in [key for key in given if key not in common]:
        value, where = given.pop(setting), f"methods.{name}.{setting}"
        if code is None:
            continue  # that there is no such method is told once, later
        if setting not in code.defaults:
            known = [*code.defaults, *common]
            hint = did_you_mean(setting, known)
            mistakes.append(Mistake(where, f"{module} has no such setting", value, ", ".join(known), hint))
        elif wrong := _unlike(value, setting, code):
            mistakes.append(
                Mistake(where, wrong[0], value, wrong[1], did_you_mean(value, code.choices.get(setting, ())))
            )
        elif value != code.defaults[setting]:
            settings[setting] = value
    return {"name": name, **given, "settings": settings}, mistakes


def _unlike(value: Any, setting: str, code: MethodCode) -> tuple[str, str] | None:
    """What keeps a value from being one of this setting: it has the type of the default, and the range."""
    default = code.defaults[setting]
    kind = {bool: "bool_type", int: "int_type", float: "float_type", str: "string_type"}[type(default)]
    if type(value) is not type(default) and not (isinstance(default, float) and type(value) is int):
        return _TYPES[kind]
    if setting in code.choices and value not in code.choices[setting]:
        return "not a choice", ", ".join(code.choices[setting])
    if setting in code.ranges:
        low, high = code.ranges[setting]
        return None if low <= value <= high else ("out of range", f"{low} to {high}")
    if kind == "int_type" and value < 1:
        return "out of range", "1 or more"
    return None


def _from_pydantic(error: ValidationError, plain: dict) -> list[Mistake]:
    merged: dict[tuple, Mistake] = {}
    for item in error.errors(include_url=False):
        path = tuple(part for part in item["loc"] if part != "[key]")
        while path and _is_form_name(path, plain):
            path = path[:-1]
        mistake = _mistake(item, path, plain)
        known = merged.get(path)
        if known is None:
            merged[path] = mistake
        elif known.allowed and mistake.allowed and mistake.allowed not in known.allowed:
            both = f"{known.allowed}; or {mistake.allowed}"
            merged[path] = Mistake(known.key, "not allowed here", known.value, both, known.hint)
    return list(merged.values())


def _is_form_name(path: tuple, plain: dict) -> bool:
    """Pydantic appends the name of a form (int, literal['all']) where a key has several forms."""
    last = str(path[-1])
    looks = last in _FORM_NAMES or "[" in last or "-" in last
    return looks and at_path(plain, path) is ... and at_path(plain, path[:-1]) is not ...


def _mistake(item: dict, path: tuple, plain: dict) -> Mistake:
    kind, context = item["type"], item.get("ctx", {})
    where = _key_text(path, plain)
    value = at_path(plain, path)
    if "[key]" in item["loc"]:
        value = ...
    if kind == "study":
        section = isinstance(value, dict)  # a rule over several keys: its text names their values
        return Mistake(
            where, context["problem"], ... if section else value, context["allowed"], context["hint"]
        )
    if kind == "extra_forbidden":
        known = keys_at(Study, path[:-1])
        return Mistake(where, "unknown key", value, ", ".join(known), did_you_mean(path[-1], known))
    if kind == "missing":
        return Mistake(where, "this key is missing", hint=_description(path))
    if kind in ("literal_error", "enum"):
        choices = context["expected"].replace("'", "").replace(" or ", ", ")
        return Mistake(where, "not a choice", value, choices, did_you_mean(value, choices.split(", ")))
    if kind in ("too_short", "too_long"):
        bound = context.get("min_length", context.get("max_length"))
        words = "at least" if kind == "too_short" else "at most"
        return Mistake(where, f"{words} {bound} wanted, {context['actual_length']} given", value)
    for bound, words in _BOUNDS.items():
        if bound in context:
            return Mistake(where, "out of range", value, words.format(context[bound]))
    problem, allowed = _TYPES.get(kind, (item["msg"], ""))
    return Mistake(where, problem, value, allowed, _type_hint(kind, value))


def _type_hint(kind: str, value: Any) -> str:
    if kind == "string_type" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return f'put it in quotes: "{show(value)}"'
    return ""


def _description(path: tuple) -> str:
    fields = keys_at(Study, path[:-1])
    return fields[path[-1]].description or "" if path[-1] in fields else ""


def _key_text(path: tuple, plain: dict) -> str:
    parts = [str(part) for part in path]
    if len(path) > 1 and path[0] == "methods" and isinstance(path[1], int):
        entry = at_path(plain, path[:2])
        parts[1] = str(entry.get("name", path[1])) if isinstance(entry, dict) else parts[1]
    return ".".join(parts)
