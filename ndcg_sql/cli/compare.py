"""ndcg-sql compare: how much runs differ from a baseline, and how significantly."""

from typing import Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.options import (
    Alpha,
    Attributes,
    Command,
    Correct,
    Dataset,
    Format,
    Judgments,
    MeasureNames,
    Output,
    PerQuery,
    Resamples,
    Seed,
    Test,
    request,
)
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql compare bm25 hybrid -m nDCG@10")
def compare(
    context: typer.Context,
    baseline: Annotated[
        str,
        typer.Argument(
            metavar="BASELINE",
            help="Name of the run to compare with.",
            autocompletion=completers.runs,
        ),
    ],
    candidates: Annotated[
        list[str],
        typer.Argument(
            metavar="CANDIDATE...",
            help="Names of the runs to compare.",
            autocompletion=completers.runs,
        ),
    ],
    measure: MeasureNames = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    by: Attributes = None,
    test: Test = None,
    correct: Correct = None,
    alpha: Alpha = None,
    resamples: Resamples = None,
    seed: Seed = None,
    per_query: PerQuery = False,
    form: Format = None,
    output: Output = None,
) -> None:
    """Compare runs with a baseline: differences, and their significance."""
    from ndcg_sql.analysis import comparing
    from ndcg_sql.analysis.significance import Testing
    from ndcg_sql.output import comparison_tables
    from ndcg_sql.output.writing import write

    testing = Testing.of(
        test=test, correct=correct, alpha=alpha, resamples=resamples, seed=seed
    )
    session = Session.of(context)
    messages = session.messages
    asked = request(measure, None, judgments, dataset, by)
    with session.reading() as database:
        question = comparing.resolve(database, baseline, candidates, asked)
        if per_query:
            with comparing.compare_queries(database, messages, question):
                draw = comparison_tables.compare_queries
                write(database, form, output, lambda d, f: draw(d, f, question.by))
            return
        with comparing.compare(database, messages, question, testing):
            table = comparison_tables.compare
            write(database, form, output, lambda d, f: table(d, f, question, testing))
