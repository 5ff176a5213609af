"""A question without the names that it needs: what could be named."""

from collections.abc import Callable, Mapping
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
from ndcg_sql.requests.fields import fields_of
from ndcg_sql.requests.shared import Scope
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


def names_entries(question: Callable[..., object]) -> bool:
    """Return whether arguments of a question are names of runs or judgment sets."""
    return any(
        field.option.is_argument and field.option.names in _KINDS
        for field in fields_of(question)
    )


def refusal(
    database: Database,
    method: str,
    question: Callable[..., object],
    values: Mapping[str, Any],
) -> NdcgSqlError:
    """Return the error of a question that lacks arguments: what could be named.

    method is that of Warehouse; values are those of the fields that a user gave. The
    way out is a call that the warehouse answers, about the newest runs or judgment
    sets of one dataset. Raises NdcgSqlError for a name that is not known.
    """
    fields = [field for field in fields_of(question) if field.option.is_argument]
    lacking = [field for field in fields if not values.get(field.name)]
    dataset: str | None = values.get("dataset")
    named: list[Entry] = []
    for field in fields:
        kind, value = _KINDS.get(field.option.names), values.get(field.name)
        for name in [value] if isinstance(value, str) else value or []:
            if kind == "run":
                named.append(choose_run(database, name, dataset))
            elif kind:
                named.append(choose_entry(database, kind, name, dataset))
    kinds: list[Kind] = [
        _KINDS[field.option.names] for field in lacking if field.option.names in _KINDS
    ]
    choices: list[Entry] = []
    if kinds:
        datasets = {entry.dataset for entry in named} or {None, dataset} - {None}
        choices = [
            entry
            for entry in entries(database, kinds[0])
            if (not datasets or entry.dataset in datasets) and entry not in named
        ]
    has_query = lacking[-1].name == "query"
    choices = having_rankings(choices) if has_query else choices
    newest = [entry for entry in choices if entry.dataset == choices[-1].dataset]
    chosen = [*named, *newest[-len(kinds) :]] if kinds else named
    what = f"{method}: no {lacking[0].option.metavar.removesuffix('...')}"
    if choices:
        what += f"; known: {listed(entry.name for entry in choices)}"
    arguments = [entry.name for entry in chosen]
    if has_query and chosen:
        measure, worst = _worst(database, chosen[0], values)
        if not kinds:
            what += f"; the lowest {measure} of run {quoted(chosen[0].name)}:"
            what += "".join(f"\n  {harmless(q)}  {value:.4f}" for q, value in worst)
        arguments += [query for query, _ in worst[:1]]
    if len(arguments) < len(fields):
        if not kinds:
            return NdcgSqlError(what)
        another = " loads another" if choices else " loads one"
        of_dataset = {"dataset": dataset} if dataset else {}
        loading = call(_LOADS[kinds[0]], Blank("FILE"), **of_dataset)
        return NdcgSqlError(what, loading + another)
    options = {name: values[name] for name in _KEPT if values.get(name)}
    if len(database.run("lookups/datasets")) > 1:
        options["dataset"] = chosen[0].dataset
    example = Text(Call(method, tuple(arguments), options))
    return NdcgSqlError(what + "\nsuch as " + example)


def _worst(
    database: Database, run: Entry, values: Mapping[str, Any]
) -> tuple[str, list[tuple[str, float]]]:
    """Return a measure, and the queries of a run with the lowest values of it."""
    check_rankings([run], "explain")
    judgments = values.get("judgments")
    pairs = judgments_of(database, [run], judgments)
    measure = explain.choose(database, values.get("measures") or (), pairs)[0].name
    scope = Scope((measure,), (run.name,), judgments, run.dataset)
    rows = report.by_query(database, Silent(), scope, worst=_WORST).rows.records
    return measure, [(row["query_id"], row["value"]) for row in rows]
