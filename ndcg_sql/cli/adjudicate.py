"""ndcg-sql adjudicate: one judgment set of what several assessors said."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import AssessmentSets, Assessors, Command, Dataset
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command)
def adjudicate(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the judgment set to make.")
    ],
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="P",
            help="mean, median, majority (of several, the lowest), max, latest, or"
            " trust: the first --assessor named who judged it.",
        ),
    ],
    assessments: AssessmentSets = None,
    assessor: Assessors = None,
    dataset: Dataset = None,
    no_evaluate: Annotated[
        bool,
        typer.Option("--no-evaluate", help="Do not value the dataset's runs with it."),
    ] = False,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Put it in the place of what has its name."),
    ] = False,
) -> None:
    """Make a judgment set of what several assessors said, by a policy."""
    from ndcg_sql.loading import adjudicating

    session = Session.of(context)
    with session.writing(make=False) as database:
        adjudicating.adjudicate(
            database,
            name,
            policy,
            assessments or [],
            assessor or [],
            dataset,
            not no_evaluate,
            replace,
            session.messages,
        )
