"""Removing runs, judgment sets and datasets, with everything derived from them."""

from collections.abc import Sequence
from contextlib import nullcontext

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import (
    KEYS,
    KINDS,
    Entry,
    Kind,
    check_dataset,
    choose_entries,
    entries,
)
from ndcg_sql.evaluation.registry import unregister
from ndcg_sql.loading.described import KEPT, count_of
from ndcg_sql.loading.loaded import ROWS, counts_of
from ndcg_sql.loading.values import report_loaded
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Wording

# Measures of other programs of which no value is left.
_UNUSED = (
    "select measure from measures where family = 'loaded'"
    " and measure not in (select measure from loaded_values)"
)


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
        for kind, kept in KEPT.items():
            count = count_of(database, kind, dataset)
            if count or kind == "queries":
                counts.append(counted(count, *kept.noun))
        remove(database, "dataset", [dataset])
    messages.tell(f"removed dataset {quoted(dataset)}: {', '.join(counts)}")


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
