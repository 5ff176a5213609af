"""ndcg-sql pool: what is to be judged, for assessors."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import (
    Command,
    Dataset,
    Judgments,
    Output,
    Runs,
    request,
    whole,
)
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command)
def pool(
    context: typer.Context,
    run: Runs = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    depth: Annotated[
        int,
        typer.Option(
            "--depth",
            metavar="K",
            parser=whole,
            help="How many documents from the top of each run.",
        ),
    ] = 10,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="S", parser=whole, help="What decides the order."
        ),
    ] = 0,
    all_queries: Annotated[
        bool,
        typer.Option(
            "--all-queries", help="Also queries of which nothing is judged yet."
        ),
    ] = False,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="F",
            help="csv, tsv, json, jsonl or parquet; told from the suffix of -o.",
        ),
    ] = None,
    output: Output = None,
) -> None:
    """Write what is to be judged: what runs show at the top, without their names."""
    from ndcg_sql.analysis import pools
    from ndcg_sql.output.writing import chosen_format, write_data

    form = chosen_format(form, output, pools.FORMATS)
    session = Session.of(context)
    asked = request(None, run, judgments, dataset)
    with (
        session.reading() as database,
        pools.pool(database, session.messages, asked, depth, seed, all_queries),
    ):
        write_data(database, form, output)
