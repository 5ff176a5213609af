"""ndcg-sql holes, pool: what nobody judged, and how it gets judged."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import (
    Dataset,
    Format,
    Judgments,
    MeasureNames,
    Output,
    Runs,
    reading,
    tell,
    whole,
)

app = typer.Typer()


@app.command()
def holes(
    measure: MeasureNames = None,
    run: Runs = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            metavar="K",
            parser=whole,
            help="How many documents from the top to look at.",
            show_default="the measure's cutoff, or 10",
        ),
    ] = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """List what runs show but nobody judged; what could change most comes first."""
    from ndcg_sql import tables
    from ndcg_sql.holes import holes
    from ndcg_sql.rendering import write

    with (
        reading() as warehouse,
        holes(
            warehouse,
            tell,
            measure or [],
            run or [],
            judgments=judgments,
            dataset=dataset,
            depth=depth,
        ),
    ):
        write(warehouse, form, output, tables.answer)


@app.command()
def pool(
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
    from ndcg_sql import holes
    from ndcg_sql.rendering import chosen_format, write_data

    form = chosen_format(form, output, holes.FORMATS)
    with (
        reading() as warehouse,
        holes.pool(
            warehouse,
            tell,
            run or [],
            judgments=judgments,
            dataset=dataset,
            depth=depth,
            seed=seed,
            all_queries=all_queries,
        ),
    ):
        write_data(warehouse, form, output)
