"""The configuration files of the repository, the schema, and reading YAML."""

import difflib
import json
import re
import subprocess
import sys
import textwrap
from dataclasses import fields
from typing import get_args, get_type_hints

import jsonschema
import pytest
import yaml

from reasonaudit.answers.policies import Policy, policy_from
from reasonaudit.audit import injection
from reasonaudit.config.audit import CONDITIONS
from reasonaudit.config.available import Available
from reasonaudit.config.grading import Grading
from reasonaudit.config.load import load_config
from reasonaudit.config.shape import section_in
from reasonaudit.config.strict_yaml import read_yaml_strict
from reasonaudit.config.study import Study
from reasonaudit.config.write_reference import SECTIONS, with_reference
from reasonaudit.config.write_schema import SCHEMA, schema_text
from reasonaudit.errors import ConfigError
from reasonaudit.methods.declarations import method_settings


def files(repository):
    return [repository / "config/config.yaml", *sorted((repository / "config/studies").glob("*.yaml"))]


def test_every_configuration_of_the_repository_is_valid(repository):
    for path in files(repository):
        study = load_config(read_yaml_strict(path), file=path.name, repository=repository)
        assert study.study == ("demo" if path.name == "config.yaml" else path.stem)


def test_the_stored_schema_is_the_one_of_the_models():
    stored, made = SCHEMA.read_text(encoding="utf-8"), schema_text()
    drift = "".join(difflib.unified_diff(stored.splitlines(True), made.splitlines(True), "stored", "models"))
    assert stored == made, f"run python -m reasonaudit.config.write_schema\n{drift}"


def test_the_schema_accepts_the_files_and_refuses_mistakes(repository):
    schema = json.loads(schema_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    for path in files(repository):
        jsonschema.validate(read_yaml_strict(path), schema)
    raw = read_yaml_strict(files(repository)[0])
    for wrong in ({"sead": 1}, {"seed": "x"}, {"methods": [{"a": {}, "b": {}}]}, {"datasets": {}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**raw, **wrong}, schema)


def test_the_demo_fits_its_budget(repository):
    """At most about 20,000 generated tokens over all three studies."""
    study = load_config(
        read_yaml_strict(repository / "config/config.yaml"), file="config.yaml", repository=repository
    )
    pool = study.sampling.pool_size
    tokens = 0
    for model, dataset, name in study.cells():
        entry = study.method(name)
        given = method_settings(entry.module, entry.settings)
        rounds = given.get("rounds", 0)
        calls = {
            "self_consistency": pool,
            "chain_of_thought": 1,
            "plan_and_solve": 1,
            "self_refine": 1 + 2 * rounds,
            "reflexion": 1 + 3 * rounds,
            "reflexion_forced": 1 + 2 * rounds,
            "best_of_n": given.get("samples", 0) + 1,
            "debate": given.get("agents", 0) * (1 + rounds),
        }[entry.module]
        tokens += study.datasets[dataset].count * calls * study.max_tokens(model, name)
    for judge in study.judges.values():
        originals = (study.injection.panel_per_cell or study.injection.per_cell) * len(
            study.injection.conditions
        )
        natural = (judge.max_samples or pool) * sum(d.count for d in study.datasets.values())
        tokens += judge.votes * judge.max_tokens * (originals + natural)
    assert tokens <= 27_000  # replies end before their limit: about 20,000 are generated


def test_grading_policies_are_those_of_the_reader():
    hints = get_type_hints(Policy)
    for field in fields(Policy):
        assert Grading.model_fields[field.name].default == field.default
        if get_args(hints[field.name]):
            assert get_args(Grading.model_fields[field.name].annotation) == get_args(hints[field.name])
    assert policy_from(Grading().policies()) == Policy()


def test_conditions_are_those_of_the_injection():
    assert CONDITIONS == injection.CONDITIONS


def test_default_verifiers_are_those_that_exist():
    assert set(Study.model_fields["verifiers"].default) == set(Available.installed().verifiers)


def test_what_is_installed_can_be_named():
    available = Available.installed()
    assert {"self_consistency", "chain_of_thought", "best_of_n", "debate"} <= set(available.methods)
    assert not {"catalog", "prompts", "sampling", "reply_formats", "declarations"} & set(available.methods)
    assert available.methods["best_of_n"].defaults["samples"] == 8
    assert available.methods["best_of_n"].replies({"samples": 5}) == 5
    assert set(available.formats) == {
        "aime", "csv", "gsm8k", "jsonl", "math500", "mgsm", "mmath", "parquet", "polymath", "questions"
    }  # fmt: skip


def test_loading_is_light(repository):
    """The DAG is built in every cluster job anew; heavy libraries must stay out of it."""
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from reasonaudit.config.load import load_config\n"
        "from reasonaudit.config.strict_yaml import read_yaml_strict\n"
        "load_config(read_yaml_strict('config/config.yaml'), file='config.yaml', repository=Path('.'))\n"
        "print(*{name.split('.')[0] for name in sys.modules})\n"
    )
    scripts = repository / "workflow" / "scripts"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=repository,
        env={"PYTHONPATH": str(scripts)},
        capture_output=True,
        text=True,
        check=True,
    )
    heavy = {"pandas", "numpy", "pyarrow", "scipy", "llama_cpp", "huggingface_hub", "matplotlib"}
    assert not heavy & set(done.stdout.split())


