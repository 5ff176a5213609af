"""ndcg-sql measures: the registered measures, and those that can be registered."""

from typing import Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset, Format, Output
from ndcg_sql.cli.rows import print_rows
from ndcg_sql.cli.sections import Group
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.printing import Printing
from ndcg_sql.requests.shared import Request

app = typer.Typer(
    cls=Group, help="List, add or remove measures.", invoke_without_command=True
)


@app.callback()
def measures(context: typer.Context) -> None:
    """List, add or remove registered measures."""
    if context.invoked_subcommand is None:
        list_measures(context)


@app.command("list", cls=Command, epilog="ndcg-sql measures list --families")
def list_measures(
    context: typer.Context,
    families: Annotated[
        bool, typer.Option("--families", help="List the families to register instead.")
    ] = False,
    systems: Annotated[
        bool,
        typer.Option("--systems", help="List the measures of other systems instead."),
    ] = False,
    form: Format = None,
    output: Output = None,
) -> None:
    """List the registered measures, whose values are stored."""
    from ndcg_sql.analysis.answers import Answer, Rows
    from ndcg_sql.database import opening
    from ndcg_sql.database.database import ROWS
    from ndcg_sql.measures import families as measures_of_families
    from ndcg_sql.measures import systems as other_systems
    from ndcg_sql.output.writing import write

    if families and systems:
        raise NdcgSqlError("--families and --systems: one list at a time")
    session, printing = Session.of(context), Printing(form, output)
    if families or systems:
        module = other_systems if systems else measures_of_families
        rows = {"rows": module.described()}
        with opening.scratch() as database:
            listed = Rows.selected(database, ROWS, rows)
            write(Answer("measures", Request(), listed), printing, session.warehouse)
        return
    with session.reading() as database:
        print_rows(
            session,
            database,
            "reports/registered_measures",
            printing,
            "no measure is registered; ndcg-sql measures add nDCG@10 registers one",
        )


@app.command(
    "add", cls=Command, epilog="ndcg-sql measures add \"nDCG(dcg='exp-log2')@7\""
)
def add_measures(
    context: typer.Context,
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="MEASURE...",
            help="Such as nDCG(dcg='exp-log2')@7.",
            autocompletion=completers.measures,
        ),
    ],
    dataset: Dataset = None,
) -> None:
    """Register measures, and store their values for every evaluation.

    With --dataset, they are evaluated for this dataset only; otherwise for every
    dataset whose grades they can use.
    """
    from ndcg_sql.evaluation import registry

    session = Session.of(context)
    with session.writing() as database:
        registry.add_measures(database, names, dataset, session.messages)


@app.command("remove", cls=Command, epilog="ndcg-sql measures remove R@100")
def remove_measures(
    context: typer.Context,
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="MEASURE...",
            help="Such as nDCG@10.",
            autocompletion=completers.registered,
        ),
    ],
    dataset: Dataset = None,
) -> None:
    """Remove registered measures and their stored values.

    With --dataset, measures that are registered for this dataset alone stay
    registered for their other datasets.
    """
    from ndcg_sql.evaluation import registry

    session = Session.of(context)
    with session.writing(make=False) as database:
        registry.remove_measures(database, names, dataset, session.messages)
