"""Walking the shape of the configuration: which section stands at a path."""

import types
from collections.abc import Sequence
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from reasonaudit.config.section import Section


def at_path(plain: Any, path: Sequence) -> Any:
    """The raw value at a path, or ``...`` where nothing stands."""
    for part in path:
        if (isinstance(plain, dict) and part in plain) or (
            isinstance(plain, list) and isinstance(part, int) and part < len(plain)
        ):
            plain = plain[part]
        else:
            return ...
    return plain


def keys_at(root: type[Section], path: Sequence) -> dict[str, FieldInfo]:
    """The keys that the section at a path may have; none where the path leads to no section."""
    section: type[Section] | None = root
    annotation: Any = root
    for part in path:
        if section is not None and part in section.model_fields:
            annotation = section.model_fields[part].annotation
        else:  # a name in a mapping, or a place in a list
            annotation = _inner(annotation)
        section = section_in(annotation)
    return dict(section.model_fields) if section else {}


def section_in(annotation: Any) -> type[Section] | None:
    """The section that an annotation is, or may be; None for mappings, lists and plain values."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return annotation
    if get_origin(annotation) is Annotated:
        return section_in(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        found = (section_in(choice) for choice in get_args(annotation))
        return next((section for section in found if section), None)
    return None


def _inner(annotation: Any) -> Any:
    """What a mapping or list holds."""
    if get_origin(annotation) in (dict, list):
        return get_args(annotation)[-1]
    return None
