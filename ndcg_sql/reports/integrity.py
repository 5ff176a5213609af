"""Checking: all stored data is read, and proven to be consistent."""

import string
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from ndcg_sql.comparison.answers import Answer, Rows
from ndcg_sql.database import owners, schema, sql_files, views
from ndcg_sql.database.connections import harmless_path, translated
from ndcg_sql.database.database import ROWS, Database, Parameters
from ndcg_sql.database.views import STORE
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import judgment_sets, runs
from ndcg_sql.evaluation.values import Measuring
from ndcg_sql.requests.shared import Request
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted, sql_name

_SHOWN_FAULTS = 10
# About how many ranked documents are proven at once.
_AT_ONCE = 1_000_000
_Row = dict[str, str | int | None]


def answer(database: Database, messages: Messages, request: Request) -> Answer:
    """Return what was checked; raise NdcgSqlError for faults.

    Every value of every table is read, which finds damage; every view must be
    there. Then each row of sql/proofs.csv is proven.
    """
    _tell_of_file(database, messages)
    rows = [*_read_tables(database), _find_views(database), *_prove(database)]
    return Answer("check", request, Rows.selected(database, ROWS, {"rows": rows}))


def _tell_of_file(database: Database, messages: Messages) -> None:
    shown = harmless_path(database.path)
    storage = database.run("lookups/storage_version")[0][0]
    messages.tell(
        f"{shown}: storage version {storage}, read by DuckDB {duckdb.__version__}"
    )
    if Path(f"{database.path}.wal").exists():
        messages.tell(
            f"{shown}.wal: left by a command that was ended; the next command that"
            " writes merges it; until then, keep the two files together"
        )


def _read_tables(database: Database) -> list[_Row]:
    read: list[_Row] = []
    faults: list[str] = []
    for owner, table in database.run("lookups/stored_tables"):
        name = f"{sql_name(owner)}.{sql_name(table)}"
        sql = f"select count(*), bit_xor(hash(held)) from {name} as held"
        shown = table if owner == STORE else f"{owner}.{table}"
        try:
            rows = database.execute(sql)[0][0]
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            fault = translated(error, harmless_path(database.path))
            faults.append(f"table {quoted(shown)}: {fault}")
        else:
            read.append({"checked": f"table {shown}", "rows": rows, "outcome": "read"})
    _refuse(faults)
    return read


def _find_views(database: Database) -> _Row:
    _refuse(
        [
            f"view {quoted(name)}: missing; the next command that writes, such as"
            " evaluate, restores it"
            for name in schema.missing_views(database)
        ]
    )
    count = len(views.computing()) + len(views.public())
    return {"checked": "views", "rows": count, "outcome": "found"}


@dataclass(frozen=True)
class Proof:
    """What is proven, by a select of the faults.

    Several proofs may have the same name; parameters are those of the select.
    by_run is true if the rows of each run are proven by themselves.
    """

    name: str
    select: str
    parameters: Parameters
    by_run: bool

    def message(self, fault: dict[str, Any]) -> str:
        """Return the message of a fault: the opening comment, filled in."""
        values = {name: quoted(value) for name, value in fault.items()}
        comment = sql_files.opening_comment(self.select)
        return string.Formatter().vformat(comment, (), {**self.parameters, **values})


def proofs() -> list[Proof]:
    """Return the proofs of sql/proofs.csv."""
    return [
        Proof(
            row["proof"],
            sql_files.read(f"proofs/{row['select']}"),
            row | {"key": row["key"].split()},
            row["by_run"] == "yes",
        )
        for row in sql_files.rows("proofs")
    ]


def _prove(database: Database) -> list[_Row]:
    """Run every proof, and raise NdcgSqlError for the faults that they select.

    Where a proof selects the id of a run or judgment set, its message has the
    name, or the id if there is no such run or judgment set.
    """
    names = {
        "run": {entry.id: entry.name for entry in runs(database)},
        "judgment_set": {entry.id: entry.name for entry in judgment_sets(database)},
    }
    # Rows without an owner explain what other proofs would find.
    owned = [proof for proof in proofs() if proof.name == owners.PROOF]
    _refuse(
        [
            proof.message(record)
            for proof in owned
            for record in database.records(proof.select, proof.parameters)
        ]
    )
    faults: list[str] = []
    measures = dict(database.execute("select measure, family from measures"))
    values = Measuring(database, measures).select("computed_values")
    fitting = (
        f"from ({values}) semi join fitting_measures using (judgment_set_id, measure)"
    )
    with database.hide("computed_values", fitting):
        for proof, record in _records(database):
            for kind, entry_names in names.items():
                if (number := record.get(f"{kind}_id")) is not None:
                    record[kind] = entry_names.get(number, str(number))
            faults.append(proof.message(record))
    _refuse(faults)
    return [
        {"checked": name, "rows": None, "outcome": "proven"}
        for name in dict.fromkeys(proof.name for proof in proofs())
    ]


def _groups_of_runs(database: Database) -> list[str]:
    """Return conditions on rows of runs: of each, a proof needs little memory.

    Together they hold for all rows, also for those of runs that do not exist. There
    are none if all rows can be proven at once.
    """
    firsts: list[int] = []
    documents = 0
    sizes = "select run_id, document_count from runs order by run_id"
    for run_id, size in database.execute(sizes):
        if not firsts or documents + size > _AT_ONCE:
            firsts.append(run_id)
            documents = 0
        documents += size
    if len(firsts) < 2:
        return []
    begins = ["true", *(f"run_id >= {first}" for first in firsts[1:])]
    ends = [*(f"run_id < {first}" for first in firsts[1:]), "true"]
    return [f"{b} and {e}" for b, e in zip(begins, ends, strict=True)]


def _records(database: Database) -> list[tuple[Proof, dict[str, Any]]]:
    """Return the rows that proofs select, proof by proof; runs are proven in groups."""
    all_proofs = [proof for proof in proofs() if proof.name != owners.PROOF]
    faults: list[list[dict[str, Any]]] = [[] for _ in all_proofs]
    groups = _groups_of_runs(database)
    of_runs = database.run("lookups/tables_with_column", {"column": "run_id"})
    for which in groups:
        with ExitStack() as hidden:
            for (table,) in of_runs:
                rows = f"from {database.stored(table)} where {which}"
                hidden.enter_context(database.hide(table, rows))
            for proof, records in zip(all_proofs, faults, strict=True):
                if proof.by_run:
                    records += database.records(proof.select, proof.parameters)
    for proof, records in zip(all_proofs, faults, strict=True):
        if not (proof.by_run and groups):
            records += database.records(proof.select, proof.parameters)
    return [
        (proof, record)
        for proof, records in zip(all_proofs, faults, strict=True)
        for record in records
    ]


def _refuse(faults: list[str]) -> None:
    """Raise NdcgSqlError if there are faults; show the first ten, and count all."""
    if faults:
        more = len(faults) - _SHOWN_FAULTS
        rest = [f"and {more} more faults"] if more > 0 else []
        raise NdcgSqlError("\n".join([*faults[:_SHOWN_FAULTS], *rest]))
