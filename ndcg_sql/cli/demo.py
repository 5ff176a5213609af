"""ndcg-sql demo: bundled data to try everything on."""

import typer

from ndcg_sql.cli.command import Command
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command("demo", cls=Command, epilog="ndcg-sql demo")
def run(context: typer.Context) -> None:
    """Try everything on bundled data."""
    from ndcg_sql import demo

    session = Session.of(context)
    with session.warehouse_written() as warehouse:
        demo.fill(warehouse.database, session.messages)
    with session.warehouse_read() as warehouse:
        demo.show(warehouse.database, session.messages)
