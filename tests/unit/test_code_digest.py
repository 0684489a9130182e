"""Digests of code: what changes them and what does not."""

import shutil
from pathlib import Path

import pytest

import reasonaudit.provenance as provenance


@pytest.fixture
def scripts(tmp_path, monkeypatch) -> Path:
    """A small project: script -> package.middle -> package.base; package.other is not imported."""
    package = tmp_path / "reasonaudit"
    (package / "sub").mkdir(parents=True)
    (package / "__init__.py").write_text('"""Doc."""\n')
    (package / "sub" / "__init__.py").write_text("")
    (package / "base.py").write_text(
        '"""Base."""\n\nLIMIT = 3\n\n\ndef f(x):\n    """Doc."""\n    return x\n'
    )
    (package / "sub" / "middle.py").write_text(
        "from reasonaudit.base import f\n\n\nclass C:\n    '''Doc.'''\n    g = f\n"
    )
    (package / "other.py").write_text("VALUE = 1\n")
    (tmp_path / "run.py").write_text("import json\nfrom reasonaudit.sub import middle\n\nprint(middle.C)\n")
    monkeypatch.setattr(provenance, "SCRIPTS", tmp_path)
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    provenance._digest.cache_clear()
    provenance._parsed.cache_clear()


def digest(modules=()) -> str:
    forget()
    return provenance.code_digest("run.py", modules=modules)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("reasonaudit/base.py", "LIMIT = 3", "# Why three.\nLIMIT  =  3  # at most"),
        ("reasonaudit/base.py", '"""Base."""', '"""The base.\n\nOf all.\n"""'),
        ("reasonaudit/base.py", '    """Doc."""\n', ""),
        ("reasonaudit/sub/middle.py", "'''Doc.'''", '"""Another."""'),
        ("reasonaudit/sub/middle.py", "class C:\n    '''Doc.'''\n", "class C:\n"),
        ("reasonaudit/__init__.py", "Doc.", "Another."),
        ("reasonaudit/other.py", "VALUE = 1", "VALUE = 2"),
        ("run.py", "print(middle.C)", "print( middle.C )"),
    ],
)
def test_what_means_the_same_has_the_same_digest(scripts, name, old, new):
    before = digest()
    edit(scripts / name, old, new)
    assert digest() == before


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("reasonaudit/base.py", "LIMIT = 3", "LIMIT = 4"),
        ("reasonaudit/base.py", "return x", "return -x"),
        ("reasonaudit/sub/middle.py", "g = f", "g = None"),
        ("reasonaudit/sub/__init__.py", "", "HERE = True\n"),
        ("run.py", "print(middle.C)", "print(middle)"),
        ("run.py", "import json\n", "import json\nimport reasonaudit.other\n"),
        ("reasonaudit/base.py", "def f(x):", "@cache\ndef f(x):"),
    ],
)
def test_what_means_something_else_has_another(scripts, name, old, new):
    before = digest()
    edit(scripts / name, old, new)
    assert digest() != before


def test_a_string_that_is_not_a_docstring_counts(scripts):
    edit(scripts / "reasonaudit/base.py", "return x", 'return "a"')
    before = digest()
    edit(scripts / "reasonaudit/base.py", 'return "a"', 'return "b"')
    assert digest() != before


def test_modules_that_are_loaded_by_name_are_given(scripts):
    with_other = digest(["reasonaudit.other"])
    assert with_other != digest()
    edit(scripts / "reasonaudit/other.py", "VALUE = 1", "VALUE = 2")
    assert digest(["reasonaudit.other"]) != with_other


def test_a_renamed_module_is_another_program(scripts):
    before = digest()
    shutil.move(scripts / "reasonaudit/base.py", scripts / "reasonaudit/ground.py")
    edit(scripts / "reasonaudit/sub/middle.py", "reasonaudit.base", "reasonaudit.ground")
    assert digest() != before


def test_a_module_that_does_not_exist(scripts):
    with pytest.raises(FileNotFoundError, match=r"reasonaudit\.none"):
        digest(["reasonaudit.none"])


def test_generation_depends_on_no_grader_and_no_figure():
    """A change of grading, analysis or figures must run no solver again."""
    seen, pending = set(), [provenance.SCRIPTS / "generate_calls.py"]
    while pending:
        path = pending.pop()
        if path not in seen:
            seen.add(path)
            pending.extend(provenance._parsed(path)[1])
    folders = {
        path.relative_to(provenance.SCRIPTS).parts[1] for path in seen if path.parent != provenance.SCRIPTS
    }
    assert folders.isdisjoint({"answers", "verifiers", "analysis", "figures", "audit", "estimate", "config"})
    assert "engine" in folders


def test_library_versions_leave_out_what_is_not_installed():
    found = provenance.library_versions(["pytest", "no-such-distribution"])
    assert found == {"pytest": pytest.__version__}
