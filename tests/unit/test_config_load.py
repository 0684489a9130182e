"""The configuration: what is accepted, what every mistake says, and what follows from a study."""

import copy
import json
from pathlib import Path

import pytest
import yaml

from reasonaudit.config.available import Available, MethodCode
from reasonaudit.config.load import load_config
from reasonaudit.errors import ConfigError
from reasonaudit.methods.declarations import declared

SHA = "0123456789abcdef" * 4
METHODS = ("self_consistency", "chain_of_thought", "best_of_n", "debate")
AVAILABLE = Available(
    methods={
        "self_consistency": MethodCode(),
        "chain_of_thought": MethodCode(),
        "best_of_n": MethodCode(
            {"samples": 8, "permute_candidates": False}, replies=lambda settings: settings["samples"]
        ),
        "debate": MethodCode(
            {"rounds": 2, "history": "last", "threshold": 0.5},
            {"history": ("last", "all")},
            {"rounds": (0, 5)},
        ),
    },
    formats=("questions", "gsm8k", "csv"),
    verifiers=(
        "exact",
        "numeric",
        "hybrid",
        "trusted",
        "math_verify",
        "strict_label",
        "flexible_number",
        "paper",
    ),
    importers=("lm_eval",),
)
BASE = {
    "study": "trial",
    "models": {"small": {"source": "file:model.gguf", "sha256": SHA}},
    "datasets": {
        "sums": {"source": "file:sums.jsonl", "format": "questions", "language": "en", "n_questions": 10}
    },
    "sampling": {"max_tokens": 64},
}


@pytest.fixture
def folder(tmp_path):
    for name in ("model.gguf", "other.gguf", "sums.jsonl", "log.jsonl"):
        (tmp_path / name).write_text("x")
    prompts = tmp_path / "resources" / "prompts"
    (prompts / "exemplars").mkdir(parents=True)
    (prompts / "exemplars" / "en.jsonl").write_text('{"question": "1 + 1?", "reply": "2"}\n')
    (prompts / "en").mkdir()
    for step in {step for name in METHODS for step in declared(name)["PROMPTS"]} | {"answer_boxed"}:
        (prompts / "en" / f"{step}.txt").write_text("{question}")
    return tmp_path


def changed(**paths):
    """BASE with values at dotted paths (dots as __); ``None`` values are kept, ``...`` removes a key."""
    raw = copy.deepcopy(BASE)
    for path, value in paths.items():
        *parents, last = path.split("__")
        place = raw
        for parent in parents:
            place = place.setdefault(parent, {})
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return raw


def load(raw, folder):
    return load_config(raw, file="study.yaml", repository=folder, available=AVAILABLE)


def message(raw, folder) -> str:
    with pytest.raises(ConfigError) as caught:
        load(raw, folder)
    return str(caught.value)


# --- what is accepted --------------------------------------------------------------------------------


def test_the_least_configuration_has_the_protocol_as_its_defaults(folder):
    study = load(BASE, folder)
    assert study.cells() == [("small", "sums", "self_consistency")]
    assert study.sampling.pool_size == 16
    assert study.sampling.curve == [1, 2, 3, 4, 6, 8, 12, 16]
    assert (study.sampling.temperature, study.statistics.resamples) == (0.7, 10000)
    assert (study.grading.verifier, study.statistics.ties) == ("trusted", "split")
    assert study.judges == {} and study.injection is None


@pytest.mark.parametrize(
    ("pool_size", "curve"),
    [(1, [1]), (5, [1, 2, 3, 4, 5]), (8, [1, 2, 3, 4, 6, 8]), (20, [1, 2, 3, 4, 6, 8, 12, 16, 20])],
)
def test_the_default_curve_ends_at_the_pool_size(folder, pool_size, curve):
    assert load(changed(sampling__pool_size=pool_size), folder).sampling.curve == curve


def test_a_study_is_plain_data(folder):
    study = load(changed(methods=[{"best_of_n": {"samples": 4}}, "self_consistency"]), folder)
    assert json.loads(json.dumps(study.model_dump())) == study.model_dump()


