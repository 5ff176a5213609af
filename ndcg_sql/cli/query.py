"""ndcg-sql query: the rows of any SQL select, which can reach nothing else."""

import sys

from ndcg_sql.cli.beside import Select, TimeLimit
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.printing import Printing
from ndcg_sql.sandbox import parent
from ndcg_sql.wording import use


def query(
    session: Session, select: Select, printing: Printing, limit: TimeLimit
) -> None:
    """Print the rows of a select."""
    seconds = limit.time_limit
    if not 0.001 <= seconds <= 1e9:
        raise NdcgSqlError("must be from 0.001 to 1e9", where=use(time_limit=seconds))
    sql = select.sql
    if sql == "-":
        try:
            sql = sys.stdin.buffer.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise NdcgSqlError("-: not UTF-8 text") from None
    parent.query(
        sql,
        session.path,
        printing.form,
        printing.output,
        session.wait,
        seconds,
        session.limits,
    )
