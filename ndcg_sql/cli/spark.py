"""ndcg-sql spark: values of rankings in a store, computed by a Spark cluster."""

from importlib import import_module

import typer

from ndcg_sql.cli.requests import command
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.engines import SparkRequest
from ndcg_sql.text import harmless

app = typer.Typer()


@command(
    app,
    SparkRequest,
    epilog="ndcg-sql spark --master spark://host:7077 -m nDCG@10"
    " --rankings s3a://shop/results --judgments s3a://shop/grades"
    " --out s3a://shop/values",
)
def spark(context: typer.Context, request: SparkRequest) -> None:
    """Evaluate rankings on a Spark cluster.

    The values are written to the store of the cluster.
    """
    try:
        import_module("pyspark")
        from ndcg_sql.spark.job import run
    except ModuleNotFoundError as error:
        if error.name not in ("pyspark", "sqlglot"):
            raise
        raise NdcgSqlError(
            f"spark needs {error.name}: pip install 'ndcg-sql[spark]'"
        ) from error
    session = Session.of(context)
    session.has_warehouse = False
    run(request, session.timeout)
    session.messages.tell(f"wrote {harmless(request.out)}")
