"""ndcg-sql changes, history: the same runs with other judgments, and over time."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import (
    Dataset,
    Format,
    Judgments,
    MeasureNames,
    Output,
    Runs,
    reading,
    tell,
)
from ndcg_sql.errors import NdcgSqlError

app = typer.Typer()


@app.command()
def changes(
    old: Annotated[str, typer.Argument(metavar="OLD", help="Name of a judgment set.")],
    new: Annotated[
        str, typer.Argument(metavar="NEW", help="Name of another of its dataset.")
    ],
    measure: MeasureNames = None,
    run: Runs = None,
    dataset: Dataset = None,
    per_query: Annotated[
        bool,
        typer.Option("--per-query", "-q", help="The queries whose values moved."),
    ] = False,
    documents: Annotated[
        bool, typer.Option("--documents", help="The judgments that differ, instead.")
    ] = False,
    form: Format = None,
    output: Output = None,
) -> None:
    """Tell what another judgment set changes: judgments, and the values of runs."""
    from ndcg_sql import tables
    from ndcg_sql.changes import changes
    from ndcg_sql.rendering import write

    if documents and (per_query or measure or run):
        raise NdcgSqlError(
            "--documents: judgments, whatever the runs; leave -q, -m and --run out"
        )
    kind = "judgments" if documents else "values" if per_query else "means"
    with (
        reading() as warehouse,
        changes(
            warehouse,
            tell,
            old,
            new,
            measure or [],
            run or [],
            dataset=dataset,
            kind=kind,
        ),
    ):
        write(warehouse, form, output, tables.answer)


@app.command()
def history(
    measure: MeasureNames = None,
    run: Runs = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    tag: Annotated[
        str | None,
        typer.Option(
            "--tag",
            metavar="K[=V]",
            help="A series for each value of a tag of the runs, or for one value.",
        ),
    ] = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Show values over time, each with the run before and the difference to it."""
    from ndcg_sql.changes import history
    from ndcg_sql.rendering import rows_as_they_are, write

    with (
        reading() as warehouse,
        history(
            warehouse,
            tell,
            measure or [],
            run or [],
            judgments=judgments,
            dataset=dataset,
            tag=tag,
        ),
    ):
        write(warehouse, form, output, rows_as_they_are)