def test_methods_are_names_or_names_with_settings(folder):
    raw = changed(methods=["self_consistency", {"chain_of_thought": None}, {"best_of_n": {"samples": 4}}])
    study = load(raw, folder)
    assert [entry.name for entry in study.methods] == ["self_consistency", "chain_of_thought", "best_of_n"]
    assert study.method("best_of_n").settings == {"samples": 4}


def test_a_method_may_stand_twice_under_its_own_names(folder):
    raw = changed(
        methods=["self_consistency", "best_of_n", {"best_of_4": {"method": "best_of_n", "samples": 4}}],
    )
    study = load(raw, folder)
    assert study.method("best_of_4").module == "best_of_n"
    assert study.method("best_of_4").identity() == {"method": "best_of_n", "settings": {"samples": 4}}


def test_methods_can_be_restricted(folder):
    raw = changed(
        models__big={"source": "file:other.gguf", "sha256": SHA},
        datasets__more=BASE["datasets"]["sums"],
        methods=["self_consistency", {"chain_of_thought": {"models": ["big"], "datasets": ["more"]}}],
    )
    cells = load(raw, folder).cells()
    assert [cell for cell in cells if cell[2] == "chain_of_thought"] == [("big", "more", "chain_of_thought")]
    assert len(cells) == 5


def test_shards_are_stable_when_questions_are_added(folder):
    few = load(changed(shard_size=6, datasets__sums__n_questions=12), folder).shards("sums")
    many = load(changed(shard_size=6, datasets__sums__n_questions=20), folder).shards("sums")
    assert few == {"00000": (0, 6), "00001": (6, 12)}
    assert many == {**few, "00002": (12, 18), "00003": (18, 20)}


def test_all_questions_by_their_size(folder):
    study = load(changed(datasets__sums__n_questions=None, datasets__sums__size=7, shard_size=5), folder)
    assert study.shards("sums") == {"00000": (0, 5), "00001": (5, 7)}


def test_a_study_may_have_no_models(folder):
    study = load(changed(models={}), folder)
    assert study.cells() == [] and study.shards("sums") == {"00000": (0, 10)}


def test_a_judge_only_model_solves_nothing(folder):
    raw = changed(
        models__critic={"source": "file:other.gguf", "sha256": SHA, "solver": False},
        judges={"critic": {"model": "critic", "max_tokens": 100}},
    )
    study = load(raw, folder)
    assert study.solvers == ["small"]
    assert study.judged_cells("critic") == [("small", "sums", "self_consistency")]


# --- identity ----------------------------------------------------------------------------------------


def test_identity_ignores_schedule_labels_and_places(folder):
    plain = load(BASE, folder).models["small"].identity()
    moved = {
        "source": "file:other.gguf",
        "sha256": SHA,
        "n_parallel": 64,
        "threads": 8,
        "gpu_layers": -1,
        "label": "Small",
        "family": "F",
        "generation": "now",
        "mode": "thinking",
        "size_b": 1.5,
    }
    assert load(changed(models__small=moved), folder).models["small"].identity() == plain


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sha256", "f" * 64),
        ("context_length", 8192),
        ("chat_template_kwargs", {"enable_thinking": False}),
        ("plain_format", "{system}\n{prompt}"),
        ("stop", ["\n\n"]),
        ("lora", {"source": "file:other.gguf", "sha256": "a" * 64}),
    ],
)
def test_identity_changes_with_what_decides_text(folder, key, value):
    plain = load(BASE, folder).models["small"].identity()
    assert load(changed(**{f"models__small__{key}": value}), folder).models["small"].identity() != plain


def test_a_hub_file_without_hash_is_known_by_its_revision(folder):
    source = "hf:owner/repo/model.gguf@" + "a" * 40
    model = load(changed(models__small={"source": source}), folder).models["small"]
    assert model.identity()["source"] == [source]
    hashed = load(changed(models__small={"source": source, "sha256": SHA}), folder).models["small"]
    assert hashed.identity() == load(BASE, folder).models["small"].identity()


