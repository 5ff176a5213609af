"""ndcg-sql holes: unjudged documents that runs return."""

from typing import Annotated

import typer

from ndcg_sql.cli.chosen import request
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import (
    Dataset,
    Format,
    Judgments,
    MeasureNames,
    Output,
    Runs,
    whole,
)
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql holes -m nDCG@10 --run hybrid")
def holes(
    context: typer.Context,
    measure: MeasureNames = None,
    run: Runs = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            metavar="K",
            parser=whole,
            help="Number of top documents to look at.",
            show_default="the measure's cutoff, or 10",
        ),
    ] = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """List unjudged documents of runs; those that could change most come first."""
    from ndcg_sql.analysis.unjudged import unjudged_documents
    from ndcg_sql.output import tables
    from ndcg_sql.output.writing import check_output, write

    check_output(form, output)
    session = Session.of(context)
    asked = request(measure, run, judgments, dataset)
    with (
        session.reading() as database,
        unjudged_documents(database, session.messages, asked, depth),
    ):
        write(database, form, output, tables.answer)
