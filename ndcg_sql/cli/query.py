"""ndcg-sql query: the rows of any SQL select, which can reach nothing else."""

import sys
from typing import Annotated

import typer

from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Format, Output, decimal
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(
    cls=Command, epilog="ndcg-sql query 'select run, measure, value from run_values'"
)
def query(
    context: typer.Context,
    sql: Annotated[
        str,
        typer.Argument(
            metavar="SQL", help="One select; - reads it from standard input."
        ),
    ],
    form: Format = None,
    output: Output = None,
    time_limit: Annotated[
        float,
        typer.Option(
            "--time-limit",
            metavar="SECONDS",
            parser=decimal,
            help="Stop the query after this time.",
        ),
    ] = 60,
) -> None:
    """Print the rows of a select: read-only, no other files, no network."""
    from ndcg_sql.errors import NdcgSqlError
    from ndcg_sql.sandbox import parent

    if not 0.001 <= time_limit <= 1e9:
        raise NdcgSqlError(f"--time-limit {time_limit:g}: must be from 0.001 to 1e9")
    if sql == "-":
        try:
            sql = sys.stdin.buffer.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise NdcgSqlError("-: not UTF-8 text") from None
    session = Session.of(context)
    ends = (session.timeout, time_limit, session.limits)
    parent.query(sql, session.warehouse, form, output, *ends)
