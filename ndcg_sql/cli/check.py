"""ndcg-sql check: read and verify all stored data."""

from dataclasses import replace

import typer

from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Format, Output
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql check")
def check(
    context: typer.Context, form: Format = "table", output: Output = None
) -> None:
    """Read all stored data, and verify that it is consistent."""
    from ndcg_sql.analysis.integrity import checked
    from ndcg_sql.output.grids import rows_as_they_are
    from ndcg_sql.output.writing import check_output, write

    check_output(form, output)
    session = Session.of(context)
    # The proofs compute the values of all runs and measures at once.
    session.limits = replace(session.limits, is_bounded=False)
    with session.reading() as database, checked(database, session.messages):
        write(database, form, output, rows_as_they_are)
