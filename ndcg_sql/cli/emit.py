"""ndcg-sql emit: the SQL of measures for another engine."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Format, Output
from ndcg_sql.cli.session import Session

if TYPE_CHECKING:
    from ndcg_sql.engines.script import Emission

app = typer.Typer()


@app.command(
    cls=Command,
    epilog="ndcg-sql emit --dialect postgres -m nDCG@10 -m AP --rankings shop.results"
    " --judgments shop.grades --column query_id=search_id",
)
def emit(
    context: typer.Context,
    dialect: Annotated[
        str,
        typer.Option(
            "--dialect",
            metavar="D",
            help="The engine that runs the script: bigquery, clickhouse, databricks,"
            " duckdb, postgres, redshift, snowflake, spark or trino.",
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
    queries: Annotated[
        str | None,
        typer.Option(
            "--queries",
            metavar="TABLE",
            help="The table of queries, with a column query_id and those of --by.",
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="COLUMN",
            help="A column of queries: also values for each of its values; repeatable.",
        ),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            "--compare",
            metavar="BASELINE",
            help="Also compare all other runs with this one.",
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
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="URL",
            help="Run the script in this PostgreSQL database, in one transaction, and"
            " print the values of runs instead.",
        ),
    ] = None,
    dbt: Annotated[
        Path | None,
        typer.Option(
            "--dbt",
            metavar="DIR",
            parser=Path,
            help="Write a package of dbt to this new folder instead.",
        ),
    ] = None,
    one_select: Annotated[
        bool,
        typer.Option(
            "--one-select",
            help="Print one select of the values of a measure per query instead, which"
            " checks and creates nothing.",
        ),
    ] = False,
    form: Format = None,
    output: Output = None,
) -> None:
    """Print a script that evaluates measures in another database."""
    from ndcg_sql.errors import NdcgSqlError
    from ndcg_sql.measures.names import parse

    if run is None and (form or output):
        raise NdcgSqlError("--format and -o: only with --run; a script is plain text")
    if sum((run is not None, dbt is not None, one_select)) > 1:
        raise NdcgSqlError("--run, --dbt and --one-select: name one of them")
    measures = parse(" ".join(measure))
    try:
        from ndcg_sql.engines import script
        from ndcg_sql.engines.tables import Tables
    except ModuleNotFoundError as error:
        if error.name != "sqlglot":
            raise
        raise NdcgSqlError(
            "emit needs sqlglot: pip install 'ndcg-sql[emit]'"
        ) from error
    tables = Tables.given(
        rankings, judgments, column or [], run_column, queries, by or []
    )
    emission = script.Emission(dialect, measures, tables, schema, compare)
    if run is not None:
        _run(Session.of(context), emission, run, form, output)
    elif dbt is not None:
        from ndcg_sql.engines import dbt_package

        dbt_package.write(emission, dbt)
    else:
        text = script.one_select if one_select else script.script
        print(text(emission), end="")


def _run(
    session: Session,
    emission: "Emission",
    run: str,
    form: str | None,
    output: Path | None,
) -> None:
    """Run a script, and write the values of runs."""
    from ndcg_sql.database import opening
    from ndcg_sql.engines import running
    from ndcg_sql.output.writing import check_printing, write
    from ndcg_sql.requests.printing import Printing
    from ndcg_sql.system.urls import address

    printing = Printing(form, output)
    check_printing(printing)
    rows = running.run(emission, address(run, "--run"), session.timeout)
    session.has_warehouse = False
    with opening.scratch(session.limits) as database:
        answer = running.answer(database, emission, rows)
        write(answer, printing, session.warehouse)
