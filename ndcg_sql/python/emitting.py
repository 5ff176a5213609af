"""The SQL of measures for another engine, from Python."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices
from ndcg_sql.requests.engines import EmitRequest
from ndcg_sql.requests.fields import made

if TYPE_CHECKING:
    from ndcg_sql.python.inputs import Measures


def emit(
    dialect: choices.Dialect,
    measures: "Measures",
    *,
    rankings: str,
    judgments: str,
    columns: Mapping[str, str] | None = None,
    run_column: str | None = None,
    queries: str | None = None,
    by: str | Iterable[str] | None = None,
    compare: str | None = None,
    schema: str = "ndcg_sql",
    one_select: bool = False,
) -> str:
    """Return a script that evaluates measures in another database, as emit prints it.

    rankings, judgments and queries are the names of its tables; columns maps
    query_id, doc_id, score, position or grade, or one of these after the name of a
    table, such as judgments.query_id, to the names of their columns. With one_select,
    it is one select of the values of a measure for each query. Raises NdcgSqlError for
    a dialect or a measure that is not known; needs ndcg-sql[emit].
    """
    texts = [f"{ours}={theirs}" for ours, theirs in (columns or {}).items()]
    return emitted(made(EmitRequest, {**locals(), "columns": texts or None}))


def emitted(request: EmitRequest) -> str:
    """Return what a request emits; raise NdcgSqlError if sqlglot is not installed."""
    try:
        from ndcg_sql.engines.script import Emission, one_select, script
    except ModuleNotFoundError as error:
        if error.name != "sqlglot":
            raise
        raise NdcgSqlError(
            "emit needs sqlglot: pip install 'ndcg-sql[emit]'"
        ) from error
    return (one_select if request.one_select else script)(Emission.of(request))
