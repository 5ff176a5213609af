"""ndcg-sql publish: the public relations as tables, for readers who never wait."""

import typer

from ndcg_sql.cli.requests import command
from ndcg_sql.cli.session import Session
from ndcg_sql.requests.publishing import PublishRequest

app = typer.Typer()


@command(app, PublishRequest, epilog="ndcg-sql publish dashboards.duckdb")
def publish(context: typer.Context, request: PublishRequest) -> None:
    """Write the public relations as tables for BI tools.

    Readers of the tables never wait for the warehouse.

    Of a dataset with more than 20 runs, comparisons are those of each run with the
    baselines and with the best run.
    """
    from ndcg_sql.output.publishing import publish

    session = Session.of(context)
    publish.publish(session.reading, request, session.timeout, session.messages)
