"""ndcg-sql spark: values of rankings in a store, computed by a Spark cluster."""

from importlib import import_module

from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.engines import SparkRequest
from ndcg_sql.text import harmless


def spark(session: Session, request: SparkRequest) -> None:
    """Evaluate rankings on a Spark cluster."""
    try:
        import_module("pyspark")
        from ndcg_sql.spark.job import run
    except ModuleNotFoundError as error:
        if error.name not in ("pyspark", "sqlglot"):
            raise
        raise NdcgSqlError(
            f"spark needs {error.name}: pip install 'ndcg-sql[spark]'"
        ) from error
    run(request, session.wait)
    session.messages.tell(f"wrote {harmless(request.out)}")
