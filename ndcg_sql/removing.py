"""Removing runs, judgment sets and datasets, with all that hangs on them."""

from collections.abc import Callable, Sequence

from ndcg_sql import sqlfiles
from ndcg_sql.reports import (
    Entry,
    assessment_sets,
    check_dataset,
    choose_entry,
    judgment_sets,
    runs,
)
from ndcg_sql.text import counted, quoted
from ndcg_sql.warehouse import Warehouse

KINDS = {
    "run": "run_id",
    "judgment set": "judgment_set_id",
    "assessments": "assessment_set_id",
}
TABLES = {
    "run": "runs",
    "judgment set": "judgment_sets",
    "assessments": "assessment_sets",
}
_ROWS = {"run": "document", "judgment set": "judgment", "assessments": "assessment"}


def remove_named(
    warehouse: Warehouse,
    kind: str,
    names: list[str],
    dataset: str | None,
    tell: Callable[[str], None],
) -> None:
    """Remove runs, judgment sets or assessments, all that are named or nothing."""
    told: list[str] = []
    with warehouse.transaction():
        named = [choose_entry(warehouse, kind, name, dataset) for name in names]
        entries = list(dict.fromkeys(named))
        told += [_described(warehouse, kind, entry) for entry in entries]
        remove(warehouse, KINDS[kind], [entry.id for entry in entries])
    for line in told:
        tell(line)


def remove_dataset(
    warehouse: Warehouse, dataset: str, tell: Callable[[str], None]
) -> None:
    """Remove all that was loaded into a dataset."""
    with warehouse.transaction():
        check_dataset(warehouse, dataset)
        found = {"run": runs(warehouse), "judgment set": judgment_sets(warehouse)}
        counts: list[str] = []
        for kind, entries in found.items():
            ids = [entry.id for entry in entries if entry.dataset == dataset]
            remove(warehouse, KINDS[kind], ids)
            counts.append(counted(len(ids), kind))
        files = [e.id for e in assessment_sets(warehouse) if e.dataset == dataset]
        remove(warehouse, KINDS["assessments"], files)
        if files:
            counts.append(counted(len(files), "file") + " of assessments")
        queries = "select count(*) from queries where dataset = $dataset"
        known = warehouse.execute(queries, {"dataset": dataset})[0][0]
        counts.append(counted(known, "query", "queries"))
        remove(warehouse, "dataset", [dataset])
    tell(f"removed dataset {quoted(dataset)}: {', '.join(counts)}")


def remove(
    warehouse: Warehouse, column: str, keys: Sequence[int] | Sequence[str]
) -> None:
    """Remove the rows of every table that a column ties to some keys.

    Must be called inside a transaction.
    """
    names = {"names": sqlfiles.relations(), "column": column}
    for (table,) in warehouse.run("reports/tables_with_column", names):
        warehouse.execute(
            f"delete from {table} where {column} in (select unnest($keys))",
            {"keys": list(keys)},
        )
    warehouse.run("store/surplus_positions")


def _described(warehouse: Warehouse, kind: str, entry: Entry) -> str:
    """Return what is to be removed, counted."""
    counts_of = f"reports/counts_{TABLES[kind]}"
    queries, rows = warehouse.run(counts_of, {"id": entry.id})[0]
    counts = [counted(queries, "query", "queries"), counted(rows, _ROWS[kind])]
    if kind != "assessments":
        sql = f"select count(*) from evaluations where {KINDS[kind]} = $id"
        evaluations = warehouse.execute(sql, {"id": entry.id})[0][0]
        counts.append(counted(evaluations, "evaluation"))
    return (
        f"removed {kind} {quoted(entry.name)} of dataset {quoted(entry.dataset)}:"
        f" {', '.join(counts)}"
    )
