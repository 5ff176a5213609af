"""The rows of a command, in a temporary table until they are written."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.text import sql_name

OUTPUT = "output_rows"


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
