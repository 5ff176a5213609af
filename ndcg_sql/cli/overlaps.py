"""ndcg-sql overlap: how alike two runs are."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import Dataset, Format, Output, PerQuery, decimal, reading

app = typer.Typer()


@app.command()
def overlap(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Name of a run.")],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="Name of another.")],
    persistence: Annotated[
        float,
        typer.Option(
            "--p",
            metavar="P",
            parser=decimal,
            help="How likely a reader goes on to the next document, above 0, below 1.",
        ),
    ] = 0.9,
    per_query: PerQuery = False,
    dataset: Dataset = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Tell how alike two runs rank: their rank-biased overlap, without judgments."""
    from ndcg_sql import reports
    from ndcg_sql.rendering import rows_as_they_are, write

    with reading() as warehouse:
        chosen = [reports.choose_run(warehouse, name, dataset) for name in (run, other)]
        with reports.overlap(warehouse, chosen, persistence, per_query):
            write(warehouse, form, output, rows_as_they_are)
