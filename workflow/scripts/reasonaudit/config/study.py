"""The whole configuration of one study, and the plain facts that rules ask of it."""

from reasonaudit.config.audit import Bias, Injection, Judge, Probe, Selection, StepLabels
from reasonaudit.config.dataset import Dataset
from reasonaudit.config.grading import Grading
from reasonaudit.config.imports import Import
from reasonaudit.config.method import POOL_METHOD, Method, Prompts, Sampling
from reasonaudit.config.model import Model
from reasonaudit.config.section import Name, Names, Section, key
from reasonaudit.config.statistics import Statistics


class Study(Section):
    """A study: results go to results/<study>/."""

    study: Name = key(decides="place", text="Name of the study; results go to results/<study>/.")
    seed: int = key(1234, decides="text", text="Seed of the draw and of every call.", ge=0, lt=2**63)
    shard_size: int = key(
        50,
        decides="schedule",
        text="Questions a generation job: the unit of work, of resuming, and of cluster jobs "
        "(aim at 10-60 minutes each).",
        ge=1,
    )
    models: dict[Name, Model] = key(
        decides="text", text="The models, by name; {} where only graders are tested or logs are imported."
    )
    datasets: dict[Name, Dataset] = key(decides="questions", text="The data sets, by name.", min_length=1)
    methods: list[Method] = key(
        [Method(name=POOL_METHOD)],
        decides="questions",
        text="The methods: a name, or a name with settings.",
        min_length=1,
    )
    sampling: Sampling = key(Sampling(), decides="text", text="How replies are drawn.")
    prompts: Prompts = key(Prompts(), decides="text", text="How questions are put.")
    grading: Grading = key(Grading(), decides="grading", text="How stored text is read.")
    verifiers: Names = key(
        [
            "exact",
            "numeric",
            "hybrid",
            "trusted",
            "math_verify",
            "strict_label",
            "flexible_number",
            "paper",
        ],
        decides="grading",
        text="The verifiers whose verdicts are stored (the one that decides is always among them).",
    )
    judges: dict[Name, Judge] = key({}, decides="text", text="The judges, by name.")
    injection: Injection | None = key(
        None, decides="text", text="Errors put into correct solutions; null injects none."
    )
    step_labels: dict[Name, StepLabels] = key(
        {}, decides="questions", text="Chains with human step labels, by name; judges name those they read."
    )
    selection: Selection | None = key(
        None, decides="analysis", text="Choosing with the support of sibling languages; null leaves it out."
    )
    bias: Bias | None = key(None, decides="analysis", text="Verifier language bias; null leaves it out.")
    interface_probes: dict[Name, Probe] = key(
        {},
        decides="analysis",
        text="Comparisons of an ordinary answer prompt with a plain-number one, by name.",
    )
    statistics: Statistics = key(Statistics(), decides="analysis", text="Intervals and tests.")
    imports: dict[Name, Import] = key({}, decides="text", text="Generations made elsewhere, by name.")

    @property
    def solvers(self) -> list[str]:
        """Models that methods use, in the order of the file."""
        return [name for name, model in self.models.items() if model.solver]

    def method(self, name: str) -> Method:
        """The entry of a method by its name."""
        return next(entry for entry in self.methods if entry.name == name)

    def cells(self) -> list[tuple[str, str, str]]:
        """Every (model, dataset, method) that is generated, in the order of the file."""
        return [
            (model, dataset, entry.name)
            for model in self.solvers
            for dataset in self.datasets
            for entry in self.methods
            if model in (entry.models or self.models) and dataset in (entry.datasets or self.datasets)
        ]

    def judged_cells(self, judge: str) -> list[tuple[str, str, str]]:
        """The cells whose samples a judge reads."""
        judged = self.judges[judge].judged
        return [
            cell
            for cell in self.cells()
            if cell[0] in (judged.models or self.models)
            and cell[1] in (judged.datasets or self.datasets)
            and cell[2] in judged.methods
        ]

    def shards(self, dataset: str) -> dict[str, tuple[int, int]]:
        """Shard name -> draw indices [start, stop). More questions add shards and keep full ones."""
        count = self.datasets[dataset].count
        return {
            f"{index:05d}": (start, min(start + self.shard_size, count))
            for index, start in enumerate(range(0, count, self.shard_size))
        }

    def max_tokens(self, model: str, method: str) -> int:
        """Limit of generated tokens a call: the method's, else the model's, else that of sampling."""
        return self.method(method).max_tokens or self.models[model].max_tokens or self.sampling.max_tokens

    def families(self) -> dict[str, list[str]]:
        """Family -> methods whose tests are corrected together in a setting; the baseline is in none."""
        families: dict[str, list[str]] = {}
        for entry in self.methods:
            if entry.module != POOL_METHOD:
                families.setdefault(entry.reported()["family"], []).append(entry.name)
        return families

    def parallel_groups(self) -> dict[str, list[str]]:
        """Group name -> data sets that hold the same problems in several languages."""
        groups: dict[str, list[str]] = {}
        for name, dataset in self.datasets.items():
            if dataset.parallel is not None:
                groups.setdefault(dataset.parallel, []).append(name)
        return groups

    def stored_verifiers(self) -> list[str]:
        """The verifiers whose verdicts are stored, the deciding one first."""
        return list(dict.fromkeys([self.grading.verifier, *self.verifiers]))

    def comparisons(self) -> int:
        """Tests of one cost basis over all settings: methods against the pool."""
        return sum(self.method(method).module != POOL_METHOD for _, _, method in self.cells())
