"""ndcg-sql overlap: how similar two runs are."""

from typing import Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset, Format, Output, PerQuery, decimal
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql overlap bm25 hybrid")
def overlap(
    context: typer.Context,
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="Name of a run.", autocompletion=completers.runs
        ),
    ],
    other: Annotated[
        str,
        typer.Argument(
            metavar="OTHER", help="Name of another.", autocompletion=completers.runs
        ),
    ],
    persistence: Annotated[
        float,
        typer.Option(
            "--p",
            metavar="P",
            parser=decimal,
            help="Probability that a reader goes on to the next document, above 0 and"
            " below 1.",
        ),
    ] = 0.9,
    per_query: PerQuery = False,
    dataset: Dataset = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Show how similar two runs are: their rank-biased overlap, without judgments."""
    from ndcg_sql.analysis import overlap as analysis
    from ndcg_sql.output.grids import rows_as_they_are
    from ndcg_sql.output.writing import check_output, write

    names = (run, other)
    check_output(form, output)
    with (
        Session.of(context).reading() as database,
        analysis.overlap(database, names, dataset, persistence, per_query),
    ):
        write(database, form, output, rows_as_they_are)
