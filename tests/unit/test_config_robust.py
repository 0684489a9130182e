"""Whatever stands in a configuration, the answer is a study or a message that fits a screen."""

import copy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasonaudit.config.available import Available
from reasonaudit.config.load import load_config
from reasonaudit.config.strict_yaml import read_yaml_strict
from reasonaudit.errors import ConfigError

REPOSITORY = Path(__file__).resolve().parents[2]
FILES = ["config/config.yaml", "config/studies/cot_pass.yaml", "config/studies/verifier_bias.yaml"]
RAW = {name: read_yaml_strict(REPOSITORY / name) for name in FILES}
AVAILABLE = Available.installed()


def places(value, path=()):
    """Every path in a configuration."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places(inner, (*path, key))


def parent_at(raw, path):
    for part in path[:-1]:
        raw = raw[part]
    return raw


PLACES = [(name, path) for name, raw in RAW.items() for path in places(raw) if path]
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(leaves, inner, max_size=3),
    max_leaves=5,
)


def told(raw) -> str | None:
    try:
        load_config(raw, file="study.yaml", repository=REPOSITORY, available=AVAILABLE)
    except ConfigError as error:
        return str(error)
    return None


@settings(max_examples=300, deadline=None)
@given(place=st.sampled_from(PLACES), value=values)
def test_any_value_at_any_place(place, value):
    name, path = place
    raw = copy.deepcopy(RAW[name])
    parent_at(raw, path)[path[-1]] = value
    text = told(raw)
    assert text is None or (len(text.splitlines()) <= 45 and max(map(len, text.splitlines())) < 500)


@settings(max_examples=150, deadline=None)
@given(place=st.sampled_from(PLACES), key=leaves, value=values)
def test_any_key_at_any_place(place, key, value):
    name, path = place
    raw = copy.deepcopy(RAW[name])
    section = parent_at(raw, (*path, None))
    if isinstance(section, dict):
        section[key] = value
        text = told(raw)
        assert text is None or len(text.splitlines()) <= 45


@pytest.mark.parametrize("name", FILES)
def test_every_key_is_needed_or_has_a_default(name):
    """Without any one key the study loads, or the message names that key or what needs it."""
    for path in places(RAW[name]):
        raw = copy.deepcopy(RAW[name])
        if path and isinstance(parent_at(raw, path), dict):
            del parent_at(raw, path)[path[-1]]
            text = told(raw)
            assert text is None or "mistake" in text.splitlines()[0]
