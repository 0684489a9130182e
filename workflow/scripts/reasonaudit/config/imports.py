"""Generations made elsewhere."""

from reasonaudit.config.model import Source
from reasonaudit.config.section import Name, Section, Sha256, key


class Import(Section):
    """A log of another tool that becomes calls of this study."""

    format: Name = key(decides="text", text="The importer's module.")
    source: Source = key(decides="place", text="Where the log comes from (forms as for models).")
    sha256: Sha256 | None = key(None, decides="text", text="SHA-256 of the log; checked where given.")
    model: Name = key(decides="label", text="Name of the model in the tables.")
    dataset: Name = key(decides="questions", text="A key of datasets, whose questions the log answers.")
    method: Name = key("self_consistency", decides="grading", text="The method that made the log.")
    columns: dict[str, str] = key({}, decides="text", text="Which column holds what, for plain tables.")
    tokenizer: Name | None = key(
        None, decides="text", text="A key of models, to recount tokens where the log has no counts."
    )
