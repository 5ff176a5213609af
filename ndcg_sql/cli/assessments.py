"""ndcg-sql adjudicate, agreement: several assessors, and one judgment set."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import Dataset, Format, Output, reading, tell, writing

app = typer.Typer()
Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--assessments",
        metavar="A",
        help="Name of loaded assessments; may be repeated; all if left out.",
    ),
]
Who = Annotated[
    list[str] | None,
    typer.Option(
        "--assessor",
        metavar="A",
        help="Name of an assessor; may be repeated; all if left out.",
    ),
]


@app.command()
def adjudicate(
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
    assessments: Sets = None,
    assessor: Who = None,
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
    from ndcg_sql import assessing

    with writing(make=False) as warehouse:
        assessing.adjudicate(
            warehouse,
            name,
            policy,
            assessments or [],
            assessor or [],
            dataset,
            not no_evaluate,
            replace,
            tell,
        )


@app.command()
def agreement(
    assessments: Sets = None,
    assessor: Who = None,
    dataset: Dataset = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Tell how far assessors agree: kappa of each two, kappa and alpha of all."""
    from ndcg_sql import tables
    from ndcg_sql.agreement import agreement
    from ndcg_sql.rendering import write

    with (
        reading() as warehouse,
        agreement(warehouse, assessments or [], assessor or [], dataset),
    ):
        write(warehouse, form, output, tables.answer)