# --- YAML --------------------------------------------------------------------------------------------


def read(tmp_path, text: str):
    path = tmp_path / "study.yaml"
    path.write_text(text, encoding="utf-8")
    return read_yaml_strict(path)


def test_yaml_is_read(tmp_path):
    assert read(tmp_path, "\ufeffa: 1\nb: {c: [1, x]}\n") == {"a": 1, "b": {"c": [1, "x"]}}
    merged = read(tmp_path, "base: &base {a: 1}\nother: {<<: *base, a: 2}\n")
    assert merged["other"] == {"a": 2}


def test_keys_that_stand_twice_are_told_with_their_lines(tmp_path):
    with pytest.raises(ConfigError, match=r"datasets(.|\n)*twice, in lines 1 and 5") as caught:
        read(tmp_path, "datasets:\n  a: {n: 1}\n  a: {n: 2}\nseed: 1\ndatasets: {}\n")
    assert "a\n     this key stands twice, in lines 2 and 3" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is empty"),
        ("- a\n", "not a mapping"),
        ("a: 1\n\tb: 2\n", "line 2"),
        ("a: [1\n", "not YAML"),
        ("source: @x\n", "in quotes"),
        ("a: !!python/object:os.system {}\n", "not YAML"),
    ],
)
def test_yaml_that_cannot_be_read(tmp_path, text, expected):
    with pytest.raises(ConfigError, match=expected):
        read(tmp_path, text)


def test_a_missing_file(tmp_path):
    with pytest.raises(ConfigError, match="there is no such configuration"):
        read_yaml_strict(tmp_path / "gone.yaml")


# --- the reference -----------------------------------------------------------------------------------


def test_the_reference_lists_every_key_as_the_models_have_it(repository):
    stored = (repository / "config" / "README.md").read_text(encoding="utf-8")
    made = with_reference(stored)
    drift = "".join(difflib.unified_diff(stored.splitlines(True), made.splitlines(True), "stored", "models"))
    assert stored == made, f"run python -m reasonaudit.config.write_reference\n{drift}"


def test_no_section_of_the_configuration_is_left_out_of_the_reference():
    def sections(section):
        yield section
        for field in section.model_fields.values():
            for part in (field.annotation, *get_args(field.annotation)):
                inner = section_in(part)
                if inner is not None and inner is not section:
                    yield from sections(inner)

    assert set(sections(Study)) == {section for _, section in SECTIONS.values()}


def test_the_readme_names_every_format_and_study(repository):
    text = (repository / "config" / "README.md").read_text(encoding="utf-8")
    for name in Available.installed().formats:
        assert f"`{name}`" in text
    for path in (repository / "config" / "studies").glob("*.yaml"):
        assert f"`{path.name}`" in text


def test_the_least_configuration_of_the_readme_is_valid(repository, tmp_path):
    """With the files that it names in place."""
    text = (repository / "config" / "README.md").read_text(encoding="utf-8")
    block = re.search(r"The least that is needed:\n\n((?:    .*\n)+)", text)[1]
    raw = yaml.safe_load(textwrap.dedent(block).replace("sha256: ...", f"sha256: {'ab' * 32}"))
    for section, name in (("models", "small"), ("datasets", "sums")):
        path = tmp_path / raw[section][name]["source"].removeprefix("file:").lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
        raw[section][name]["source"] = f"file:{path}"
    raw["prompts"] = {"folder": str(repository / "resources" / "prompts")}
    raw["models"]["small"]["context_length"] = 16384
    assert load_config(raw, file="mine.yaml", repository=tmp_path).study == "mine"


def test_nothing_but_the_snakefile_reads_the_configuration(repository):
    """A job that imported the models would run again with every new key."""
    scripts = repository / "workflow" / "scripts"
    outside = [path for path in scripts.rglob("*.py") if path.parent.name != "config"]
    assert len(outside) > 50
    assert [path.name for path in outside if "reasonaudit.config" in path.read_text(encoding="utf-8")] == []
