"""Writes workflow/schemas/config.schema.json: ``python -m reasonaudit.config.write_schema``."""

import json
from pathlib import Path

from reasonaudit.config.study import Study
from reasonaudit.provenance import SCRIPTS

SCHEMA = SCRIPTS.parent / "schemas" / "config.schema.json"


def schema_text() -> str:
    """The JSON schema of a configuration file, as stored."""
    schema = Study.model_json_schema()
    # In the file a method is a name, or one name with its settings; the loader moves the name inside.
    schema["properties"]["methods"]["items"] = {
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "minProperties": 1,
                "maxProperties": 1,
                "additionalProperties": {"anyOf": [{"$ref": "#/$defs/Method"}, {"type": "null"}]},
            },
        ]
    }
    schema["properties"]["methods"]["default"] = ["self_consistency"]
    method = schema["$defs"]["Method"]
    del method["properties"]["name"], method["properties"]["settings"], method["required"]
    method["additionalProperties"] = True  # a method's own settings; the loader knows which
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
    return json.dumps(schema, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def main(path: Path = SCHEMA) -> None:
    """Write the schema to its place in the repository."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(schema_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
