"""ndcg-sql backup: a copy of the whole warehouse."""

import typer

from ndcg_sql.cli.requests import command
from ndcg_sql.cli.session import Session
from ndcg_sql.requests.publishing import BackupRequest

app = typer.Typer()


@command(app, BackupRequest, epilog="ndcg-sql backup backup.duckdb")
def backup(context: typer.Context, request: BackupRequest) -> None:
    """Copy the whole warehouse to a file.

    The copy is consistent while others write. It is a warehouse itself: name it with
    --warehouse, or rename the file.
    """
    from ndcg_sql.database.backups import back_up

    session = Session.of(context)
    back_up(session.warehouse, request, session.timeout, session.messages)
