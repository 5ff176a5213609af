"""The SQL of measures for another engine, from Python."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices
from ndcg_sql.requests.engines import EmitClicksRequest, EmitRequest
from ndcg_sql.requests.fields import made

if TYPE_CHECKING:
    from ndcg_sql.engines.script import Emission
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
    request = made(EmitRequest, {**locals(), "columns": texts or None})
    emission = emission_of(request)
    from ndcg_sql.engines import script

    return (script.one_select if one_select else script.script)(emission)


def emit_clicks(
    dialect: choices.Dialect,
    events: str,
    *,
    model: choices.ClickModel = "coec",
    actions: Mapping[str, float] | None = None,
    min_impressions: int = 20,
    levels: str | Iterable[float] | None = None,
    impressions: str | Iterable[str] | None = None,
    columns: Mapping[str, str] | None = None,
) -> str:
    """Return a select that makes judgments of clicks, as emit clicks prints it.

    events is the name of a table of another database with a row for each event;
    columns maps query_id, doc_id, action and position to the names of its columns. The
    other arguments are those of Warehouse.load_clicks. Raises NdcgSqlError for a
    dialect that is not known; needs ndcg-sql[emit].
    """
    return clicks_select_of(made(EmitClicksRequest, locals()))


def emission_of(request: EmitRequest) -> "Emission":
    """Return what a request emits; raise NdcgSqlError if sqlglot is not installed."""
    with _sqlglot_needed():
        from ndcg_sql.engines.script import Emission
    return Emission.of(request)


def clicks_select_of(request: EmitClicksRequest) -> str:
    """Return what a request emits; raise NdcgSqlError if sqlglot is not installed."""
    with _sqlglot_needed():
        from ndcg_sql.engines import clicks
    return clicks.one_select(request)


@contextmanager
def _sqlglot_needed() -> Generator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "sqlglot":
            raise
        raise NdcgSqlError(
            "emit needs sqlglot: pip install 'ndcg-sql[emit]'"
        ) from error
