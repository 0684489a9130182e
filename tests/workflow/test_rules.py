"""What holds of all rules: digests, lint, cores, and that studies are kept apart."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from workflow.working_copy import WorkingCopy

pytestmark = pytest.mark.workflow


@pytest.fixture(scope="module")
def fresh(tmp_path_factory) -> WorkingCopy:
    """A copy in which nothing has been run."""
    return WorkingCopy(tmp_path_factory.mktemp("fresh") / "repository")


def script_rules(folder: Path):
    """(rule, its script, the script whose digest its params hold), through functions where need be."""
    everywhere = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.smk")))
    for block in re.split(r"^(?= *rule\b.*:$)", everywhere, flags=re.M)[1:]:
        script = re.search(r'^ +script:\s+"\.\./scripts/([\w.]+)"', block, flags=re.M)
        if not script:
            continue
        params = re.search(r"^( +)params:\n((?:\1    .*\n)+)", block, flags=re.M)
        pinned = params and re.search(r'code_digest\(\s*"([\w.]+)"', params[2])
        if params and not pinned:
            name = re.search(r"^ +(?:code|digest)=(\w+),", params[2], flags=re.M)
            function = name and re.search(rf"^def {name[1]}\(.*?(?=^\S|\Z)", everywhere, flags=re.M | re.S)
            pinned = function and re.search(r'code_digest\(\s*"([\w.]+)"', function[0])
        yield re.match(r" *rule ?(\w*)", block)[1], script[1], pinned and pinned[1]


def test_every_script_rule_pins_the_digest_of_its_own_script(repository):
    found = list(script_rules(repository / "workflow" / "rules"))
    assert len(found) > 30
    assert [(rule, script) for rule, script, pinned in found if pinned != script] == []
    scripts = {path.name for path in (repository / "workflow" / "scripts").glob("*.py")}
    assert {script for _, script, _ in found} == scripts, "a script without a rule, or the reverse"


def test_no_rule_holds_a_lambda(repository):
    for path in (repository / "workflow" / "rules").glob("*.smk"):
        assert "lambda" not in path.read_text(encoding="utf-8"), path.name


def test_lint_is_clean(fresh):
    assert "Congratulations" in fresh.snakemake("--lint").stdout


def test_model_jobs_have_time_memory_and_threads(fresh):
    output = fresh.snakemake("-n").stdout
    jobs = re.findall(
        r"^(?:local)?rule (generate_calls|judge_samples|probe_model):\n((?: {4}.*\n)+)", output, re.M
    )
    assert {name for name, _ in jobs} == {"generate_calls", "judge_samples", "probe_model"}
    for name, text in jobs:
        assert re.search(r"runtime=\d\d", text), name
        assert int(re.search(r"mem_mb=(\d+)", text)[1]) > 1000, name


def test_cores_are_those_of_the_machine(fresh):
    """--cores 64 on a smaller machine: no more is granted to all jobs together than there is."""
    cores = len(os.sched_getaffinity(0))
    text = fresh.config.read_text(encoding="utf-8")
    many = fresh.folder / "many.yaml"
    many.write_text(text.replace("threads: 2", "threads: 1024"), encoding="utf-8")
    output = fresh.snakemake("-n", "--cores", "4096", config=many).stdout
    granted = {int(number) for number in re.findall(r"^    threads: (\d+)$", output, re.M)}
    assert max(granted, default=1) == min(cores, 1024)


def test_a_study_inherits_nothing_from_the_demo(fresh):
    """Snakemake merges configuration files deeply; the demo is none of them where another is given."""
    output = fresh.snakemake("-n").stdout
    assert "arithmetic-zh" not in output
    assert "results/demo" not in output
    assert "results/mini" in output


def test_the_demo_is_read_where_no_study_is_given(fresh):
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "-n"],
        cwd=fresh.folder,
        env=fresh.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "results/demo/calls/" in done.stdout


@pytest.mark.parametrize("study", ["equal_cost", "cot_pass", "verifier_bias", "grader_validation"])
def test_the_papers_studies_plan(fresh, study):
    output = fresh.snakemake(
        "-n", "--quiet", "rules", config=fresh.folder / f"config/studies/{study}.yaml"
    ).stdout
    assert re.search(r"^total\s+\d+", output, re.M)


def test_estimate_needs_no_model(finished):
    """Before a run it is a plan, after a run the spent tokens stand beside it."""
    for model in (finished.folder / "resources" / "models").glob("*.gguf"):
        model.rename(model.with_suffix(".away"))
    try:
        output = finished.run("estimate", "--quiet", "rules")
    finally:
        for model in (finished.folder / "resources" / "models").glob("*.away"):
            model.rename(model.with_suffix(".gguf"))
    row = next(line for line in output.splitlines() if "arithmetic-en" in line and "best_of_n" in line)
    cells = [cell.strip() for cell in row.strip("| ").split("|")]
    assert cells[3] == "9"  # 3 questions x (2 candidates + 1 pick), planned
    assert cells[9] == "9"  # and made
    assert (finished.results / "estimate.csv").is_file()


def test_results_follow_from_the_stored_calls(finished):
    """`verify` derives everything a second time in an empty folder, without a model."""
    output = finished.run("verify")
    assert re.search(r"verified: \d+ files follow from the stored calls", output)
    table = finished.results / "tables" / "comparisons.csv"
    text = table.read_text(encoding="utf-8")
    table.write_text(text.replace("best_of_n", "best_of_m"), encoding="utf-8")
    try:
        output = finished.run("verify", check=False)
    finally:
        table.write_text(text, encoding="utf-8")
    assert "tables/comparisons.csv: other bytes" in output
