"""A question without the names that it needs: what could be named."""

from collections.abc import Mapping, Sequence
from typing import Any

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import (
    Entry,
    Kind,
    check_rankings,
    choose_entry,
    choose_run,
    entries,
    having_rankings,
    judgments_of,
)
from ndcg_sql.reports import explain, report
from ndcg_sql.requests.fields import Field, fields_of
from ndcg_sql.requests.questions import ReportRequest
from ndcg_sql.requests.shared import Request
from ndcg_sql.system.messages import Silent
from ndcg_sql.text import harmless, listed, quoted
from ndcg_sql.wording import Blank, Call, Text, call

_KINDS: Mapping[str, Kind] = {
    "runs": "run",
    "judgment_sets": "judgment set",
    "described": "run",
}
_LOADS: Mapping[Kind, str] = {"run": "load_run", "judgment set": "load_judgments"}
# What a call keeps of what was asked for.
_KEPT = ("measures", "judgments", "dataset")
# The number of queries that could be explained.
_WORST = 5


def names_entries(request: type[Request]) -> bool:
    """Return whether arguments of a question are names of runs or judgment sets."""
    return any(
        field.option.is_argument and field.option.names in _KINDS
        for field in fields_of(request)
    )


def refusal(
    database: Database, method: str, request: type[Request], values: Mapping[str, Any]
) -> NdcgSqlError:
    """Return the error of a question that lacks arguments: what could be named.

    method is that of Warehouse; values are those of the fields that a user gave. The
    way out is a call that the warehouse answers. Raises NdcgSqlError for a name that
    is not known.
    """
    fields = [field for field in fields_of(request) if field.option.is_argument]
    lacking = [field for field in fields if not values.get(field.name)]
    kind = _KINDS.get(lacking[0].option.names)
    has_query = lacking[-1].name == "query"
    named: list[Entry] = []
    for field in fields:
        if field not in lacking and field.option.names in _KINDS:
            named += _named(database, field, values)
    dataset = values.get("dataset")
    choices, chosen = _choices(database, lacking, named, dataset, has_query)
    what = f"{method}: no {lacking[0].option.metavar.removesuffix('...')}"
    if choices:
        what += f"; known: {listed(entry.name for entry in choices)}"
    arguments = [entry.name for entry in (*named, *chosen)]
    if has_query and arguments:
        run = [*named, *chosen][0]
        measure, worst = _worst(database, run, values)
        if not kind:
            what += f"; the lowest {measure} of run {quoted(run.name)}:"
            what += "".join(f"\n  {harmless(q)}  {value:.4f}" for q, value in worst)
        arguments += [query for query, _ in worst[:1]]
    if len(arguments) < len(fields):
        if kind is None:
            return NdcgSqlError(what)
        another = " loads another" if choices else " loads one"
        of_dataset = {"dataset": dataset} if dataset else {}
        loading = call(_LOADS[kind], Blank("FILE"), **of_dataset)
        return NdcgSqlError(what, loading + another)
    options = {name: values[name] for name in _KEPT if values.get(name)}
    if len(database.run("lookups/datasets")) > 1:
        options["dataset"] = [*named, *chosen][0].dataset
    example = Text(Call(method, tuple(arguments), options))
    return NdcgSqlError(what + "\nsuch as " + example)


def _named(database: Database, field: Field, values: Mapping[str, Any]) -> list[Entry]:
    kind, names = _KINDS[field.option.names], values[field.name]
    dataset: str | None = values.get("dataset")
    patterns: Sequence[str] = [names] if isinstance(names, str) else names
    if kind == "run":
        return [choose_run(database, name, dataset) for name in patterns]
    return [choose_entry(database, kind, name, dataset) for name in patterns]


def _choices(
    database: Database,
    lacking: Sequence[Field],
    named: Sequence[Entry],
    dataset: str | None,
    is_ranked: bool,
) -> tuple[list[Entry], list[Entry]]:
    """Return what the first argument could name, and an example for each argument.

    All names of a question are of one dataset: that of the names given, or of the
    newest. If it is_ranked, runs that another engine evaluated are left out.
    """
    kinds = [field.option.names for field in lacking if field.option.names in _KINDS]
    if not kinds:
        return [], []
    datasets = {entry.dataset for entry in named} or {None, dataset} - {None}
    choices = [
        entry
        for entry in entries(database, _KINDS[kinds[0]])
        if (not datasets or entry.dataset in datasets) and entry not in named
    ]
    choices = having_rankings(choices) if is_ranked else choices
    same = [entry for entry in choices if entry.dataset == choices[-1].dataset]
    return choices, same[-len(kinds) :]


def _worst(
    database: Database, run: Entry, values: Mapping[str, Any]
) -> tuple[str, list[tuple[str, float]]]:
    check_rankings([run], "explain")
    judgments = values.get("judgments")
    pairs = judgments_of(database, [run], judgments)
    measure = explain.choose(database, values.get("measures") or (), pairs)[0].name
    request = ReportRequest(
        measures=(measure,),
        runs=(run.name,),
        judgments=judgments,
        dataset=run.dataset,
        per_query=True,
        worst=_WORST,
    )
    rows = report.answer(database, Silent(), request).rows.records
    return measure, [(row["query_id"], row["value"]) for row in rows]
