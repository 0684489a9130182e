"""What the tables of the equal-cost study say, one function a section of the summary.

No sentence claims more than an interval allows: what is not distinguishable from the baseline is said to be
so, with what the interval still permits, and never said to be equal.
"""

from collections.abc import Mapping

import pandas as pd

from reasonaudit.analysis.comparisons import P_DISAGREEMENT
from reasonaudit.analysis.matching import BELOW_ONE
from reasonaudit.analysis.phrases import count, extent, interval, label, listed, p_value, percent, points
from reasonaudit.tables.group_effects import ALL_DATASETS

FEW_QUESTIONS = 30
_CAUTION = (
    f"**With fewer than {FEW_QUESTIONS} questions none of this is a finding.** The percentile bootstrap "
    "rejects too often in such small samples, and the paired t test beside it (p_t) is the safer reading. "
    "Take the numbers as a sign that everything runs."
)


class Page:
    """The tables of a study (name -> frame), and how its methods, models and data sets are called."""

    def __init__(
        self,
        tables: Mapping[str, pd.DataFrame],
        methods: Mapping[str, Mapping],
        models: Mapping[str, Mapping],
        datasets: Mapping[str, Mapping],
        statistics: Mapping,
    ):
        self.tables, self.statistics = tables, statistics
        self.methods, self.models, self.datasets = methods, models, datasets
        frame = tables["comparisons"]
        self.all_bases = frame[frame["matching"] == "fixed"]
        self.fixed = self.all_bases[self.all_bases["cost_basis"] == "generated"]
        self.compared = self.fixed[self.fixed["verdict"] != "not_compared"]

    def method(self, row: Mapping) -> str:
        return label(row["method"], self.methods)

    def setting(self, row: Mapping) -> str:
        return f"{label(row['model'], self.models)} on {label(row['dataset'], self.datasets)}"

    def cell(self, row: Mapping) -> str:
        return f"{self.method(row)} ({self.setting(row)})"

    def effect(self, row: Mapping, name: str = "difference") -> str:
        span = interval(row["low"], row["high"], self.statistics["confidence"])
        return f"{points(row[name])} points ({span})"


def what_was_compared(page: Page) -> list[str]:
    """Methods, settings, questions, and the range of the baseline."""
    frame = page.fixed
    if frame.empty:
        return ["Nothing was compared: there is no pool of samples, or token counts are unknown."]
    settings = frame[["model", "dataset"]].drop_duplicates()
    curves = page.tables["curves"].query("estimator == 'exact'")
    sizes = listed([str(k) for k in sorted(set(curves.groupby(["model", "dataset"])["n"].max()))])
    fewest, most = frame["n_questions"].min(), frame["n_questions"].max()
    questions = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    methods, places = count(frame["method"].nunique(), "method"), count(len(settings), "setting")
    lines = [
        f"{methods} in {places} (a model on a data set), {questions} questions each, "
        f"{count(frame['runs'].max(), 'run')}. Each method is compared, question by question, with the "
        "majority of as many samples as cost the same number of generated tokens, taken from a pool of "
        f"{sizes}.",
        "",
    ]
    for row in settings.to_dict("records"):
        own = curves[(curves["model"] == row["model"]) & (curves["dataset"] == row["dataset"])]
        ends = own.sort_values("n").iloc[[0, -1]].to_dict("records")
        first, last = (f"{percent(end['accuracy'])} with {count(end['n'], 'sample')}" for end in ends)
        tokens = [f"{end['tokens']:.0f} tokens" for end in ends]
        lines.append(
            f"- {page.setting(row)}: repeated sampling goes from {first} ({tokens[0]}) to {last} "
            f"({tokens[1]})."
        )
    return lines


