"""A script run in PostgreSQL: all of it in one transaction, or nothing."""

import warnings
from typing import TYPE_CHECKING, Any

from ndcg_sql.comparison.answers import Answer, Rows
from ndcg_sql.database.database import Database
from ndcg_sql.engines.script import Emission, statements
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.shared import Request
from ndcg_sql.system import urls
from ndcg_sql.system.urls import Address
from ndcg_sql.wording import Text, joined, named

if TYPE_CHECKING:
    from sqlalchemy import Engine

_COLUMNS = {
    "run": "varchar",
    "judgment_set": "varchar",
    "dataset": "varchar",
    "measure": "varchar",
    "value": "double",
    "n": "bigint",
    "answered": "bigint",
    "unanswered": "bigint",
    "no_relevant": "bigint",
    "unjudged_queries": "bigint",
    "judged_at_k": "double",
    "standard_error": "double",
}
_TABLE = "values_of_runs"
_MEASURE = list(_COLUMNS).index("measure")


def _any_of(*fields: str) -> Text:
    """Return the names of fields of which one is wrong."""
    first = joined(map(named, fields[:-1]), ", ")
    return first + " or " + named(fields[-1])


# What to do, by PostgreSQL's codes of errors.
_HELP = {
    "42P01": "correct " + _any_of("rankings", "judgments", "queries"),
    "42703": "correct " + _any_of("columns", "run_column", "by"),
    "42P06": "remove it with all that is in it, or name another one by "
    + named("schema"),
}


def run(emission: Emission, where: Address, patience: float) -> list[tuple[Any, ...]]:
    """Run a script, and return the rows of run_values, by run.

    Raises NdcgSqlError, without the password, if a check or a statement fails or
    the server does not answer within patience; nothing is left of it then.
    """
    from sqlalchemy.exc import SQLAlchemyError

    if emission.engine.dialect != "postgres":
        raise NdcgSqlError(
            "runs scripts of the dialect postgres only",
            "omit it, and run the script with a client of the database",
            where=named("run"),
        )
    if where.url.get_backend_name() != "postgresql":
        raise NdcgSqlError(
            f"{where.shown}: not the URL of PostgreSQL, such as"
            " postgresql://user:$NAME@host/database"
        )
    with warnings.catch_warnings():
        # A driver's warnings are for programmers.
        warnings.simplefilter("ignore")
        engine = urls.engine(where, read_only=False)
    try:
        urls.answered(engine.connect, where, patience).close()
        return _rows(engine, emission)
    except SQLAlchemyError as error:
        failed = where.failed(error)
        code = getattr(getattr(error, "orig", None), "sqlstate", None)
        if code in _HELP:
            raise NdcgSqlError(failed.message, _HELP[code]) from None
        raise failed from None
    finally:
        engine.dispose()


def _rows(engine: "Engine", emission: Emission) -> list[tuple[Any, ...]]:
    """Run the statements in one transaction, and return the rows of run_values."""
    columns = ", ".join(_COLUMNS)
    select = f"select {columns} from {emission.schema}.run_values order by run"
    options = {"no_parameters": True}
    with engine.begin() as connection:
        connection = connection.execution_options(**options)
        for statement in statements(emission):
            connection.exec_driver_sql(statement)
        return [tuple(row) for row in connection.exec_driver_sql(select)]


def answer(
    database: Database, emission: Emission, rows: list[tuple[Any, ...]]
) -> Answer:
    """Return the rows as an answer, measures in the order in which asked."""
    types = ", ".join(f"{name} {kind}" for name, kind in _COLUMNS.items())
    more = "judged_depth bigint, weighted_value double, weighted_n bigint"
    database.execute(f"create temp table {_TABLE} ({types}, {more})")
    marks = ", ".join("?" * len(_COLUMNS))
    for measure in emission.measures:
        depth = int(measure.cutoff or 10)
        database.connection.executemany(
            f"insert into {_TABLE} values ({marks}, {depth}, null, 0)",
            [list(row) for row in rows if row[_MEASURE] == measure.name],
        )
    return Answer("values", Request(), Rows(database, _TABLE))
