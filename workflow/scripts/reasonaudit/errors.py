"""Errors that say what went wrong, where, and what to do about it.

ReasonAuditError
 ├── ConfigError      a study configuration that cannot be run
 ├── DataError        a data set, question file or log that cannot be read
 ├── ModelError       a model file that is missing, damaged, or not supported
 ├── ContextError     a conversation that does not fit the context of a row
 ├── TableError       rows that do not fit the schema of their table
 └── GateError        an integrity gate that failed; names the rows
"""

__all__ = [
    "ConfigError",
    "ContextError",
    "DataError",
    "GateError",
    "ModelError",
    "ReasonAuditError",
    "TableError",
]


class ReasonAuditError(Exception):
    """Base of every error this project raises on purpose.

    Args:
        what: one sentence, what is wrong.
        where: the file, key or rows concerned.
        hint: what the user can do next.
    """

    def __init__(self, what: str, *, where: str | None = None, hint: str | None = None):
        self.what, self.where, self.hint = what, where, hint
        lines = [what]
        if where:
            lines.append(f"  where: {where}")
        if hint:
            lines.append(f"  Hint: {hint}")
        super().__init__("\n".join(lines))

    def __reduce__(self):
        # Keyword-only arguments do not survive pickling between processes by default.
        return (_rebuild, (type(self), self.what, self.where, self.hint))


def _rebuild(cls, what, where, hint):
    return cls(what, where=where, hint=hint)


class ConfigError(ReasonAuditError):
    """A study configuration that cannot be run."""


class DataError(ReasonAuditError):
    """A data set, question file or log that cannot be read."""


class ModelError(ReasonAuditError):
    """A model file that is missing, damaged, or not supported."""


class ContextError(ReasonAuditError):
    """A conversation that does not fit the context of a row."""


class TableError(ReasonAuditError):
    """Rows that do not fit the schema of their table."""


class GateError(ReasonAuditError):
    """An integrity gate that failed."""
