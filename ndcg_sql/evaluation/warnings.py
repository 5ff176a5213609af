"""Warnings about the judgments and runs behind some values."""

import math
from collections.abc import Sequence
from typing import get_args

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import into
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
# The runs of which a note names so many, and counts the others.
_NAMES = 5
# What shown documents lack, by measures and what it is: a run, how many, of how many.
_Lacks = dict[tuple[str, str], list[tuple[str, int, int]]]
# Only where there is no value need what is shown be counted again.
_WITHOUT_VALUES = (
    "select run_id, judgment_set_id, measure from run_values"
    " where value is null and n > 0 and list_contains($measures, measure)"
    " order by list_position($measures, measure)"
)


def lacking(
    database: Database, measures: Sequence[Measure], pairs: Sequence[Pair]
) -> list[Wording]:
    """Return messages about judgments that do not suffice for a measure.

    Must be called where the values of the measures are known.
    """
    run_ids = [run_id for run_id, _ in pairs]
    set_ids = sorted({set_id for _, set_id in pairs})
    names = [measure.name for measure in measures]
    lacks: dict[tuple[str, Wording], list[str]] = {}
    rows = database.run(
        "warnings/nothing_relevant",
        {"run_ids": run_ids, "judgment_set_ids": set_ids, "measures": names},
    )
    omitting = {m.name for m in measures if m.takes_known_out}
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
    needing = [
        (measure.name, need)
        for measure in measures
        for need in sorted(measure.family.needs & _MEANINGS.keys())
    ]
    if needing:
        parameters = {
            "judgment_set_ids": set_ids,
            "measures": [name for name, _ in needing],
            "needs": [need for _, need in needing],
        }
        rows = database.run("warnings/lacking_grades", parameters)
        for judgment_set, need, measure in rows:
            lacks.setdefault((judgment_set, _MEANINGS[need]), []).append(measure)
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
    [quartiles] = database.run(
        "lookups/click_levels", {"judgment_set_id": judgment_set_id}
    )
    if policy not in get_args(ClickModel) or None in quartiles:
        return Text()
    levels = sorted({_rounded_down(one) for one in quartiles})
    shown = ",".join(f"{level:g}" for level in levels)
    [(dataset, least)] = database.execute(
        "select dataset, min_impressions from judgment_sets"
        " left join click_logs using (judgment_set_id)"
        " where judgment_set_id = $judgment_set_id",
        {"judgment_set_id": judgment_set_id},
    )
    usual = (None, LoadClicksRequest.min_impressions)
    rest = {} if least in usual else {"min_impressions": least}
    return call(
        "load_clicks",
        Blank("FILE"),
        **into(dataset),
        model=policy,
        **rest,
        levels=shown,
    )


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
    lacks: _Lacks = {}
    for run_id, set_id in pairs if by else ():
        parameters = {
            "run_id": run_id,
            "judgment_set_id": set_id,
            "measures": list(by),
        }
        [(run,)] = database.execute(
            "select name from runs where run_id = $run_id", {"run_id": run_id}
        )
        of_run: dict[tuple[str, int, int], list[str]] = {}
        rows = database.run("warnings/shown_without", parameters)
        for measure, need, lacking, shown in rows:
            what = f"without a value of {quoted(by[measure])}, in no pair"
            if need == "known":
                what = "known to no query, which count as known to one"
            elif need == "documents":
                what = "not in the catalogue, so not in its tail"
            of_run.setdefault((what, lacking, shown), []).append(measure)
        for (what, lacking, shown), names in of_run.items():
            key = ", ".join(names), what
            lacks.setdefault(key, []).append((run, lacking, shown))
    return [
        f"{_named(of_runs)}, {names}: {_share(of_runs)} {what}"
        for (names, what), of_runs in lacks.items()
    ]


def _named(of_runs: Sequence[tuple[str, int, int]]) -> str:
    """Return runs by their names."""
    names = [run for run, _, _ in of_runs]
    return f"{'run' if len(names) == 1 else 'runs'} {listed(names, _NAMES)}"


def _share(of_runs: Sequence[tuple[str, int, int]]) -> str:
    """Return how many of the documents that runs show lack something."""
    lacking = [count for _, count, _ in of_runs]
    shown = [count for _, _, count in of_runs]
    documents = "shown document" if max(shown) == 1 else "shown documents"
    return f"{_range(lacking)} of {_range(shown)} {documents}"


def _range(counts: Sequence[int]) -> str:
    """Return counts of several runs as one number or a range."""
    return " to ".join(str(n) for n in dict.fromkeys([min(counts), max(counts)]))


def shown_outside(
    database: Database, measures: Sequence[Measure], pairs: Sequence[Pair]
) -> list[Text]:
    """Return messages about runs without values, as the catalogue lacks what they show.

    Must be called where the values of the measures are known.
    """
    names = [m.name for m in measures if m.family.is_of_runs]
    rows = database.execute(_WITHOUT_VALUES, {"measures": names}) if names else []
    without: dict[Pair, list[str]] = {}
    for run_id, set_id, measure in rows:
        without.setdefault((run_id, set_id), []).append(measure)
    lacks: _Lacks = {}
    for run_id, set_id in pairs:
        if (run_id, set_id) not in without:
            continue
        parameters = {
            "run_id": run_id,
            "judgment_set_id": set_id,
            "measures": without[run_id, set_id],
        }
        [(run, dataset)] = database.execute(
            "select name, dataset from runs where run_id = $run_id", {"run_id": run_id}
        )
        of_run: dict[tuple[int, int], list[str]] = {}
        rows = database.run("warnings/shown_outside", parameters)
        for measure, outside, documents in rows:
            of_run.setdefault((outside, documents), []).append(measure)
        for (outside, documents), those in of_run.items():
            key = ", ".join(those), dataset
            lacks.setdefault(key, []).append((run, outside, documents))
    return [
        f"{_named(of_runs)} {'has' if len(of_runs) == 1 else 'have'} no value of"
        f" {those}: {_share(of_runs)} not in the catalogue; load all of it: "
        + call("load_documents", Blank("FILE"), **into(dataset))
        for (those, dataset), of_runs in lacks.items()
    ]


def tell_like(
    database: Database,
    messages: Messages,
    system: System,
    measures: Sequence[Measure],
    pairs: Sequence[Pair],
) -> None:
    """Report which conventions are followed, and which runs have other positions."""
    messages.tell(system.followed(measures, system.position_rule))
    rules: dict[tuple[str, str], list[str]] = {}
    parameters = {
        "run_ids": [run_id for run_id, _ in pairs],
        "position_rule": system.position_rule,
    }
    for dataset, name, rule in database.run("warnings/other_positions", parameters):
        rules.setdefault((dataset, rule), []).append(name)
    for (dataset, rule), names in rules.items():
        loading = call(
            "load_run",
            Blank("FILE"),
            **into(dataset),
            position_rule=system.position_rule,
            name=Blank("NAME"),
        )
        messages.tell(
            f"{'run' if len(names) == 1 else 'runs'} {listed(names)}: positions {rule},"
            f" not {system.position_rule}; for those of {system.name}: " + loading
        )
