"""The rows of a command, in a temporary table until they are written."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import listed, nearest, sql_name

OUTPUT = "output_rows"
_REDUCED = "reduced_rows"


@contextmanager
def output(
    database: Database,
    file: str,
    parameters: Parameters | None = None,
    slices: Sequence[str] = (),
    leading: Sequence[str] = ("run", "judgment_set", "dataset"),
) -> Generator[None]:
    """Put the rows of a file under sql/ into the table OUTPUT while inside.

    If slices are named, the column slice, a JSON array, becomes columns with
    these names, after the leading ones.
    """
    select = sql_files.read(file)
    if slices:
        first = ", ".join(leading)
        split = ", ".join(
            f"slice ->> '$[{i}]' as {sql_name(name)}" for i, name in enumerate(slices)
        )
        select = f"select {first}, {split}, * exclude ({first}, slice) from ({select})"
    with database.temporary(OUTPUT, select, parameters):
        yield


def fetch(database: Database) -> list[dict[str, Any]]:
    """Return the rows of the table OUTPUT by column name."""
    return database.records(f"from {OUTPUT}")


def reduce_output(
    database: Database, select: str, parameters: Parameters | None = None
) -> None:
    """Replace the rows of the table OUTPUT by those of a select from it."""
    database.execute(f"create temp table {_REDUCED} as {select}", parameters)
    database.execute(f"drop table {OUTPUT}")
    database.execute(f"alter table {_REDUCED} rename to {OUTPUT}")


def keep_columns(database: Database, names: Sequence[str]) -> None:
    """Keep only these columns of the table OUTPUT, in this order."""
    described = database.execute(f"describe {OUTPUT}")
    known = [str(row[0]) for row in described]
    for name in names:
        if name not in known:
            hint = nearest(name, known) or f"known: {listed(known, len(known))}"
            raise NdcgSqlError(f"--columns {name}: not a column; {hint}")
    columns = ", ".join(sql_name(name) for name in dict.fromkeys(names))
    reduce_output(database, f"select {columns} from {OUTPUT}")
