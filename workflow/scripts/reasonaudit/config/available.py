"""What the installed code offers: methods, formats, verifiers, importers; read without importing it."""

import ast
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from reasonaudit.methods.declarations import declared, method_names
from reasonaudit.provenance import PACKAGE, SCRIPTS, module_names

# A module that a configuration may name holds this function; its helpers beside it do not.
MARKS = {"questions": "load", "verifiers": "verify", "importers": "load"}
LONGEST_PROMPT = "replies_in_longest_prompt"


@dataclass(frozen=True)
class MethodCode:
    """What a method's module declares.

    Args:
        defaults: its own settings and their defaults.
        choices: setting -> allowed texts.
        ranges: setting -> (least, greatest).
        replies: settings -> whole replies that its longest prompt holds.
    """

    defaults: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, tuple] = field(default_factory=dict)
    ranges: Mapping[str, tuple] = field(default_factory=dict)
    replies: Callable[[dict], int] = lambda settings: 0


@dataclass(frozen=True)
class Available:
    """Names that a configuration may use."""

    methods: Mapping[str, MethodCode]
    formats: tuple[str, ...]
    verifiers: tuple[str, ...]
    importers: tuple[str, ...] = ()

    @classmethod
    def installed(cls) -> "Available":
        """What the modules of this package offer."""
        return cls(
            methods={name: method_code(name) for name in method_names()},
            formats=offered("questions"),
            verifiers=offered("verifiers"),
            importers=offered("importers"),
        )


def offered(package: str) -> tuple[str, ...]:
    """Modules of a folder that hold the function which marks what a configuration may name."""
    mark = MARKS[package]
    return tuple(name for name in module_names(package) if _function(package, name, mark))


def method_code(name: str) -> MethodCode:
    """The declarations of one method."""
    literals = declared(name)
    return MethodCode(literals["DEFAULTS"], literals["CHOICES"], literals["RANGES"], _longest_prompt(name))


def _longest_prompt(name: str) -> Callable[[dict], int]:
    """The method's own count, compiled alone: it is a formula over the settings and imports nothing."""
    node = _function("methods", name, LONGEST_PROMPT)
    if node is None:
        return lambda settings: 0
    scope: dict[str, Any] = {}
    exec(compile(ast.Module([node], []), f"methods/{name}.py", "exec"), scope)
    return scope[LONGEST_PROMPT]


@functools.cache
def _function(package: str, name: str, function: str) -> ast.FunctionDef | None:
    path = SCRIPTS / PACKAGE / package / f"{name}.py"
    nodes = ast.parse(path.read_text(encoding="utf-8")).body
    return next((node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == function), None)
