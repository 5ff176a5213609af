"""ndcg-sql history: values over time."""

from typing import Annotated

import typer

from ndcg_sql.cli.chosen import request
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset, Format, Judgments, MeasureNames, Output, Runs
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql history -m nDCG@10")
def history(
    context: typer.Context,
    measure: MeasureNames = None,
    run: Runs = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    tag: Annotated[
        str | None,
        typer.Option(
            "--tag",
            metavar="K[=V]",
            help="Make a series for each value of a run tag, or for one value.",
        ),
    ] = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Show values over time, each with its difference from the previous run."""
    from ndcg_sql.analysis import history as analysis
    from ndcg_sql.output import histories
    from ndcg_sql.output.writing import check_output, write

    check_output(form, output)
    session = Session.of(context)
    asked = request(measure, run, judgments, dataset)
    with (
        session.reading() as database,
        analysis.history(database, session.messages, asked, tag),
    ):
        write(database, form, output, histories.history)
