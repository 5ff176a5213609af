"""ndcg-sql check: all that is stored is read, and proven where it can be."""

from dataclasses import replace

import typer

from ndcg_sql.cli.options import Command, Format, Output
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command)
def check(
    context: typer.Context, form: Format = "table", output: Output = None
) -> None:
    """Read everything that is stored, and prove what can be proven of it."""
    from ndcg_sql.analysis.integrity import checked
    from ndcg_sql.output.grids import rows_as_they_are
    from ndcg_sql.output.writing import write

    session = Session.of(context)
    # What is proven is computed of all runs and measures at once.
    session.limits = replace(session.limits, is_bounded=False)
    with session.reading() as database, checked(database, session.messages):
        write(database, form, output, rows_as_they_are)
