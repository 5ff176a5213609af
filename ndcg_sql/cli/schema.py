"""ndcg-sql schema: the public relations and the meanings of their columns."""

from typing import Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Output
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import nearest, quoted

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql schema query_values")
def schema(
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
    from ndcg_sql.database import opening, views
    from ndcg_sql.database.results import output as rows_of
    from ndcg_sql.output import tables
    from ndcg_sql.output.writing import write

    names = list(views.public())
    if view is not None and view not in names:
        hint = nearest(view, names) or "ndcg-sql schema shows all"
        raise NdcgSqlError(f"no view {quoted(view)}; {hint}")
    asked = names if view is None else [view]
    with (
        opening.memory() as database,
        rows_of(database, "reports/schema", {"names": asked}),
    ):
        write(database, "markdown", output, tables.schema)
