"""ndcg-sql changes: what another judgment set changes."""

from typing import Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.chosen import request
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset, Format, MeasureNames, Output, Runs
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql changes judgments judgments-2")
def changes(
    context: typer.Context,
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD",
            help="Name of a judgment set.",
            autocompletion=completers.judgment_sets,
        ),
    ],
    new: Annotated[
        str,
        typer.Argument(
            metavar="NEW",
            help="Another one of the same dataset.",
            autocompletion=completers.judgment_sets,
        ),
    ],
    measure: MeasureNames = None,
    run: Runs = None,
    dataset: Dataset = None,
    per_query: Annotated[
        bool,
        typer.Option(
            "--per-query", "-q", help="List the queries whose values changed."
        ),
    ] = False,
    documents: Annotated[
        bool, typer.Option("--documents", help="List the judgments that differ.")
    ] = False,
    form: Format = None,
    output: Output = None,
) -> None:
    """Show what another judgment set changes: judgments, and the values of runs."""
    from ndcg_sql.analysis import changes as analysis
    from ndcg_sql.output import tables
    from ndcg_sql.output.writing import check_output, write

    if documents and (per_query or measure or run):
        raise NdcgSqlError(
            "--documents: lists judgments, not values; omit -q, -m and --run"
        )
    kind = "judgments" if documents else "values" if per_query else "means"
    check_output(form, output)
    session = Session.of(context)
    asked = request(measure, run, dataset=dataset)
    with (
        session.reading() as database,
        analysis.changes(database, session.messages, (old, new), asked, kind),
    ):
        write(database, form, output, tables.answer)
