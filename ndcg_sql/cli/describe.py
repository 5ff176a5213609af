"""ndcg-sql describe: what a run is, and what of it is judged."""

from typing import Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset, Format, Judgments, Output
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql describe hybrid")
def describe(
    context: typer.Context,
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="Name of the run.", autocompletion=completers.runs
        ),
    ],
    judgments: Judgments = None,
    dataset: Dataset = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Show a run's source, tags, depth and ties, and how much of it is judged."""
    from ndcg_sql.analysis.describing import describe as described
    from ndcg_sql.output import tables
    from ndcg_sql.output.writing import write

    session = Session.of(context)
    with session.reading() as database, described(database, run, judgments, dataset):
        write(database, form, output, tables.fields)