def verdicts(page: Page) -> list[str]:
    """How many comparisons are better, worse or open; each decided one; what the open ones permit."""
    frame = page.compared
    if frame.empty:
        return []
    n, tally = len(frame), frame["verdict"].value_counts()
    better, worse = int(tally.get("better", 0)), int(tally.get("worse", 0))
    negative, outside = (
        int((frame["difference"] < 0).sum()),
        int(((frame["low"] > 0) | (frame["high"] < 0)).sum()),
    )
    left = n - better - worse
    alpha = round(1 - page.statistics["confidence"], 12)
    everywhere = int((frame["p_holm_all"] < alpha).sum())
    lines = [
        f"Of {count(n, 'comparison')}, {better} {_are(better)} reliably better than repeated sampling at "
        f"equal cost, {worse} reliably worse, and {left} {_are(left)} not distinguishable from it "
        f"(Holm-corrected within each setting and family). {negative} of the {n} differences are negative; "
        f"{outside} uncorrected intervals exclude zero; {everywhere} would remain under a correction across "
        "all settings at once.",
        "",
    ]
    if frame["n_questions"].min() < FEW_QUESTIONS:
        lines = [_CAUTION, "", *(line.replace(" reliably", "") for line in lines)]
    decided = frame[frame["verdict"].isin(["better", "worse"])].sort_values(["verdict", "difference"])
    for row in decided.to_dict("records"):
        doubt = ""
        if P_DISAGREEMENT in str(row["flag"]):
            doubt = f" (the paired t test disagrees: corrected {p_value(row['p_t_holm_setting'])})"
        lines.append(
            f"- {page.cell(row)} is {row['verdict']}: {page.effect(row)}, corrected "
            f"{p_value(row['p_holm_setting'])}{doubt}."
        )
    undecided = frame[frame["verdict"] == "indistinguishable"]
    if len(undecided):
        reach = f"{points(undecided['low'].min())} to {points(undecided['high'].max())} points"
        lines += [
            *([""] if len(decided) else []),
            f"Not distinguishable does not mean equal: the intervals of the {len(undecided)} undecided "
            f"reach from {reach}, and nothing inside an interval is ruled out.",
        ]
    return lines + _not_compared(page) + _total_tokens(page)


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _not_compared(page: Page) -> list[str]:
    left = page.fixed[page.fixed["verdict"] == "not_compared"]
    if left.empty:
        return []
    names = listed([page.cell(row) for row in left.to_dict("records")])
    return ["", f"Not compared, because they cost more than the whole pool: {names}."]


def _total_tokens(page: Page) -> list[str]:
    total = page.all_bases[page.all_bases["cost_basis"] == "total"]
    if total.empty:
        return []
    tally = total["verdict"].value_counts()
    names = {
        "better": "better",
        "worse": "worse",
        "indistinguishable": "not distinguishable",
        "not_compared": "not compared because they cost more than the pool",
    }
    parts = [f"{tally.get(verdict, 0)} {words}" for verdict, words in names.items()]
    return ["", f"With prompt tokens counted as cost too: {listed(parts)}."]


def what_could_be_seen(page: Page) -> list[str]:
    """Detectable differences, and what the intervals leave out."""
    frame = page.compared[page.compared["standard_error"] > 0]
    if frame.empty:
        return []
    half, most, first = (extent(frame[f"detectable_{name}"]) for name in ("50", "80", "holm"))
    lines = [
        f"The standard error of a difference is {extent(frame['standard_error'])} (median "
        f"{100 * frame['standard_error'].median():.1f}). A true difference is found in half of all such "
        f"studies if it is {half}, in 80% of them if it is {most}, and in 80% at the first step of the Holm "
        f"correction if it is {first}. Smaller differences may exist in either direction."
    ]
    if frame["runs"].max() == 1:
        lines += [
            "",
            "Each method ran once: the intervals say how much other questions would change, not how much "
            "other random seeds would.",
        ]
    return lines


def groups(page: Page) -> list[str]:
    """The mean difference of each group of methods."""
    rows = page.tables["group_effects"].to_dict("records")
    if not rows:
        return []
    lines = [
        "The mean difference of each group, from one bootstrap of the questions of all its comparisons "
        "together (p not corrected):",
        "",
    ]
    for row in rows:
        everywhere = row["dataset"] == ALL_DATASETS
        where = "all data sets" if everywhere else label(row["dataset"], page.datasets)
        lines.append(
            f"- {row['group'].replace('_', ' ')}, {where}: {page.effect(row, 'effect')}, "
            f"{p_value(row['p'])}; {row['negative']} of {row['comparisons']} negative."
        )
    return lines


def judging(page: Page) -> list[str]:
    """The pick against the vote on the same samples."""
    lines = []
    for row in page.tables["pick_vs_count"].to_dict("records"):
        pick, vote, chance, best = (
            percent(row[f"{name}_accuracy"]) for name in ("judge", "count", "random", "oracle")
        )
        line = (
            f"- {page.cell(row)}: the pick is right on {pick}, counting the same samples on {vote}, a "
            f"random sample on {chance}, and some sample on {best}. Pick minus count: {page.effect(row)}. "
            f"They agree on {percent(row['agreement'])} of questions."
        )
        differing = row["judge_only"] + row["count_only"]
        if differing:
            line += (
                f" Where exactly one is right, it is the pick in {row['judge_only']} of {differing} cases."
            )
        lost = row["unreadable_picks"] + row["out_of_range_picks"]
        if lost:
            line += f" {count(lost, 'pick')} named no candidate, so the first one stood in."
        lines.append(line)
    return lines


