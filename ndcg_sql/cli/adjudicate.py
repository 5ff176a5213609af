"""ndcg-sql adjudicate: one judgment set from the grades of several assessors."""

from typing import Annotated

import typer

from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import AssessmentSets, Assessors, Dataset
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql adjudicate panel --policy majority")
def adjudicate(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the new judgment set.")
    ],
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="P",
            help="mean, median, majority (the lowest if tied), max, latest, or"
            " trust: the grade of the first --assessor who judged the document.",
        ),
    ],
    assessments: AssessmentSets = None,
    assessor: Assessors = None,
    dataset: Dataset = None,
    no_evaluate: Annotated[
        bool,
        typer.Option("--no-evaluate", help="Do not evaluate the dataset's runs."),
    ] = False,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Replace an existing set of this name."),
    ] = False,
) -> None:
    """Make a judgment set from the grades of several assessors, by a policy."""
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
