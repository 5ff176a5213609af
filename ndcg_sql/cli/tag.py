"""ndcg-sql tag: tags of what is loaded."""

from typing import Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.chosen import key_values
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset
from ndcg_sql.cli.sections import Group
from ndcg_sql.cli.session import Session

app = typer.Typer(cls=Group, help="Tag a run.", no_args_is_help=True)


@app.callback()
def tag() -> None:
    """Tag a run."""


@app.command("run", cls=Command, epilog="ndcg-sql tag run hybrid model=v2 branch=main")
def tag_run(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="Name of the run.", autocompletion=completers.runs
        ),
    ],
    tags: Annotated[
        list[str], typer.Argument(metavar="KEY=VALUE...", help="Such as model=bm25.")
    ],
    dataset: Dataset = None,
) -> None:
    """Give a run tags; a tag that it already has gets the new value.

    KEY= without a value removes a tag.
    """
    from ndcg_sql.loading.labelling import tag as give

    session = Session.of(context)
    given = key_values("tag", tags, "model=bm25", may_be_empty=True)
    with session.writing(make=False) as database:
        give(database, name, given, dataset, session.messages)
