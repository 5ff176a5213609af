"""ndcg-sql list: what is in the warehouse."""

import typer

from ndcg_sql.cli.options import Command, Format, Output, print_rows
from ndcg_sql.cli.session import Session
from ndcg_sql.text import harmless

app = typer.Typer()


@app.command("list", cls=Command)
def list_contents(
    context: typer.Context, form: Format = None, output: Output = None
) -> None:
    """List the judgment sets, assessments and runs of every dataset."""
    session = Session.of(context)
    with session.reading() as database:
        print_rows(
            session,
            database,
            "reports/contents",
            form,
            output,
            f"{harmless(str(session.warehouse))}: no judgments, assessments or runs;"
            " load some with ndcg-sql load judgments FILE and ndcg-sql load run FILE",
        )
