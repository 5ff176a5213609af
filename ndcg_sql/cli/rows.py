"""Printing the rows of a select."""

from typing import TYPE_CHECKING

from ndcg_sql.cli.session import Session
from ndcg_sql.requests.printing import Printing

if TYPE_CHECKING:
    from ndcg_sql.database.database import Database


def print_rows(
    session: Session,
    database: "Database",
    file: str,
    printing: Printing,
    nothing: str = "",
) -> None:
    """Print the rows of a select under sql/; without any, print nothing's message."""
    from ndcg_sql.analysis.answers import Answer, Rows
    from ndcg_sql.output.writing import write
    from ndcg_sql.requests.shared import Request

    rows = Rows.of(database, file)
    write(Answer("rows", Request(), rows), printing, session.warehouse)
    if nothing and not len(rows):
        session.messages.tell(nothing)
