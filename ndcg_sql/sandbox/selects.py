"""The one select that a query is: all else is refused before anything runs."""

import re

import duckdb

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import listed, sql_text


def one_select(connection: duckdb.DuckDBPyConnection, sql: str) -> tuple[str, str]:
    """Return the keywords of explain, if any, and the select; refuse all else."""
    words = re.match(r"\s*(explain(\s+analyze)?(?=[\s(]))?", sql, re.IGNORECASE)
    explain = words[1] or "" if words else ""
    select = sql[words.end() :] if words else sql
    statements = connection.extract_statements(select)
    if not statements:
        raise NdcgSqlError('query: no statement; try "from run_values"')
    if [statement.type for statement in statements] != [duckdb.StatementType.SELECT]:
        kinds = listed(dict.fromkeys(statement.type.name for statement in statements))
        what = kinds if len(statements) == 1 else f"{len(statements)} statements"
        hint = "; a pivot must name its values: on … in (…)"
        hint = hint if "pivot" in select.lower() else ""
        raise NdcgSqlError(
            f"query: {what}; it runs a single select, or explain with a select{hint}"
        )
    return explain, select


def rows_of(select: str) -> str:
    """Return a select of the rows of a select, which cannot write.

    query() takes only a select, and no part of it can write, as COPY inside WITH
    otherwise does on DuckDB 2.0.
    """
    return f"from query({sql_text(select)})"
