"""Checking: all stored data is read, and proven to be consistent."""

import string
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import duckdb

from ndcg_sql.comparison.answers import Answer, Context, Record, Rows
from ndcg_sql.database import owners, schema, sql_files, views
from ndcg_sql.database.connections import harmless_path, translated
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.database.views import STORE
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import judgment_sets, runs
from ndcg_sql.evaluation.measuring import Measuring
from ndcg_sql.text import quoted, sql_name

_SHOWN_FAULTS = 10
# About how many ranked documents are proven at once.
_AT_ONCE = 1_000_000
# The first run of each of these groups.
_FIRSTS = (
    "select min(run_id) from (select run_id, (sum(document_count) over (order by"
    " run_id) - document_count) // $at_once as part from runs) group by part order by 1"
)
_Row = dict[str, str | int | None]
_Proof = dict[str, str]


def check(context: Context) -> Answer:
    """Return what was checked; raise NdcgSqlError for faults.

    Every value of every table is read, which finds damage; every view must be
    there. Then each row of sql/proofs.csv is proven.
    """
    database, messages = context
    _tell_of_file(context)
    rows = [*_read_tables(database), _find_views(database), *_prove(database)]
    messages.tell("no fault found")
    return Answer("check", Rows.selected(database, ROWS, {"rows": rows}))


def _tell_of_file(context: Context) -> None:
    database, messages = context
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
            [(rows, _)] = database.execute(sql)
            read.append({"checked": f"table {shown}", "rows": rows, "outcome": "read"})
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            fault = translated(error, harmless_path(database.path))
            faults.append(f"table {quoted(shown)}: {fault}")
    _refuse(faults)
    return read


def _find_views(database: Database) -> _Row:
    restoring = "missing; the next command that writes, such as evaluate, restores it"
    missing = schema.missing_views(database)
    _refuse([f"view {quoted(name)}: {restoring}" for name in missing])
    count = len(views.computing()) + len(views.public())
    return {"checked": "views", "rows": count, "outcome": "found"}


def _prove(database: Database) -> list[_Row]:
    """Run every proof, and raise NdcgSqlError for the faults that they select.

    A row of sql/proofs.csv names a select of faults, whose parameters are its other
    columns. The opening comment of the select is the message of a fault, which has the
    name of a run or judgment set in place of its id. Rows without an owner explain what
    other proofs would find: they are looked for first, and alone if there are any.
    """
    proofs = sql_files.rows("proofs")
    owned = [proof for proof in proofs if proof["proof"] == owners.PROOF]
    faults = _faults(database, owned, [])
    if not faults:
        measures = dict(database.execute("select measure, family from measures"))
        measuring = Measuring(database, measures)
        fitting = "semi join fitting_measures using (judgment_set_id, measure)"
        values = measuring.select("computed_values")
        ideals = measuring.select("computed_ideal_sums")
        with (
            database.hide("computed_values", f"from ({values}) {fitting}"),
            database.hide("computed_ideal_sums", f"from ({ideals}) {fitting}"),
            database.hide("weighted_means", sql_files.read("lookups/weighted_means")),
        ):
            others = [proof for proof in proofs if proof not in owned]
            faults = _faults(database, others, _groups_of_runs(database))
    kinds = {"run": runs(database), "judgment_set": judgment_sets(database)}
    messages: list[str] = []
    for proof, fault in faults:
        for kind, entries in kinds.items():
            if (number := fault.get(f"{kind}_id")) is not None:
                names = {entry.id: entry.name for entry in entries}
                fault[kind] = names.get(number, str(number))
        comment = sql_files.opening_comment(_select(proof))
        filled = {name: quoted(value) for name, value in fault.items()}
        messages.append(string.Formatter().vformat(comment, (), {**proof, **filled}))
    _refuse(messages)
    checked = dict.fromkeys(proof["proof"] for proof in proofs)
    return [{"checked": name, "rows": None, "outcome": "proven"} for name in checked]


def _select(proof: _Proof) -> str:
    return sql_files.read(f"proofs/{proof['select']}")


def _groups_of_runs(database: Database) -> list[str]:
    """Return conditions on rows of runs: of each, a proof needs little memory.

    Together they hold for all rows, also for those of runs that do not exist. There
    are none if all rows can be proven at once.
    """
    firsts = [first for (first,) in database.execute(_FIRSTS, {"at_once": _AT_ONCE})]
    bounds = [-(1 << 62), *firsts[1:], 1 << 62]
    groups = [f"run_id >= {low} and run_id < {high}" for low, high in pairwise(bounds)]
    return groups if len(groups) > 1 else []


def _faults(
    database: Database, proofs: Sequence[_Proof], groups: Sequence[str]
) -> list[tuple[_Proof, Record]]:
    """Return the rows that proofs select, proof by proof; runs are proven in groups."""
    faults: list[list[Record]] = [[] for _ in proofs]
    of_runs = database.run("lookups/tables_with_column", {"column": "run_id"})
    for which in [*groups, None]:
        with ExitStack() as hidden:
            for (table,) in of_runs if which else ():
                rows = f"from {database.stored(table)} where {which}"
                hidden.enter_context(database.hide(table, rows))
            for proof, records in zip(proofs, faults, strict=True):
                if bool(which) == bool(groups and proof["by_run"]):
                    keyed = proof | {"key": proof["key"].split()}
                    records += database.records(_select(proof), keyed)
    return [
        (proof, record)
        for proof, records in zip(proofs, faults, strict=True)
        for record in records
    ]


def _refuse(faults: list[str]) -> None:
    """Raise NdcgSqlError if there are faults; show the first ten, and count all."""
    if faults:
        more = len(faults) - _SHOWN_FAULTS
        rest = [f"and {more} more faults"] if more > 0 else []
        raise NdcgSqlError("\n".join([*faults[:_SHOWN_FAULTS], *rest]))
