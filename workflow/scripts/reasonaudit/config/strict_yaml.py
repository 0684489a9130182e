"""Reading YAML without its silent habits."""

from pathlib import Path
from typing import Any

import yaml

from reasonaudit.config.mistakes import Mistake, config_error
from reasonaudit.errors import ConfigError


class _Loader(yaml.SafeLoader):
    """Notes keys that stand twice in one mapping; plain YAML keeps the last one without a word."""

    def __init__(self, stream):
        super().__init__(stream)
        self.repeated: list[tuple[str, int, int]] = []

    def note_repeats(self, node) -> None:
        """Keys as they are written; those that a merge (<<) brings in may be overridden."""
        first: dict[Any, int] = {}
        for key_node, _ in node.value:
            name, line = key_node.value, key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode) or key_node.tag == "tag:yaml.org,2002:merge":
                continue
            if name in first:
                self.repeated.append((name, first[name], line))
            first.setdefault(name, line)


def _mapping(loader: _Loader, node):
    loader.note_repeats(node)
    return loader.construct_mapping(node, deep=True)


_Loader.add_constructor("tag:yaml.org,2002:map", _mapping)


def read_yaml_strict(path: str | Path) -> dict[str, Any]:
    """The mapping in a YAML file; refuses keys that stand twice, tabs, and files that are no mapping.

    Raises:
        ConfigError: cannot be read; names file and line.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise ConfigError("there is no such configuration", where=str(path)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the configuration cannot be read: {error}", where=str(path)) from error
    loader = _Loader(text)
    try:
        raw = loader.get_single_data()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        line = text.splitlines()[mark.line].strip() if mark and mark.line < len(text.splitlines()) else ""
        raise ConfigError(
            f"the configuration is not YAML: {problem}",
            where=f"{path}, line {mark.line + 1}: {line}" if mark else str(path),
            hint="indent with spaces, and put texts with : or # or @ at their start in quotes",
        ) from error
    finally:
        loader.dispose()
    if loader.repeated:
        mistakes = [
            Mistake(name, f"this key stands twice, in lines {first} and {second}", hint="keep one of them")
            for name, first, second in dict.fromkeys(loader.repeated)
        ]
        raise config_error(mistakes, file=str(path))
    if not isinstance(raw, dict):
        raise ConfigError(
            "the configuration is empty" if raw is None else "the configuration is not a mapping of keys",
            where=str(path),
            hint="config/config.yaml is an example",
        )
    return raw
