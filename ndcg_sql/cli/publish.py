"""ndcg-sql publish: a copy for readers, who never have to wait."""

from pathlib import Path
from typing import Annotated

import typer

from ndcg_sql.cli.command import Command
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql publish dashboards.duckdb")
def publish(
    context: typer.Context,
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TARGET", parser=Path, help="The file that readers open."
        ),
    ],
) -> None:
    """Write a compact copy for BI tools, which can read the old one meanwhile."""
    from ndcg_sql.output import publishing
    from ndcg_sql.text import quoted

    session = Session.of(context)
    with session.reading() as database:
        publishing.publish(database, target, session.timeout, session.messages)
    session.messages.tell(f"published {quoted(str(target))}")
