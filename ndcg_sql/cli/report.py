"""ndcg-sql report: the values of runs."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import (
    Attributes,
    Command,
    Dataset,
    Format,
    Judgments,
    Like,
    MeasureNames,
    Output,
    PerQuery,
    Runs,
    chosen_system,
    request,
)
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql report -m 'nDCG@10 AP' --by device")
def report(
    context: typer.Context,
    measure: MeasureNames = None,
    like: Like = None,
    run: Runs = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    by: Attributes = None,
    per_query: PerQuery = False,
    bounds: Annotated[
        bool,
        typer.Option(
            "--bounds",
            help="Show how far values could move if the unjudged documents that the"
            " runs returned had any grades from 0 to the largest; also the value"
            " without such documents, and Bpref.",
        ),
    ] = False,
    form: Format = None,
    output: Output = None,
) -> None:
    """Print the values of runs."""
    from ndcg_sql.analysis.bounds import bounds as bounded
    from ndcg_sql.analysis.report import report as reported
    from ndcg_sql.output import tables
    from ndcg_sql.output.grids import rows_as_they_are
    from ndcg_sql.output.writing import write

    if bounds and (by or like):
        raise NdcgSqlError(
            "--bounds: cannot be combined with --by or --like; omit them"
        )
    session = Session.of(context)
    messages = session.messages
    asked = request(measure, run, judgments, dataset, by, chosen_system(like))
    if bounds:
        with (
            session.reading() as database,
            bounded(database, messages, asked, per_query),
        ):
            write(database, form, output, rows_as_they_are)
        return
    draw = tables.report_queries if per_query else tables.report
    with (
        session.reading() as database,
        reported(database, messages, asked, per_query),
    ):
        write(database, form, output, lambda d, f: draw(d, f, asked.by))
