"""What method modules declare, and the catalog of what they are."""

import importlib
import json
import subprocess
import sys

import pytest

from reasonaudit.errors import ConfigError
from reasonaudit.methods.catalog import METHODS, MethodEntry, method_entry
from reasonaudit.methods.declarations import (
    LITERALS,
    declared,
    method_names,
    method_settings,
    prompt_paths,
    seed_settings,
)
from reasonaudit.provenance import SCRIPTS, code_digest

PAPER = [
    "best_of_n",
    "chain_of_thought",
    "debate",
    "plan_and_solve",
    "reflexion",
    "reflexion_forced",
    "self_consistency",
    "self_refine",
]


@pytest.mark.parametrize("name", method_names())
def test_declarations_are_what_the_module_has(name):
    module = importlib.import_module(f"reasonaudit.methods.{name}")
    assert declared(name) == {key: getattr(module, key, empty) for key, empty in LITERALS.items()}
    assert set(declared(name)["CHOICES"]) | set(declared(name)["RANGES"]) <= set(module.DEFAULTS)


def test_reading_declarations_imports_no_method():
    code = (
        "import sys, json; from reasonaudit.methods import declarations as d;"
        "[d.declared(n) for n in d.method_names()];"
        "print(json.dumps([n for n in d.method_names() if f'reasonaudit.methods.{n}' in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=SCRIPTS, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == []


@pytest.mark.parametrize("name", method_names())
def test_a_method_imports_just_what_methods_share(name):
    tree = importlib.import_module(f"reasonaudit.methods.{name}").__dict__
    modules = {value.__module__ for value in tree.values() if hasattr(value, "__module__")}
    project = {module for module in modules if module.startswith("reasonaudit")}
    shared = {"prompts", "reply_formats", "sampling", name}
    assert project <= {"reasonaudit.conversation", *(f"reasonaudit.methods.{module}" for module in shared)}
    assert code_digest("reasonaudit/methods/prompts.py", [f"reasonaudit.methods.{name}"])


def test_all_methods_are_in_the_catalog_and_the_other_way_round():
    assert method_names() == sorted(METHODS)
    assert sorted(name for name, entry in METHODS.items() if entry.family == "paper") == PAPER


def test_the_studys_groups():
    inspecting = [name for name, entry in METHODS.items() if entry.self_inspection]
    assert sorted(inspecting) == ["best_of_n", "reflexion_forced", "self_refine"]
    assert METHODS["best_of_n"].answer_rule == "picked_candidate"
    assert METHODS["debate"].answer_rule == "majority_of_last_round"
    assert METHODS["self_consistency"].answer_rule == "each_sample"


def test_a_method_of_the_users_has_defaults_that_the_study_can_override():
    assert method_entry("tree_search") == MethodEntry("last_call", "other", "extension", False, "Tree search")
    assert method_entry("tree_search", answer_rule="last_answer", label="ToT").answer_rule == "last_answer"
    assert method_entry("debate", label="Debate of three").kind == "debating"
    with pytest.raises(ConfigError, match="'vote' is no answer_rule"):
        method_entry("tree_search", answer_rule="vote")
    with pytest.raises(ConfigError, match="no property 'colour'"):
        method_entry("tree_search", colour="red")


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("best_of_n", {"sample": 8}, "no setting 'sample'"),
        ("best_of_n", {"samples": "8"}, "must be a whole number"),
        ("best_of_n", {"samples": True}, "must be a whole number"),
        ("best_of_n", {"samples": 1}, "between 2 and 256"),
        ("best_of_n", {"permute_candidates": 1}, "must be true or false"),
        ("self_refine", {"rounds": 0}, "at least 1"),
        ("self_refine", {"history": "some"}, "cannot be 'some'"),
        ("reflexion", {"unreadable_judgement": "go"}, "allowed: continue, stop"),
        ("debate", {"agents": 1}, "between 2 and 64"),
        ("self_consistency_early_stop", {"threshold": 1.0}, "between 0.5 and 0.9999"),
        ("chain_of_thought", {"samples": 2}, "it has none"),
        ("tree_search", {}, "no method 'tree_search'"),
        ("prompts", {}, "no method 'prompts'"),
        ("../engine/llama", {}, "no method"),
    ],
)
def test_settings_that_cannot_be(name, given, message):
    with pytest.raises(ConfigError, match=message):
        method_settings(name, given)


def test_settings_are_completed():
    assert method_settings("debate", {"agents": 5}) == {"agents": 5, "rounds": 2, "history": "last"}
    assert method_settings("self_consistency_early_stop", {"threshold": 0.9})["threshold"] == 0.9


def test_only_changed_settings_enter_the_seed_and_a_shown_order_never_does():
    assert seed_settings("best_of_n", {"samples": 8, "permute_candidates": True}) == {}
    assert seed_settings("best_of_n", {"samples": 4}) == {"samples": 4}


def test_prompt_paths_name_the_files_of_a_method(repository):
    folder = repository / "resources" / "prompts"
    assert prompt_paths("self_refine", "en", "boxed", folder) == {
        "system": folder / "en" / "system.txt",
        "solve": folder / "en" / "solve.txt",
        "critique": folder / "en" / "critique.txt",
        "revise": folder / "en" / "revise.txt",
        "answer_format": folder / "en" / "answer_boxed.txt",
    }
