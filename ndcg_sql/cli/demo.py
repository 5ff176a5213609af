"""ndcg-sql demo: bundled data to try everything on."""

import typer

from ndcg_sql.cli.command import Command
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql demo")
def demo(context: typer.Context) -> None:
    """Try everything on bundled data."""
    from ndcg_sql.demo import run

    session = Session.of(context)
    run(session.warehouse, session.writing, session.reading, session.messages)