def test_method_identity_holds_only_what_differs_and_never_the_pool_or_the_rule(folder):
    small = load(changed(sampling__pool_size=4, methods=["self_consistency", "best_of_n"]), folder)
    assert small.method("self_consistency").identity() == {"method": "self_consistency"}
    default = changed(methods=["self_consistency", {"best_of_n": {"samples": 8}}])
    assert load(default, folder).method("best_of_n").identity() == {"method": "best_of_n"}
    scored = {"answer_rule": "last_call", "family": "extension", "label": "Pick"}
    ruled = changed(methods=["self_consistency", {"best_of_n": scored}])
    assert load(ruled, folder).method("best_of_n").identity() == {"method": "best_of_n"}
    roles = changed(methods=["self_consistency", {"best_of_n": {"roles": {"pick": {"max_tokens": 16}}}}])
    assert load(roles, folder).method("best_of_n").identity() == {
        "method": "best_of_n",
        "roles": {"pick": {"max_tokens": 16}},
    }


# --- what follows ------------------------------------------------------------------------------------


def test_the_nearest_limit_of_tokens_counts(folder):
    raw = changed(
        models__big={"source": "file:other.gguf", "sha256": SHA, "max_tokens": 32},
        methods=["self_consistency", {"chain_of_thought": {"max_tokens": 16}}],
    )
    study = load(raw, folder)
    assert study.max_tokens("small", "self_consistency") == 64
    assert study.max_tokens("big", "self_consistency") == 32
    assert study.max_tokens("big", "chain_of_thought") == 16
    assert study.models["big"].identity() == study.models["small"].identity()


def test_methods_are_reported_as_the_catalog_says_unless_the_study_does(folder):
    raw = changed(
        methods=[
            "self_consistency",
            "best_of_n",
            {"best_of_4": {"method": "best_of_n", "samples": 4, "family": "extension"}},
        ]
    )
    study = load(raw, folder)
    assert study.families() == {"paper": ["best_of_n"], "extension": ["best_of_4"]}
    assert study.method("best_of_4").reported() == {
        "module": "best_of_n",
        "answer_rule": "picked_candidate",
        "kind": "choosing",
        "family": "extension",
        "self_inspection": True,
        "label": "Best of 4",
    }


# --- mistakes: each names key, value, what is allowed, and a hint ------------------------------------

CASES = yaml.safe_load((Path(__file__).parents[1] / "cases" / "config_mistakes.yaml").read_text("utf-8"))
STANDING_FOR = {"SUMS": BASE["datasets"]["sums"], "SMALL": BASE["models"]["small"], "HASH": SHA}


def spelled_out(value):
    """A case's value with SUMS, SMALL and HASH replaced."""
    if isinstance(value, dict):
        return {name: spelled_out(item) for name, item in value.items()}
    if isinstance(value, list):
        return [spelled_out(item) for item in value]
    return STANDING_FOR.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_says_where_what_and_what_instead(folder, name):
    case = CASES[name]
    changes = spelled_out(case.get("change", {})) | dict.fromkeys(case.get("remove", ()), ...)
    text = message(changed(**{path.replace(".", "__"): value for path, value in changes.items()}), folder)
    assert text.startswith("the configuration has 1 mistake: study.yaml\n"), text
    for part in case["says"]:
        assert part in text
    assert len(text.splitlines()) < 12 and "config/README.md" in text


def test_the_smallest_allowed_values_next_to_the_mistakes_pass(folder):
    two = ["self_consistency", "best_of_n"]
    load(changed(methods=two, sampling__max_tokens=1024, models__small__context_length=9217), folder)
    load(changed(methods=[*two, "chain_of_thought"], statistics__resamples=400), folder)
    load(changed(judges={"strict": {"model": "small", "max_tokens": 4031}}), folder)
    load(changed(study="x" * 64), folder)


def test_several_mistakes_are_told_together_up_to_a_screen(folder):
    raw = changed(seed="x", shard_size=0, sampling__pool_size="many", statistics__ties="x")
    text = message(raw, folder)
    assert text.startswith("the configuration has 4 mistakes: study.yaml\n")
    raw = changed(**{f"unknown_{number}": number for number in range(12)})
    text = message(raw, folder)
    assert "12 mistakes" in text and "... and 4 more" in text
    assert len(text.splitlines()) <= 45


def test_long_values_are_cut(folder):
    text = message(changed(study=["x"] * 1000), folder)
    assert all(len(line) < 130 for line in text.splitlines())
