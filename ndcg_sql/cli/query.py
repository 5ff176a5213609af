"""ndcg-sql query: the rows of any SQL select, which can reach nothing else."""

import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from ndcg_sql.cli.requests import command
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Option
from ndcg_sql.requests.printing import Printing
from ndcg_sql.wording import use

app = typer.Typer()


@dataclass(frozen=True, kw_only=True)
class _Select:
    """A select of foreign text."""

    sql: Annotated[
        str,
        Option("One select; - reads it from standard input.", "SQL", is_argument=True),
    ]


@dataclass(frozen=True, kw_only=True)
class _Limit:
    """How long it may take."""

    time_limit: Annotated[
        float, Option("Stop the query after this time.", "SECONDS")
    ] = 60.0


@command(
    app,
    _Select,
    Printing,
    _Limit,
    epilog="ndcg-sql query 'select run, measure, value from run_values'",
)
def query(
    context: typer.Context, select: _Select, printing: Printing, limit: _Limit
) -> None:
    """Print the rows of a select.

    It is read-only, and reads no other files and no network.
    """
    from ndcg_sql.sandbox import parent

    seconds = limit.time_limit
    if not 0.001 <= seconds <= 1e9:
        raise NdcgSqlError("must be from 0.001 to 1e9", where=use(time_limit=seconds))
    sql = select.sql
    if sql == "-":
        try:
            sql = sys.stdin.buffer.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise NdcgSqlError("-: not UTF-8 text") from None
    session = Session.of(context)
    parent.query(
        sql,
        session.warehouse,
        printing.form,
        printing.output,
        session.timeout,
        seconds,
        session.limits,
    )
