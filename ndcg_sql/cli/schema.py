"""ndcg-sql schema: the public relations and the meanings of their columns."""

from typing import Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Output
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.printing import Printing
from ndcg_sql.text import nearest, quoted

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql schema query_values")
def schema(
    context: typer.Context,
    view: Annotated[
        str | None,
        typer.Argument(
            metavar="[VIEW]",
            help="Name of one relation; all if omitted.",
            autocompletion=completers.relations,
        ),
    ] = None,
    output: Output = None,
) -> None:
    """Print the public relations and the meanings of their columns, in Markdown."""
    from ndcg_sql.analysis.answers import Answer, Rows
    from ndcg_sql.database import opening, views
    from ndcg_sql.output.writing import write
    from ndcg_sql.requests.shared import Request

    names = list(views.public())
    if view is not None and view not in names:
        hint = nearest(view, names) or "ndcg-sql schema shows all"
        raise NdcgSqlError(f"no view {quoted(view)}; {hint}")
    asked = names if view is None else [view]
    with opening.memory() as database:
        rows = Rows.of(database, "reports/schema", {"names": asked})
        printing = Printing("markdown", output)
        own = Session.of(context).warehouse
        write(Answer("schema", Request(), rows), printing, own)
