# What the rules of study 2 ask: which samples which judge reads, and with which settings.

from reasonaudit.audit.judge_prompts import judge_prompt_file
from reasonaudit.config.dataset import LANGUAGES


wildcard_constraints:
    labelled=one_of(STUDY.step_labels),
    part=r"\d{5}",


# Chains of a labelled file a job: every LABELLED_PARTS-th, since their number is not known beforehand.
LABELLED_PARTS = 8
JUDGED = {judge: STUDY.judged_cells(judge) for judge in STUDY.judges}
JUDGED_CELLS = [cell for cell in CELLS if any(cell in cells for cells in JUDGED.values())]
INJECTED_CELLS = [
    cell
    for cell in JUDGED_CELLS
    if STUDY.injection and any(STUDY.judges[j].injected and cell in cells for j, cells in JUDGED.items())
]
CONDITIONS = list(STUDY.injection.conditions) if STUDY.injection else []
LABELLED = [(judge, name) for judge, given in STUDY.judges.items() for name in given.step_labels]
COT_PASS = {
    "strategy": "majority",
    "k": None,
    "language_threshold": 0.8,
    "judgements_per_judge": 300,
}
if given := getattr(STUDY, "cot_pass", None):
    COT_PASS |= given.model_dump(mode="json")
JUDGES_GIVEN = {
    name: {
        "votes": judge.votes,
        "natural": judge.natural,
        "injected": judge.injected and STUDY.injection is not None,
        "max_samples": judge.max_samples,
        "judged": judge.judged.model_dump(mode="json"),
    }
    for name, judge in STUDY.judges.items()
}
DATASETS_GIVEN = {
    name: {
        "language": dataset.language,
        "parallel": dataset.parallel,
        "origin": getattr(dataset, "origin", None),
    }
    for name, dataset in STUDY.datasets.items()
}
SOLVERS_GIVEN = {
    model: {
        "generation": STUDY.models[model].generation,
        "mode": STUDY.models[model].mode,
        "checkpoint": STUDY.models[model].checkpoint,
        "max_tokens": STUDY.max_tokens(model, next(cell[2] for cell in JUDGED_CELLS if cell[0] == model)),
    }
    for model in dict.fromkeys(cell[0] for cell in JUDGED_CELLS)
}


def judgement_files():
    """Judgements of every judge on every cell, and on labelled chains."""
    return [
        f"{RESULTS}/judgements/{judge}/{model}/{dataset}/{method}.parquet"
        for judge, cells in JUDGED.items()
        for model, dataset, method in cells
        if STUDY.judges[judge].natural or (model, dataset, method) in injected_by(judge)
    ] + [f"{RESULTS}/judgements/{judge}/step_labels/{name}.parquet" for judge, name in LABELLED]


def injected_by(judge):
    return [cell for cell in INJECTED_CELLS if STUDY.judges[judge].injected and cell in JUDGED[judge]]


def judge_call_files(judge, cell):
    model, dataset, method = cell
    folder = f"{RESULTS}/judge_calls/{judge}/{model}/{dataset}/{method}"
    return [f"{folder}/{shard}.parquet" for shard in shard_names(dataset)]


def judge_calls_of_cell(wildcards):
    return judge_call_files(wildcards.judge, (wildcards.model, wildcards.dataset, wildcards.method))


def natural_judge_calls(wildcards):
    """Calls of all judges on one cell, of which languages are identified."""
    cell = (wildcards.model, wildcards.dataset, wildcards.method)
    return [
        path
        for judge, cells in JUDGED.items()
        if cell in cells and STUDY.judges[judge].natural
        for path in judge_call_files(judge, cell)
    ]


def calls_of_shard(wildcards):
    cell = f"{wildcards.model}/{wildcards.dataset}/{wildcards.method}"
    return f"{RESULTS}/calls/{cell}/{wildcards.shard}.parquet"


def file_of_injected_cell(table):
    """The cell's injections or panel where this judge reads them."""

    def path(wildcards):
        cell = (wildcards.model, wildcards.dataset, wildcards.method)
        return cell_files(table, [cell])[0] if cell in injected_by(wildcards.judge) else []

    return path


def judge_identity(wildcards):
    """What of a judge's model decides text; its own template switches win."""
    switches = STUDY.judges[wildcards.judge].chat_template_kwargs
    identity = identity_of_model(wildcards)
    return identity | {"chat_template_kwargs": identity["chat_template_kwargs"] | switches}


def judge_settings(wildcards):
    judge = STUDY.judges[wildcards.judge]
    names = (
        "votes",
        "temperature",
        "top_p",
        "max_tokens",
        "natural",
        "max_samples",
        "judged_text",
    )
    part = getattr(wildcards, "part", None)
    return {name: getattr(judge, name) for name in names} | (
        {"part": [int(part), LABELLED_PARTS]} if part else {}
    )


def judge_prompts(wildcards):
    """The judge's prompt for the language of the problems, and the digest of its text."""
    labelled = getattr(wildcards, "labelled", None)
    section = STUDY.step_labels[labelled] if labelled else STUDY.datasets[wildcards.dataset]
    step, path = judge_prompt_file(
        STUDY.prompts.folder,
        section.language,
        STUDY.judges[wildcards.judge].prompt_language,
    )
    name = LANGUAGES[section.language]
    return {
        section.language: {
            "step": step,
            "path": str(path),
            "language_name": name,
            "sha256": sha256_file(path),
        }
    }


def labelled_file(wildcards):
    return data_file(STUDY.step_labels[wildcards.labelled])


def labelled_given(wildcards):
    section = STUDY.step_labels[wildcards.labelled]
    return {"language": section.language, "n_questions": section.n_questions}


def injection_given(wildcards):
    return STUDY.injection.model_dump(mode="json") if STUDY.injection else {}


def answer_range_of(wildcards):
    return STUDY.datasets[wildcards.dataset].answer_range
