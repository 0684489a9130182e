"""What an edit runs again: exactly the jobs whose results it can change, and no other."""

import os
import time
from collections import Counter
from contextlib import ExitStack

import pytest

from workflow.working_copy import TARGETS, WorkingCopy

pytestmark = pytest.mark.workflow

EN, JA, MODEL = "arithmetic-en", "arithmetic-ja", "smollm2-135m"
CELLS = [(EN, "self_consistency"), (EN, "chain_of_thought"), (EN, "best_of_n"), (JA, "self_consistency")]
ENGLISH = [cell for cell in CELLS if cell[0] == EN]
# Rules that come before the answers; all others are analyses, exports and figures.
BEFORE = {
    "fetch_model",
    "probe_model",
    "sample_questions",
    "generate_calls",
    "grade_answers",
    "grade_steps",
    "judge_samples",
    "parse_judgements",
}
SCRIPTS = "workflow/scripts/reasonaudit"

SUMMARY = ["write_summary"]
FIGURES = ["draw_cost_accuracy", "draw_comparisons"]
EXPORT = ["export_table comparisons"]


def samples(*datasets: str, shard: str = "00000") -> list[str]:
    return [f"sample_questions {dataset},{shard}" for dataset in datasets or (EN, JA)]


def generations(cells=CELLS, shard: str = "00000", model: str = MODEL) -> list[str]:
    return [f"generate_calls {model},{dataset},{method},{shard}" for dataset, method in cells]


def gradings(cells=CELLS, model: str = MODEL) -> list[str]:
    return [f"grade_answers {model},{dataset},{method}" for dataset, method in cells] + step_gradings(
        cells, model
    )


def step_gradings(cells=CELLS, model: str = MODEL) -> list[str]:
    stepwise = [cell for cell in cells if cell[1] != "self_consistency"]
    return [f"grade_steps {model},{dataset},{method}" for dataset, method in stepwise]


def judging(shard: str = "00000") -> list[str]:
    return [f"judge_samples smollm2-judge,{MODEL},{EN},self_consistency,{shard}"]


VERDICTS = [f"parse_judgements smollm2-judge,{MODEL},{EN},self_consistency"]


@pytest.fixture(scope="module")
def copy(finished) -> WorkingCopy:
    return finished


@pytest.fixture(scope="module")
def analyses(finished, tmp_path_factory) -> list[str]:
    """All jobs after the answers, as a study without results plans them."""
    fresh = WorkingCopy(tmp_path_factory.mktemp("fresh") / "repository")
    jobs = fresh.planned(*TARGETS)
    assert {job.split()[0] for job in jobs} > BEFORE - {"fetch_model"}
    return [job for job in jobs if job.split()[0] not in BEFORE]


def planned(copy: WorkingCopy, *edits: tuple[str, str, str]) -> Counter:
    """Jobs after edits (file, old text, new text), which are undone again."""
    with ExitStack() as undone:
        for edit in edits:
            undone.enter_context(copy.edited(*edit))
        return copy.planned(*TARGETS)


def config(old: str, new: str) -> tuple[str, str, str]:
    return "mini.yaml", old, new


def test_a_second_run_does_nothing(copy):
    assert copy.planned(*TARGETS) == Counter()


# What changes no result.
NOTHING = {
    "a comment": (
        f"{SCRIPTS}/generation.py",
        '"""Write the calls table',
        '# Why.\n    """Write the calls table',
    ),
    "a docstring": (f"{SCRIPTS}/answers/voting.py", '"""Votes over', '"""About votes over'),
    "a docstring of a script": ("workflow/scripts/generate_calls.py", '"""One shard', '"""A shard'),
    "rows decoded together": config("n_parallel: 8", "n_parallel: 16"),
    "threads": config("threads: 2", "threads: 1"),
    "layers on a GPU": config("threads: 2", "threads: 2\n    gpu_layers: 0"),
    "a method that is not used": (f"{SCRIPTS}/methods/debate.py", "majority of the last", "vote of the last"),
    "a module nobody here imports": (f"{SCRIPTS}/methods/debate.py", '"agents": 3', '"agents": 4'),
    "the prompt of another method": ("resources/prompts/en/debate.txt", "\n", "\nThink.\n"),
    "another language's prompt": ("resources/prompts/zh/solve.txt", "{question}", "\n{question}"),
}


