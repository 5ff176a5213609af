"""ndcg-sql pool: the documents to be judged, for assessors."""

from typing import Annotated

import typer

from ndcg_sql.cli.chosen import request
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset, Judgments, Output, Runs, whole
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import harmless

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql pool --depth 10 -o pool.csv")
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
            help="Number of top documents of each run.",
        ),
    ] = 10,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="S", parser=whole, help="Seed of the random order."
        ),
    ] = 0,
    all_queries: Annotated[
        bool,
        typer.Option("--all-queries", help="Include queries without any judgment."),
    ] = False,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="F",
            help="csv, tsv, json, jsonl or parquet; by default from the suffix of -o.",
        ),
    ] = None,
    output: Output = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Replace FILE, and the grades written into it."),
    ] = False,
) -> None:
    """Write the documents to be judged: the top of each run, without run names."""
    from ndcg_sql.analysis import pools
    from ndcg_sql.output.writing import chosen_format, write_data

    form = chosen_format(form, output, pools.FORMATS)
    if output is not None and output.is_file() and not force:
        raise NdcgSqlError(
            f"-o {harmless(str(output))}: exists, and may hold grades; name another"
            " file, or replace it with --force"
        )
    session = Session.of(context)
    asked = request(None, run, judgments, dataset)
    with (
        session.reading() as database,
        pools.pool(database, session.messages, asked, depth, seed, all_queries),
    ):
        write_data(database, form, output)
