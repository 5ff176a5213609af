"""ndcg-sql emit: the SQL of measures for another engine."""

from typing import Annotated

import typer

from ndcg_sql.cli.command import Command

app = typer.Typer()


@app.command(
    cls=Command,
    epilog="ndcg-sql emit --dialect postgres -m nDCG@10 -m AP --rankings shop.results"
    " --judgments shop.grades --column query_id=search_id",
)
def emit(
    dialect: Annotated[
        str,
        typer.Option(
            "--dialect",
            metavar="D",
            help="The engine that runs the script: duckdb, postgres or clickhouse.",
        ),
    ],
    measure: Annotated[
        list[str],
        typer.Option("--measure", "-m", metavar="M", help="A measure; repeatable."),
    ],
    rankings: Annotated[
        str,
        typer.Option(
            "--rankings",
            metavar="TABLE",
            help="The table of rankings, with columns query_id, doc_id and score.",
        ),
    ],
    judgments: Annotated[
        str,
        typer.Option(
            "--judgments",
            metavar="TABLE",
            help="The table of judgments, with columns query_id, doc_id and grade.",
        ),
    ],
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="OURS=THEIRS",
            help="Another name of a column, such as query_id=user_id or"
            " judgments.query_id=user_id; position=NAME if positions are given;"
            " repeatable.",
        ),
    ] = None,
    run_column: Annotated[
        str | None,
        typer.Option(
            "--run-column",
            metavar="COLUMN",
            help="The column of rankings that names the run; one run if omitted.",
        ),
    ] = None,
    schema: Annotated[
        str,
        typer.Option(
            "--schema",
            metavar="NAME",
            help="The schema that the script creates for its relations.",
        ),
    ] = "ndcg_sql",
) -> None:
    """Print a script that evaluates measures in another database."""
    from ndcg_sql.errors import NdcgSqlError
    from ndcg_sql.measures.names import parse

    measures = parse(" ".join(measure))
    try:
        from ndcg_sql.engines.script import script
        from ndcg_sql.engines.tables import Tables
    except ModuleNotFoundError as error:
        if error.name != "sqlglot":
            raise
        raise NdcgSqlError(
            "emit needs sqlglot: pip install 'ndcg-sql[emit]'"
        ) from error
    tables = Tables.given(rankings, judgments, column or [], run_column)
    print(script(dialect, measures, tables, schema), end="")
