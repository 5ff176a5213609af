"""Removing runs, judgment sets and datasets, with everything derived from them."""

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Literal

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import (
    KEYS,
    KINDS,
    Entry,
    Kind,
    check_dataset,
    choose_entries,
    entries,
    into,
)
from ndcg_sql.evaluation.registry import unregister
from ndcg_sql.evaluation.values import store_anew, weigh
from ndcg_sql.loading.loaded import ROWS, counts_of
from ndcg_sql.loading.values import report_loaded
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Blank, Wording, call

# Measures of other programs of which no value is left.
_UNUSED = (
    "select measure from measures where family = 'loaded'"
    " and measure not in (select measure from loaded_values)"
)
Described = Literal["queries", "documents", "known"]
# The tables that describe queries and documents, and what they hold of them.
_TABLES = {
    "queries": ("query_attributes", "queries"),
    "documents": ("document_attributes", "documents"),
    "known": ("known_documents",),
}
# What measures need of them, as measure_needs calls it.
NEEDS = {"known": ("known",), "documents": ("documents", "attributes")}
_DATA = {
    "queries": "the texts, weights and attributes of ",
    "documents": "the titles, urls and attributes of ",
    "known": "",
}
_DESCRIBED: dict[Described, tuple[str, str]] = {
    "queries": ("query", "queries"),
    "documents": ("document", "documents"),
    "known": ("known document", "known documents"),
}


def remove_named(
    database: Database,
    messages: Messages,
    kind_word: str,
    names: Sequence[str],
    dataset: str | None,
    is_dry: bool,
) -> None:
    """Remove runs, judgment sets or assessments: all that are named, or none.

    A dry run only tells what would be removed.
    """
    kind, lines = KINDS[kind_word], list[Wording]()
    with nullcontext() if is_dry else database.transaction():
        chosen = choose_entries(database, kind, names, dataset)
        ids = [entry.id for entry in chosen]
        for entry in chosen:
            done = "would remove" if is_dry else "removed"
            lines.append(f"{done} {_described(database, kind, entry)}")
        if not is_dry:
            remove(database, KEYS[kind], ids)
            for where in {entry.dataset for entry in chosen}:
                report_loaded(database, where)
    for line in lines:
        messages.tell(line)


def remove_dataset(database: Database, messages: Messages, dataset: str) -> None:
    """Remove everything in a dataset."""
    with database.transaction():
        check_dataset(database, dataset)
        sql = "select measure from measure_datasets where dataset = $dataset"
        for (name,) in database.execute(sql, {"dataset": dataset}):
            # Without the dataset's row, it would be registered for every one.
            unregister(database, name, dataset)
        held: dict[Kind, list[int]] = {
            kind: [e.id for e in entries(database, kind) if e.dataset == dataset]
            for kind in KEYS
        }
        for kind, ids in held.items():
            remove(database, KEYS[kind], ids)
        files = held.pop("assessments")
        counts = [counted(len(ids), kind) for kind, ids in held.items()]
        if files:
            counts.append(counted(len(files), "file") + " of assessments")
        for kind, noun in _DESCRIBED.items():
            count = _count(database, kind, dataset)
            if count or kind == "queries":
                counts.append(counted(count, *noun))
        remove(database, "dataset", [dataset])
    messages.tell(f"removed dataset {quoted(dataset)}: {', '.join(counts)}")


def remove_described(
    database: Database, messages: Messages, kind: Described, dataset: str
) -> None:
    """Remove what was loaded of the queries or documents of a dataset."""
    with database.transaction():
        check_dataset(database, dataset)
        count = forget(database, kind, dataset)
        if not count:
            raise NdcgSqlError(
                f"no {_DESCRIBED[kind][1]} were loaded into dataset {quoted(dataset)}",
                call(f"load_{kind}", Blank("FILE"), **into(dataset)) + " loads them",
            )
        if kind == "queries":
            weigh(database, dataset)
        if kind in NEEDS:
            store_anew(database, dataset, NEEDS[kind])
    what = counted(count, *_DESCRIBED[kind])
    messages.tell(f"removed {_DATA[kind]}{what} of dataset {quoted(dataset)}")


def forget(database: Database, kind: Described, dataset: str) -> int:
    """Remove the rows of a dataset from the tables that describe a kind.

    Returns the number of queries or documents. Must be called inside a transaction.
    """
    number = _count(database, kind, dataset)
    for table in _TABLES[kind]:
        rows = f"delete from {table} where dataset = $dataset"
        database.execute(rows, {"dataset": dataset})
    return number


def _count(database: Database, kind: Described, dataset: str) -> int:
    """Return how many queries or documents of a dataset a kind describes."""
    sql = f"select count(*) from {_TABLES[kind][-1]} where dataset = $dataset"
    [(number,)] = database.execute(sql, {"dataset": dataset})
    return number


def remove(
    database: Database,
    column: str,
    keys: Sequence[int] | Sequence[str],
    but: Sequence[str] = (),
) -> None:
    """Remove the rows of every table but some that have one of the keys in a column.

    Must be called inside a transaction.
    """
    which = f"where {column} in (select unnest($keys))"
    for (table,) in database.run("lookups/tables_with_column", {"column": column}):
        if table not in but:
            database.execute(f"delete from {table} {which}", {"keys": list(keys)})
    database.run("store/surplus_positions")
    for (name,) in database.execute(_UNUSED):
        unregister(database, name)


def _described(database: Database, kind: Kind, entry: Entry) -> str:
    queries, rows = counts_of(database, kind, entry.id)
    shown = [counted(queries, "query", "queries"), counted(rows, ROWS[kind])]
    if kind != "assessments":
        sql = f"select count(*) from evaluations where {KEYS[kind]} = $id"
        evaluations = database.execute(sql, {"id": entry.id})[0][0]
        shown.append(counted(evaluations, "evaluation"))
    return (
        f"{kind} {quoted(entry.name)} of dataset {quoted(entry.dataset)}:"
        f" {', '.join(shown)}"
    )
