"""Checking: all that is stored is read, and what can be proven of it is proven."""

import string
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from ndcg_sql import sqlfiles
from ndcg_sql.connections import harmless_path, translated
from ndcg_sql.database import ROWS
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reports import OUTPUT, judgment_sets, runs
from ndcg_sql.text import quoted, sql_name
from ndcg_sql.warehouse import Warehouse

_SHOWN_FAULTS = 10
_Row = dict[str, str | int | None]


@contextmanager
def checked(warehouse: Warehouse, tell: Callable[[str], None]) -> Generator[None]:
    """Put what was checked into the table OUTPUT; raise NdcgSqlError for faults.

    Every value of every table is read, which finds damage. Then each file under
    sql/proofs selects what is not as it should be; its opening comment says so.
    """
    _tell_of_file(warehouse, tell)
    rows = [*_read_tables(warehouse), *_prove(warehouse)]
    with warehouse.temporary(OUTPUT, ROWS, {"rows": rows}):
        yield


def _tell_of_file(warehouse: Warehouse, tell: Callable[[str], None]) -> None:
    """Tell the versions, and of a log that a command left."""
    shown = harmless_path(warehouse.path)
    storage = warehouse.run("reports/storage_version")[0][0]
    tell(f"{shown}: storage version {storage}, read by DuckDB {duckdb.__version__}")
    if Path(f"{warehouse.path}.wal").exists():
        tell(
            f"{shown}.wal: left by a command that was ended; the next command that"
            " writes folds it in, and until then the two files belong together"
        )


def _read_tables(warehouse: Warehouse) -> list[_Row]:
    """Read every value of every table, those of the user too."""
    read: list[_Row] = []
    faults: list[str] = []
    for schema, table in warehouse.run("reports/stored_tables"):
        name = f"{sql_name(schema)}.{sql_name(table)}"
        sql = f"select count(*), bit_xor(hash(held)) from {name} as held"
        shown = table if schema == "main" else f"{schema}.{table}"
        try:
            rows = warehouse.execute(sql)[0][0]
        except duckdb.InterruptException:
            raise
        except duckdb.Error as error:
            fault = translated(error, harmless_path(warehouse.path))
            faults.append(f"table {quoted(shown)}: {fault}")
        else:
            read.append({"checked": f"table {shown}", "rows": rows, "outcome": "read"})
    _refuse(faults)
    return read


def _prove(warehouse: Warehouse) -> list[_Row]:
    """Look for what is not as it should be.

    A proof that selects ids of runs and judgment sets has their names in its
    message, or the ids themselves where nothing has them.
    """
    names = {
        "run": {entry.id: entry.name for entry in runs(warehouse)},
        "judgment_set": {entry.id: entry.name for entry in judgment_sets(warehouse)},
    }
    proven: list[_Row] = []
    faults: list[str] = []
    for proof in sqlfiles.names("proofs"):
        sql = sqlfiles.read(proof)
        message = sqlfiles.opening_comment(sql)
        for record in warehouse.records(sql):
            for kind, known in names.items():
                if (number := record.get(f"{kind}_id")) is not None:
                    record[kind] = known.get(number, str(number))
            values = {name: quoted(value) for name, value in record.items()}
            faults.append(string.Formatter().vformat(message, (), values))
        what = Path(proof).name.replace("_", " ")
        proven.append({"checked": what, "rows": None, "outcome": "proven"})
    _refuse(faults)
    return proven


def _refuse(faults: list[str]) -> None:
    """Raise NdcgSqlError if there are faults: all counted, the first ten shown."""
    if faults:
        more = len(faults) - _SHOWN_FAULTS
        rest = [f"and {more} more faults"] if more > 0 else []
        raise NdcgSqlError("\n".join([*faults[:_SHOWN_FAULTS], *rest]))
