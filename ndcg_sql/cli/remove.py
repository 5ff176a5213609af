"""ndcg-sql remove: runs, judgments, assessments or a dataset, with all their data."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import Command, Dataset
from ndcg_sql.cli.session import Session

app = typer.Typer(help="Remove runs, judgments or a dataset.", no_args_is_help=True)
Names = Annotated[
    list[str], typer.Argument(metavar="NAME...", help="As ndcg-sql list shows them.")
]


@app.command("run", cls=Command)
def remove_runs(context: typer.Context, names: Names, dataset: Dataset = None) -> None:
    """Remove runs, with their rankings, tags and values."""
    from ndcg_sql.loading.removing import remove_named

    session = Session.of(context)
    with session.writing(make=False) as database:
        remove_named(database, "run", names, dataset, session.messages)


@app.command("judgments", cls=Command)
def remove_judgments(
    context: typer.Context, names: Names, dataset: Dataset = None
) -> None:
    """Remove judgment sets, and the values computed with them."""
    from ndcg_sql.loading.removing import remove_named

    session = Session.of(context)
    with session.writing(make=False) as database:
        remove_named(database, "judgment set", names, dataset, session.messages)


@app.command("assessments", cls=Command)
def remove_assessments(
    context: typer.Context, names: Names, dataset: Dataset = None
) -> None:
    """Remove assessments; judgment sets that were made from them stay."""
    from ndcg_sql.loading.removing import remove_named

    session = Session.of(context)
    with session.writing(make=False) as database:
        remove_named(database, "assessments", names, dataset, session.messages)


@app.command("dataset", cls=Command)
def remove_dataset(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the dataset.")],
) -> None:
    """Remove a dataset: its judgment sets, its runs, and the data of its queries."""
    from ndcg_sql.loading import removing

    session = Session.of(context)
    with session.writing(make=False) as database:
        removing.remove_dataset(database, name, session.messages)
