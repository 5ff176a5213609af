"""Warnings about the judgments and runs behind some values."""

import math
from collections.abc import Iterable, Sequence
from typing import get_args

from ndcg_sql.database.database import Database, Row
from ndcg_sql.evaluation.entries import into, judgment_sets
from ndcg_sql.evaluation.values import Pair
from ndcg_sql.measures.names import Measure
from ndcg_sql.measures.systems import System
from ndcg_sql.requests.choices import ClickModel
from ndcg_sql.requests.clicks import LoadClicksRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, quoted
from ndcg_sql.wording import Blank, Text, Wording, call

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
# What documents that runs show lack: a run, how many, and of how many.
_Lacks = list[tuple[str, int, int]]
# The runs of which a note names so many, and counts the others.
_NAMES = 5


def lacking(
    database: Database, measures: Sequence[Measure], pairs: Sequence[Pair]
) -> list[Wording]:
    """Return messages about judgments that do not suffice for a measure.

    Must be called where the values of the measures are known.
    """
    needing = [
        (measure.name, need)
        for measure in measures
        for need in sorted(measure.family.needs & _MEANINGS.keys())
    ]
    parameters = {
        "run_ids": [run_id for run_id, _ in pairs],
        "judgment_set_ids": sorted({set_id for _, set_id in pairs}),
        "measures": [measure.name for measure in measures],
    }
    lacks: dict[tuple[str, Wording], list[str]] = {}
    omitting = {m.name for m in measures if m.takes_known_out}
    rows = database.run("warnings/nothing_relevant", parameters)
    for set_id, judgment_set, highest, high, policy, measure in rows:
        new = " and new to its query" if measure in omitting else ""
        what: Wording = (
            f"no document is relevant{new}, the highest grade is {highest:g}"
        )
        if 0 < highest < 1:
            rel = f"rel={_rounded_down(high):g}"
            levels = with_levels(database, set_id, policy)
            if levels:
                what = Text(what, "; for grades 0, 1, 2 ... of clicks: ", levels)
            what += f"; a lower threshold may be intended, such as {rel}"
        lacks.setdefault((judgment_set, what), []).append(measure)
    if needing:
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


def with_levels(database: Database, judgment_set_id: int, policy: str) -> Text:
    """Return how to load clicks so that their grades are whole numbers.

    Nothing, if the policy of the set is none of clicks, or nothing was clicked.
    """
    ids = {"judgment_set_id": judgment_set_id}
    [quartiles] = database.run("lookups/click_levels", ids)
    if policy not in get_args(ClickModel) or None in quartiles:
        return Text()
    levels = sorted({_rounded_down(one) for one in quartiles})
    [(dataset, least)] = database.execute(
        "select dataset, min_impressions from judgment_sets"
        " left join click_logs using (judgment_set_id)"
        " where judgment_set_id = $judgment_set_id",
        ids,
    )
    fields: dict[str, object] = {**into(dataset), "model": policy}
    if least not in (None, LoadClicksRequest.min_impressions):
        fields["min_impressions"] = least
    fields["levels"] = ",".join(f"{level:g}" for level in levels)
    return call("load_clicks", Blank("FILE"), **fields)


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
        f"{_runs(lacks)}, {names}: {_share(lacks)} {what}"
        for (names, what), lacks in _by_measures(rows).items()
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
        "select run_id, judgment_set_id, measure from run_values"
        " where value is null and n > 0 and list_contains($measures, measure)"
    )
    valueless = set(database.execute(sql, {"measures": names}) if names else ())
    rows: list[Row] = []
    for run_id, set_id in pairs if valueless else ():
        of_pair = [name for name in names if (run_id, set_id, name) in valueless]
        ids = {"run_id": run_id, "judgment_set_id": set_id, "measures": of_pair}
        counts = database.run("warnings/shown_outside", ids) if of_pair else []
        rows += [(run_id, *row) for row in counts]
    return [
        f"{_runs(lacks)} {'has' if len(lacks) == 1 else 'have'} no value of {names}:"
        f" {_share(lacks)} not in the catalogue; load all of it: "
        + call("load_documents", Blank("FILE"), **into(dataset))
        for (names, dataset), lacks in _by_measures(rows).items()
    ]


def _by_measures(rows: Iterable[Row]) -> dict[tuple[str, str], _Lacks]:
    """Return what runs lack by measures, and by what it is.

    Each row is a run, its name, what it is, a measure, and how many documents lack it,
    of how many.
    """
    of_runs: dict[tuple[int, str, str, int, int], list[str]] = {}
    for run_id, run, what, measure, lacking, shown in rows:
        of_runs.setdefault((run_id, run, what, lacking, shown), []).append(measure)
    by_measures: dict[tuple[str, str], _Lacks] = {}
    for (_, run, what, lacking, shown), names in of_runs.items():
        lacks = by_measures.setdefault((", ".join(names), what), [])
        lacks.append((run, lacking, shown))
    return by_measures


def _runs(lacks: _Lacks) -> str:
    """Return runs by their names."""
    names = [run for run, _, _ in lacks]
    return f"{'run' if len(names) == 1 else 'runs'} {listed(names, _NAMES)}"


def _share(lacks: _Lacks) -> str:
    """Return how many of the documents that runs show lack something."""
    few, many = (
        " to ".join(map(str, dict.fromkeys([min(counts), max(counts)])))
        for counts in ([n for _, n, _ in lacks], [n for _, _, n in lacks])
    )
    return f"{few} of {many} shown document{'s' * (many != '1')}"


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
            + call("load_run", Blank("FILE"), **fields)
        )
