"""ndcg-sql evaluate: store the values that are not stored yet."""

import typer

from ndcg_sql.cli.chosen import request
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import Dataset, Judgments, Runs
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql evaluate --run hybrid --judgments judgments")
def evaluate(
    context: typer.Context,
    run: Runs = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
) -> None:
    """Evaluate runs with judgment sets where their values are not stored yet."""
    from ndcg_sql.evaluation.entries import judgment_sets
    from ndcg_sql.evaluation.fitting import left_out
    from ndcg_sql.evaluation.question import resolve_runs
    from ndcg_sql.evaluation.values import evaluate_missing
    from ndcg_sql.text import quoted

    session = Session.of(context)
    messages = session.messages
    with session.writing(make=False) as database:
        asked = request(None, run, judgments, dataset)
        chosen, pairs = resolve_runs(database, messages, asked)
        names = {entry.id: entry.name for entry in chosen}
        sets = {entry.id: entry.name for entry in judgment_sets(database)}
        done = evaluate_missing(database, pairs)
        warnings = left_out(database, [set_id for _, set_id in done])
    for run_id, set_id in done:
        messages.tell(
            f"evaluated run {quoted(names[run_id])} with {quoted(sets[set_id])}"
        )
    for line in warnings:
        messages.warn(line)
    if not done:
        messages.tell("all of these are already evaluated; nothing to do")