def rewriting(page: Page) -> list[str]:
    """First to final answers of rewriting methods."""
    lines = []
    for row in page.tables["transitions"].to_dict("records"):
        first, final = percent(row["first_accuracy"]), percent(row["final_accuracy"])
        lines.append(
            f"- {page.cell(row)}: {row['wrong_to_right']} from wrong to right, {row['right_to_wrong']} from "
            f"right to wrong; {first} at first, {final} at last, {page.effect(row)}."
        )
    return lines


def warnings(page: Page) -> list[str]:
    """Methods that did not act, answers lost to truncation, disagreeing tests, dropped questions."""
    engaged = page.tables["engagement"]
    engaged = engaged[engaged["warning"].notna()]
    lines = [f"- {page.cell(row)} {row['warning']}." for row in engaged.to_dict("records")]
    for row in page.tables["pick_vs_count"].to_dict("records"):
        lost, asked = row["unreadable_picks"] + row["out_of_range_picks"], row["n_questions"] * row["runs"]
        if 2 * lost > asked:
            lines.append(
                f"- {page.cell(row)} named no candidate in {lost} of {asked} picks: what was measured is "
                "mostly its first sample, at the cost of all of them."
            )
    lines += _truncated(page)
    flagged = page.compared.assign(flag=page.compared["flag"].fillna("").astype(str).str.split(";"))
    for row in flagged.to_dict("records"):
        if P_DISAGREEMENT in row["flag"]:
            bootstrap, paired_t = p_value(row["p_holm_setting"]), p_value(row["p_t_holm_setting"])
            lines.append(
                f"- {page.cell(row)}: the bootstrap (corrected {bootstrap}) and the paired t test "
                f"(corrected {paired_t}) disagree."
            )
    cheap = [page.cell(row) for row in flagged.to_dict("records") if BELOW_ONE in row["flag"]]
    if cheap:
        lines.append(f"- Cheaper than one sample, and compared with one: {listed(cheap)}.")
    for (model, dataset), part in page.tables["dropped"].groupby(["model", "dataset"], sort=True):
        where = page.setting({"model": model, "dataset": dataset})
        lines.append(
            f"- {where}: {count(len(part), 'question')} left every method, because a prompt did not fit the "
            "context. Long questions are the hard ones, so what remains is easier."
        )
    return lines


def _truncated(page: Page) -> list[str]:
    cut = page.tables["unreadable"].query("truncated_unreadable > 0")
    lines = []
    for (model, dataset), part in cut.groupby(["model", "dataset"], sort=True):
        part = part.sort_values("truncated_unreadable", ascending=False, kind="stable")
        names = [
            f"{page.method(row)} {row['truncated_unreadable']} of {row['answers']} "
            f"({percent(row['truncated_unreadable'] / row['answers'])})"
            for row in part.to_dict("records")
        ]
        where = page.setting({"model": model, "dataset": dataset})
        lines.append(f"- {where}, answers lost because the reply was cut off by its limit: {listed(names)}.")
    return lines


def robustness(page: Page) -> list[str]:
    """How far differences move under other choices, and which verdicts flip."""
    frame = page.tables["robustness"]
    frame = frame[~frame["exploratory"] & frame["shift"].notna()]
    lines = []
    for variant, part in frame.groupby("variant", sort=True):
        flips = part[part["flips"].fillna(False).astype(bool)].to_dict("records")
        moved, fewest = 100 * part["shift"].abs(), part["n_questions"].min()
        names = [f"{page.cell(row)} from {row['base_verdict']} to {row['verdict']}" for row in flips]
        turned = (
            f"{len(flips)} of {len(part)} verdicts flip" if flips else f"none of {len(part)} verdicts flips"
        )
        lines.append(
            f"- {variant.replace('_', ' ')} (against {part['base'].iloc[0]}; {fewest} or more questions): "
            f"differences move by at most {moved.max():.1f} points (mean {moved.mean():.1f}); {turned}"
            + (f": {'; '.join(names)}." if names else ".")
        )
    if lines:
        lines += ["", "A verdict that holds under some of these only is suggestive, not established."]
    return lines


def checks(page: Page) -> list[str]:
    """Integrity gates and the second computation."""
    gates, again = page.tables["gates"], page.tables["rederivation"]
    sentence = f"{(gates['status'] == 'passed').sum()} of {len(gates)} integrity gates passed"
    allowed = gates.loc[gates["status"] == "allowed", "gate"].tolist()
    if allowed:
        sentence += f" (the configuration let {listed(allowed)} through)"
    numbers = count(len(again), "published number")
    return [f"{sentence}. {numbers} came out the same when computed a second time by another route."]
