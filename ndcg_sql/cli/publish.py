"""ndcg-sql publish: the public relations as tables, for readers who never wait."""

from typing import Annotated

import typer

from ndcg_sql.cli.command import Command
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(
    cls=Command,
    epilog="ndcg-sql publish dashboards.duckdb",
)
def publish(
    context: typer.Context,
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="A DuckDB file; a folder for Parquet files, ending in /; or the URL"
            " of a database.",
        ),
    ],
    schema: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The schema in the database; by default ndcg_sql, or the database of"
            " the URL where schemas are databases.",
        ),
    ] = None,
) -> None:
    """Write the public relations as tables for BI tools, which never have to wait."""
    from ndcg_sql.output.publishing import publish

    session = Session.of(context)
    publish.publish(session.reading, target, schema, session.timeout, session.messages)
