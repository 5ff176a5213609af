"""Printing the rows of a select."""

from pathlib import Path
from typing import TYPE_CHECKING

from ndcg_sql.cli.session import Session

if TYPE_CHECKING:
    from ndcg_sql.database.database import Database


def print_rows(
    session: Session,
    database: "Database",
    file: str,
    form: str | None,
    output: Path | None,
    nothing: str = "",
) -> None:
    """Print the rows of a select under sql/; without any, print nothing's message."""
    from ndcg_sql.database.results import OUTPUT
    from ndcg_sql.database.results import output as rows_of
    from ndcg_sql.output.grids import rows_as_they_are
    from ndcg_sql.output.writing import write

    with rows_of(database, file):
        write(database, form, output, rows_as_they_are)
        if nothing and not database.execute(f"from {OUTPUT} limit 1"):
            session.messages.tell(nothing)
