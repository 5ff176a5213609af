"""ndcg-sql rename: another name for a run or a judgment set."""

from typing import Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset
from ndcg_sql.cli.sections import Group
from ndcg_sql.cli.session import Session

app = typer.Typer(
    cls=Group, help="Rename a run or a judgment set.", no_args_is_help=True
)
New = Annotated[str, typer.Argument(metavar="NEW", help="Its new name.")]


@app.command("run", cls=Command, epilog="ndcg-sql rename run bm25 bm25-2026-01")
def rename_run(
    context: typer.Context,
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD", help="Name of the run.", autocompletion=completers.runs
        ),
    ],
    new: New,
    dataset: Dataset = None,
) -> None:
    """Rename a run; its id, its content and its values stay."""
    from ndcg_sql.loading.labelling import rename

    session = Session.of(context)
    with session.writing(make=False) as database:
        rename(database, "run", old, new, dataset, session.messages)


@app.command(
    "judgments", cls=Command, epilog="ndcg-sql rename judgments judgments version-1"
)
def rename_judgments(
    context: typer.Context,
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD",
            help="Name of the judgment set.",
            autocompletion=completers.judgment_sets,
        ),
    ],
    new: New,
    dataset: Dataset = None,
) -> None:
    """Rename a judgment set; its id, its content and its values stay."""
    from ndcg_sql.loading.labelling import rename

    session = Session.of(context)
    with session.writing(make=False) as database:
        rename(database, "judgment set", old, new, dataset, session.messages)
