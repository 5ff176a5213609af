"""ndcg-sql remove: runs, judgments, assessments, queries, documents or a dataset."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset, NewDataset
from ndcg_sql.cli.sections import Group
from ndcg_sql.cli.session import Session

app = typer.Typer(
    cls=Group,
    help="Remove runs, judgments, queries, documents or a dataset.",
    no_args_is_help=True,
)


def _names(complete: Callable[[typer.Context], list[str]]) -> Any:
    """Return the argument of several names that a completer knows."""
    return typer.Argument(
        metavar="NAME...",
        help="As ndcg-sql list shows them.",
        autocompletion=complete,
    )


RunNames = Annotated[list[str], _names(completers.runs)]
JudgmentNames = Annotated[list[str], _names(completers.judgment_sets)]
AssessmentNames = Annotated[list[str], _names(completers.assessments)]


@app.command("run", cls=Command, epilog="ndcg-sql remove run keyword")
def remove_runs(
    context: typer.Context, names: RunNames, dataset: Dataset = None
) -> None:
    """Remove runs, with their rankings, tags and values."""
    from ndcg_sql.loading.removing import remove_named

    session = Session.of(context)
    with session.writing(make=False) as database:
        remove_named(database, "run", names, dataset, session.messages)


@app.command("judgments", cls=Command, epilog="ndcg-sql remove judgments judgments")
def remove_judgments(
    context: typer.Context, names: JudgmentNames, dataset: Dataset = None
) -> None:
    """Remove judgment sets, and the values computed with them."""
    from ndcg_sql.loading.removing import remove_named

    session = Session.of(context)
    with session.writing(make=False) as database:
        remove_named(database, "judgment set", names, dataset, session.messages)


@app.command(
    "assessments", cls=Command, epilog="ndcg-sql remove assessments assessments"
)
def remove_assessments(
    context: typer.Context, names: AssessmentNames, dataset: Dataset = None
) -> None:
    """Remove assessments; judgment sets that were made from them stay."""
    from ndcg_sql.loading.removing import remove_named

    session = Session.of(context)
    with session.writing(make=False) as database:
        remove_named(database, "assessments", names, dataset, session.messages)


@app.command("queries", cls=Command, epilog="ndcg-sql remove queries --dataset demo")
def remove_queries(context: typer.Context, dataset: NewDataset = "default") -> None:
    """Remove the texts, weights and attributes of queries; runs and values stay."""
    from ndcg_sql.loading.removing import remove_described

    session = Session.of(context)
    with session.writing(make=False) as database:
        remove_described(database, "queries", dataset, session.messages)


@app.command(
    "documents", cls=Command, epilog="ndcg-sql remove documents --dataset demo"
)
def remove_documents(context: typer.Context, dataset: NewDataset = "default") -> None:
    """Remove the titles and addresses of documents; runs and values stay."""
    from ndcg_sql.loading.removing import remove_described

    session = Session.of(context)
    with session.writing(make=False) as database:
        remove_described(database, "documents", dataset, session.messages)


@app.command("dataset", cls=Command, epilog="ndcg-sql remove dataset demo")
def remove_dataset(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Name of the dataset.",
            autocompletion=completers.datasets,
        ),
    ],
) -> None:
    """Remove a dataset: its judgment sets, its runs, and the data of its queries."""
    from ndcg_sql.loading import removing

    session = Session.of(context)
    with session.writing(make=False) as database:
        removing.remove_dataset(database, name, session.messages)