@pytest.mark.parametrize("edit", NOTHING)
def test_edits_that_run_nothing(copy, edit):
    name, old, new = NOTHING[edit]
    text = (copy.folder / name).read_text(encoding="utf-8")
    if text.count(old) > 1:  # the first place is enough
        old, new = text[: text.index(old) + len(old)], text[: text.index(old)] + new
    assert planned(copy, (name, old, new)) == Counter()


def test_touching_files_runs_nothing(copy):
    touched = [
        *copy.folder.glob("workflow/scripts/*.py"),
        *copy.folder.glob("workflow/scripts/reasonaudit/**/*.py"),
        *copy.folder.glob("resources/models/*.gguf"),
        *copy.folder.glob("resources/prompts/*/*.txt"),
        copy.folder / "resources" / "questions" / "arithmetic.jsonl",
    ]
    before = {path: path.stat() for path in touched}
    now = time.time()
    try:
        for path in touched:
            os.utime(path, (now, now))
        assert copy.planned(*TARGETS) == Counter()
    finally:
        for path, status in before.items():
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_a_grader_rule_runs_grading_and_what_follows(copy, analyses):
    edit = (f"{SCRIPTS}/verifiers/numeric.py", "Fraction(1, 10**6)", "Fraction(1, 10**5)")
    assert planned(copy, edit) == Counter([*gradings(), *judging(), *VERDICTS, *analyses])


def test_the_vote_runs_no_generation(copy, analyses):
    edit = (f"{SCRIPTS}/answers/voting.py", "winner = tied[0]", "winner = tied[-1]")
    assert planned(copy, edit) == Counter([*gradings(), *judging(), *VERDICTS, *analyses])


def test_a_prompt_runs_its_method_alone(copy, analyses):
    edit = ("resources/prompts/en/pick.txt", "Problem:", "The problem:")
    cells = [(EN, "best_of_n")]
    assert planned(copy, edit) == Counter([*generations(cells), *gradings(cells), *analyses])


def test_a_method_runs_itself_alone(copy, analyses):
    edit = (f"{SCRIPTS}/methods/best_of_n.py", "seed_offset=n,", "seed_offset=n + 1,")
    cells = [(EN, "best_of_n")]
    assert planned(copy, edit) == Counter([*generations(cells), *gradings(cells), *analyses])


def test_a_judge_s_votes_run_the_judge(copy):
    assert planned(copy, config("votes: 1", "votes: 2")) == Counter([*judging(), *VERDICTS])


def test_a_judge_s_reading_runs_no_model(copy):
    edit = (f"{SCRIPTS}/audit/verdict_parsing.py", "import re\n", "import re\n\nREAD_ANEW = True\n")
    assert planned(copy, edit) == Counter(VERDICTS)


def test_a_bootstrap_setting_runs_the_statistics(copy, analyses):
    # All analyses of study 1 are given the section on statistics.
    assert planned(copy, config("resamples: 1000", "resamples: 1500")) == Counter(analyses)


def test_going_on_without_prompts_that_do_not_fit_runs_no_model(copy, analyses):
    edit = config("resamples: 1000", "resamples: 1000, allow_context_errors: true")
    assert planned(copy, edit) == Counter(analyses)


def test_a_figure_s_colour_runs_the_figure(copy):
    name = f"{SCRIPTS}/figures/cost_accuracy.py"
    edit = (name, 'blue = PALETTE["blue"]', 'blue = PALETTE["black"]')
    assert planned(copy, edit) == Counter(["draw_cost_accuracy"])


