"""Warnings about the judgments and runs behind some values."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

from ndcg_sql.database.database import Database, Row
from ndcg_sql.evaluation.entries import into, judgment_sets
from ndcg_sql.evaluation.measuring import Pair
from ndcg_sql.measures.names import Measure
from ndcg_sql.measures.systems import System
from ndcg_sql.options import ClickModel
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, quoted
from ndcg_sql.wording import FILE, Blank, Text, Wording, call, use

# What a lack of such documents means for a value.
_MEANINGS = {
    "not_relevant": (
        "no document is judged not relevant; the value is only the share of relevant"
        " documents that were returned"
    ),
    "negative": (
        "no grade is negative, which marks documents in the pool as not judged; there"
        " is nothing to infer"
    ),
}
# What shown documents lack.
_LACKS = {
    "known": "known to no query, which count as known to one",
    "documents": "not in the catalogue, so not in its tail",
    "attributes": "without a value of {attribute}, in no pair",
}
# The runs of which a note names so many, and counts the others.
_NAMES = 5


def lacking(
    database: Database, measures: Sequence[Measure], pairs: Sequence[Pair]
) -> list[Wording]:
    """Return messages about judgments that do not suffice for a measure.

    Must be called where the values of the measures are known.
    """
    parameters = {
        "run_ids": [run_id for run_id, _ in pairs],
        "judgment_set_ids": sorted({set_id for _, set_id in pairs}),
        "measures": [measure.name for measure in measures],
    }
    lacks: dict[tuple[str, Wording], list[str]] = {}
    omitting = {m.name for m in measures if m.takes_known_out}
    rows = database.run("warnings/nothing_relevant", parameters)
    for judgment_set, highest, quartiles, policy, measure in rows:
        new = " and new to its query" if measure in omitting else ""
        what: Wording = (
            f"no document is relevant{new}, the highest grade is {highest:g}"
        )
        if 0 < highest < 1:
            # Levels that divide what was clicked into four parts.
            levels = sorted({_rounded_down(grade) for grade in quartiles})
            if policy in get_args(ClickModel):
                clicked = use(levels=",".join(f"{level:g}" for level in levels))
                what = Text(what, "; for grades 0, 1, 2 ... of clicks: ", clicked)
            what += f"; a lower threshold may be intended, such as rel={levels[-1]:g}"
        lacks.setdefault((judgment_set, what), []).append(measure)
    needing = [(m.name, need) for m in measures for need in sorted(m.family.needs)]
    if needing := [pair for pair in needing if pair[1] in _MEANINGS]:
        names, needs = map(list, zip(*needing, strict=True))
        parameters |= {"measures": names, "needs": needs}
        for name, need, measure in database.run("warnings/lacking_grades", parameters):
            lacks.setdefault((name, _MEANINGS[need]), []).append(measure)
    return [
        *(
            Text(f"judgment set {quoted(judgment_set)}, {', '.join(names)}: ", what)
            for (judgment_set, what), names in lacks.items()
        ),
        *_shown_without(database, measures, pairs),
    ]


def _rounded_down(grade: float) -> float:
    """Return a grade above 0 with two digits, which is not higher."""
    digits = 1 - math.floor(math.log10(grade))
    return math.floor(grade * 10**digits) / 10**digits


def _shown_without(
    database: Database, measures: Sequence[Measure], pairs: Sequence[Pair]
) -> list[str]:
    """Return messages about shown documents of which too little is known."""
    by = {
        m.name: m.parameters.get("by")
        for m in measures
        if m.family.reads_rankings and not m.family.is_of_runs
    }
    rows = [
        (run_id, run, _LACKS[need].format(attribute=quoted(by[name])), name, *counts)
        for run_id, set_id in (pairs if by else ())
        for run, need, name, *counts in database.run(
            "warnings/shown_without",
            {"run_id": run_id, "judgment_set_id": set_id, "measures": [*by]},
        )
    ]
    return [
        f"{listed_runs(runs)}, {names}: {share} {what}"
        for runs, what, names, share in _by_measures(rows)
    ]


def shown_outside(
    database: Database, measures: Sequence[Measure], pairs: Sequence[Pair]
) -> list[Text]:
    """Return messages about runs without values, as the catalogue lacks what they show.

    Must be called where the values of the measures are known.
    """
    # Shown documents are counted again only where there is no value.
    names = [m.name for m in measures if m.family.is_of_runs]
    sql = (
        "select run_id, judgment_set_id, list(measure order by measure) from run_values"
        " where value is null and n > 0 and list_contains($measures, measure)"
        " group by all"
    )
    valueless = database.execute(sql, {"measures": names}) if names else []
    lacking = {(run_id, set_id): without for run_id, set_id, without in valueless}
    rows: list[Row] = []
    for run_id, set_id in pairs if lacking else ():
        without = lacking.get((run_id, set_id), [])
        of_pair = [name for name in names if name in without]
        ids = {"run_id": run_id, "judgment_set_id": set_id, "measures": of_pair}
        counts = database.run("warnings/shown_outside", ids) if of_pair else []
        rows += [(run_id, *row) for row in counts]
    return [
        f"{listed_runs(runs)} {'has' if len(runs) == 1 else 'have'} no value of"
        f" {names}: {share} not in the catalogue; load all of it: "
        + call("load_documents", FILE, **into(dataset))
        for runs, dataset, names, share in _by_measures(rows)
    ]


def _by_measures(rows: Iterable[Row]) -> Iterator[tuple[list[str], str, str, str]]:
    """Yield runs that lack something alike: their names, what, by which measures.

    The last is how many of the documents that they show lack it. Each row is a run, its
    name, what it is, a measure, and how many documents lack it, of how many.
    """
    of_runs: dict[Row, list[str]] = {}
    for run_id, run, what, measure, *counts in rows:
        of_runs.setdefault((run_id, run, what, *counts), []).append(measure)
    alike: dict[tuple[str, str], list[Row]] = {}
    for (_, run, what, *counts), names in of_runs.items():
        alike.setdefault((what, ", ".join(names)), []).append((run, *counts))
    for (what, names), lacks in alike.items():
        runs, *counts = map(list, zip(*lacks, strict=True))
        few, many = (
            " to ".join(map(str, dict.fromkeys((min(own), max(own))))) for own in counts
        )
        share = f"{few} of {many} shown document{'s' * (many != '1')}"
        yield runs, what, names, share


def listed_runs(names: Sequence[str]) -> str:
    """Return runs by their names, or the first of them and how many others."""
    return f"{'run' if len(names) == 1 else 'runs'} {listed(names, _NAMES)}"


def tell_newest(
    database: Database, messages: Messages, pairs: Iterable[Pair], named: str | None
) -> None:
    """Report which of several judgment sets is used, unless a user named it."""
    used = {set_id for _, set_id in pairs} if named is None else set[int]()
    sets = judgment_sets(database) if used else []
    datasets = [entry.dataset for entry in sets]
    for entry in sets:
        if entry.id in used and datasets.count(entry.dataset) > 1:
            messages.tell(f"judgment set {quoted(entry.name)}, the newest one")


def tell_like(
    database: Database,
    messages: Messages,
    system: System,
    measures: Sequence[Measure],
    pairs: Sequence[Pair],
) -> None:
    """Report which conventions are followed, and which runs have other positions."""
    ours = system.position_rule
    messages.tell(system.followed(measures, ours))
    rules: dict[tuple[str, str], list[str]] = {}
    parameters = {"run_ids": [run_id for run_id, _ in pairs], "position_rule": ours}
    for dataset, name, rule in database.run("warnings/other_positions", parameters):
        rules.setdefault((dataset, rule), []).append(name)
    for (dataset, rule), names in rules.items():
        fields = {**into(dataset), "position_rule": ours, "name": Blank("NAME")}
        messages.tell(
            f"{'run' if len(names) == 1 else 'runs'} {listed(names)}: positions {rule},"
            f" not {ours}; for those of {system.name}: "
            + call("load_run", FILE, **fields)
        )
