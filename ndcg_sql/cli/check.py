"""ndcg-sql check: read and verify all stored data."""

from dataclasses import replace

import typer

from ndcg_sql.cli.asking import answered
from ndcg_sql.cli.requests import command
from ndcg_sql.cli.session import Session
from ndcg_sql.requests.printing import Printing
from ndcg_sql.requests.questions import CheckRequest

app = typer.Typer()


@command(app, CheckRequest, Printing, epilog="ndcg-sql check")
def check(context: typer.Context, request: CheckRequest, printing: Printing) -> None:
    """Read all stored data, and verify that it is consistent."""
    session = Session.of(context)
    # The proofs compute the values of all runs and measures at once.
    session.limits = replace(session.limits, is_bounded=False)
    answered(context, request, printing)
