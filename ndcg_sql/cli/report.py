"""ndcg-sql report: the values of runs."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from ndcg_sql.cli.chosen import chosen_system, key_values, request
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.html import check_html, write_html
from ndcg_sql.cli.options import (
    Attributes,
    Caption,
    Dataset,
    Force,
    Format,
    Html,
    Judgments,
    Label,
    Like,
    MeasureNames,
    Output,
    PerQuery,
    Runs,
    positive,
)
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError

if TYPE_CHECKING:
    from ndcg_sql.database.database import Database

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
    tag: Annotated[
        list[str] | None,
        typer.Option(
            "--tag",
            metavar="K=V",
            help="Only runs with this tag; may be repeated: runs that have them all.",
        ),
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(
            "--sort",
            metavar="M",
            help="Put the runs in the order of a measure, the highest value over all"
            " queries first; in the order of loading if omitted.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            metavar="N",
            parser=positive,
            help="Show only the first N runs of each dataset.",
        ),
    ] = None,
    worst: Annotated[
        int | None,
        typer.Option(
            "--worst",
            metavar="N",
            parser=positive,
            help="With -q, show only the N queries of each run with the lowest values"
            " of the first measure.",
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            "--columns",
            metavar="C,...",
            help="Only these columns of the rows, such as run,measure,value.",
        ),
    ] = None,
    counts: Annotated[
        str,
        typer.Option(
            "--counts",
            metavar="C",
            help="How much a table shows of what values are based on: none, short"
            " (queries and judged@k) or all.",
        ),
    ] = "all",
    form: Format = None,
    caption: Caption = None,
    label: Label = None,
    output: Output = None,
    html: Html = None,
    force: Force = False,
) -> None:
    """Print the values of runs."""
    from ndcg_sql.analysis.bounds import bounds as bounded
    from ndcg_sql.analysis.report import Selection
    from ndcg_sql.analysis.report import report as reported
    from ndcg_sql.database.results import keep_columns
    from ndcg_sql.output import tables
    from ndcg_sql.output.grids import rows_as_they_are
    from ndcg_sql.output.writing import captioned, write

    asked = request(measure, run, judgments, dataset, by, chosen_system(like))
    asked = replace(asked, tags=key_values("--tag", tag, "branch=main"))
    selection = Selection(sort, limit, worst)
    selection.check(asked, per_query, bounds)
    named = captioned(form, output, caption, label)
    if html and limit:
        raise NdcgSqlError("--html: a page shows every run; omit --limit")
    if counts not in tables.COUNTS:
        known = ", ".join(tables.COUNTS)
        raise NdcgSqlError(f"--counts {counts}: not one of {known}")
    if counts != "all" and (bounds or columns or per_query):
        raise NdcgSqlError(
            "--counts: cannot be combined with --bounds, --columns or --per-query;"
            " omit it"
        )
    check_html(html, force, output)
    session = Session.of(context)
    messages = session.messages
    chosen = [] if columns is None else [name.strip() for name in columns.split(",")]

    def draw(database: "Database", form: str) -> str:
        if bounds or chosen:
            return rows_as_they_are(database, form)
        if per_query:
            return tables.report_queries(database, form, asked.by)
        return tables.report(database, form, asked.by, counts)

    with session.reading() as database:
        if bounds:
            answer = bounded(database, messages, asked, per_query)
        else:
            answer = reported(database, messages, asked, per_query, selection)
        with answer:
            if chosen:
                keep_columns(database, chosen)
            write(database, form, output, named(draw))
        if html is not None:
            write_html(database, messages, html, asked)