def test_the_style_runs_all_figures(copy):
    edit = (f"{SCRIPTS}/figures/style.py", "import matplotlib", "EDITED = True\nimport matplotlib")
    text = (copy.folder / edit[0]).read_text(encoding="utf-8")
    start = text.index(edit[1])
    whole = (edit[0], text[: start + len(edit[1])], text[:start] + edit[2])
    assert planned(copy, whole) == Counter(FIGURES)


def test_a_module_that_one_rule_imports(copy):
    name = f"{SCRIPTS}/analysis/tabulate_mechanisms.py"
    imports = "from collections.abc import"
    edit = (name, imports, f"import math\n{imports}")
    assert planned(copy, edit) == Counter(["tabulate_mechanisms", *SUMMARY])


def test_the_summary_s_words_run_the_summary(copy):
    name = f"{SCRIPTS}/analysis/summary.py"
    text = (copy.folder / name).read_text(encoding="utf-8")
    assert planned(copy, (name, text, text + "\nEDITED = True\n")) == Counter(SUMMARY)


def test_a_label_draws_again(copy):
    assert planned(copy, config("label: SmolLM2-135M", "label: Small")) == Counter([*SUMMARY, *FIGURES])


def test_more_questions_run_only_the_new_shard(copy, analyses):
    old = "language: en\n    n_questions: 3"
    expected = [
        *samples(EN, shard="00001"),
        *generations(ENGLISH, shard="00001"),
        # A cell's answers are one table, made from all its shards.
        *gradings(ENGLISH),
        # Judges read samples with right answers, so a new answers table is read again.
        *judging(),
        *judging("00001"),
        *VERDICTS,
        *analyses,
    ]
    assert planned(copy, config(old, old.replace("3", "6"))) == Counter(expected)


def test_fewer_questions_generate_nothing(copy, analyses):
    """A study cut down to a part of its data sets runs no model again."""
    edit = config("  - chain_of_thought: {datasets: [arithmetic-en]}\n", "")
    gone = {"grade_steps smollm2-135m,arithmetic-en,chain_of_thought"}
    jobs = planned(copy, edit)
    assert not [job for job in jobs if job.split()[0] in BEFORE]
    assert jobs == Counter([job for job in analyses if job not in gone])


def test_a_larger_pool_runs_the_methods_that_read_it(copy, analyses):
    """The pool size is a setting of generation; texts of the smaller pool come out the same."""
    jobs = planned(copy, config("pool_size: 4", "pool_size: 6"))
    pools = [(EN, "self_consistency"), (JA, "self_consistency")]
    assert jobs == Counter([*generations(pools), *gradings(pools), *judging(), *VERDICTS, *analyses])


def test_another_size_of_shards_is_another_cut(copy, analyses):
    """Files are shards: the first one now holds other questions, the rest is new."""
    jobs = planned(copy, config("shard_size: 3", "shard_size: 2"))
    expected = [
        *samples(),
        *samples(shard="00001"),
        *generations(),
        *generations(shard="00001"),
        *gradings(),
        *judging(),
        *judging("00001"),
        *VERDICTS,
        *analyses,
    ]
    assert jobs == Counter(expected)


def test_one_more_model_runs_that_model(copy, analyses):
    text = (copy.folder / "mini.yaml").read_text(encoding="utf-8")
    entry = text[text.index("  smollm2-135m:") : text.index("\ndatasets:")]
    more = entry + entry.replace("  smollm2-135m:", "  again:").replace("2048", "1024").replace(
        "label: SmolLM2-135M", "label: Again"
    )
    jobs = planned(copy, config(entry, more))
    expected = [
        "probe_model again",
        *generations(model="again"),
        *gradings(model="again"),
        *analyses,
    ]
    assert jobs == Counter(expected)


def test_a_removed_result_is_made_again_and_is_the_same(copy):
    table = copy.results / "tables" / "comparisons.csv"
    before = table.read_bytes()
    table.unlink()
    copy.run(*TARGETS)
    assert table.read_bytes() == before
    assert copy.planned(*TARGETS) == Counter()
