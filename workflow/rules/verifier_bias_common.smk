# What the rules of study 3 ask: which cells are audited, and with which settings.

PROBLEM_SETS = STUDY.parallel_groups()
BATTERY_FOLDER = Path("resources/verifier_suite/battery")
if REPOSITORY != Path.cwd():
    BATTERY_FOLDER = REPOSITORY / BATTERY_FOLDER
BATTERY = sorted(str(path) for path in BATTERY_FOLDER.glob("*.jsonl"))
# The grading verifier is the trusted reward; all others that are stored are under audit.
UNDER_AUDIT = [name for name in GRADING["verifiers"] if name != GRADING["verifier"]]


def set_cells(method):
    """Cells of a method over the data sets of all problem sets."""
    members = {name for names in PROBLEM_SETS.values() for name in names}
    return [cell for cell in CELLS if cell[1] in members and cell[2] == method]


def answered_sets(method):
    """Problem sets whose data sets the method answers, name -> data sets."""
    answered = {cell[1] for cell in set_cells(method)}
    found = {name: [one for one in names if one in answered] for name, names in PROBLEM_SETS.items()}
    return {name: names for name, names in found.items() if len(names) > 1}


def probe_cells():
    """Cells of both sides of every interface probe."""
    wanted = {
        (dataset, side.method)
        for probe in STUDY.interface_probes.values()
        for side in (probe.ordinary, probe.plain_numeric)
        for dataset in side.datasets
    }
    return [cell for cell in CELLS if cell[1:] in wanted]


def questions_of_cells(cells):
    return [
        f"{RESULTS}/questions/{dataset}/{shard}.parquet"
        for dataset in STUDY.datasets
        if any(cell[1] == dataset for cell in cells)
        for shard in STUDY.shards(dataset)
    ]


AUDITED = set_cells(STUDY.bias.method) if STUDY.bias else []
SELECTED = set_cells(STUDY.selection.method) if STUDY.selection else []
PROBED = probe_cells()
AUDIT = {
    "problem_sets": answered_sets(STUDY.bias.method) if STUDY.bias else {},
    "method": STUDY.bias.method if STUDY.bias else None,
    "verifiers": UNDER_AUDIT,
    "trusted": GRADING["verifier"],
}
ERROR_SETTINGS = {"seed": STUDY.seed, "confidence": STUDY.statistics.confidence}
if STUDY.bias:
    ERROR_SETTINGS |= {
        name: getattr(STUDY.bias, name) for name in ("resamples", "permutations", "flag_fnr", "flag_vlb")
    }


def selection_settings():
    given = STUDY.selection
    if given is None:
        return {}
    return {
        "seed": STUDY.seed,
        "confidence": STUDY.statistics.confidence,
        "resamples": STUDY.bias.resamples if STUDY.bias else 4000,
        "alphas": given.alpha,
        "reported_alpha": given.reported_alpha,
        "support": given.support,
        "conservative_min_siblings": None if given.min_siblings == "all" else given.min_siblings,
        "reference_language": given.reference_language,
    }
