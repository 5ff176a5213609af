"""ndcg-sql evaluate: store the values that are not stored yet."""

import typer

from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset, Judgments, Runs
from ndcg_sql.cli.session import Session
from ndcg_sql.requests.shared import Request

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql evaluate --run hybrid --judgments judgments")
def evaluate(
    context: typer.Context,
    run: Runs = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
) -> None:
    """Evaluate runs with judgment sets where their values are not stored yet."""
    from ndcg_sql.evaluation.evaluating import evaluate_pairs

    session = Session.of(context)
    request = Request(runs=tuple(run or ()), judgments=judgments, dataset=dataset)
    with session.writing(make=False) as database:
        evaluate_pairs(database, session.messages, request)
