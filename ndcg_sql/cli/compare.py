"""ndcg-sql compare: how much runs differ from a baseline, and how significantly."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import (
    Alpha,
    Attributes,
    Caption,
    Command,
    Correct,
    Dataset,
    Format,
    Judgments,
    Label,
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


@app.command(cls=Command)
def compare(
    context: typer.Context,
    baseline: Annotated[
        str,
        typer.Argument(metavar="BASELINE", help="Name of the run to compare with."),
    ],
    candidates: Annotated[
        list[str],
        typer.Argument(metavar="CANDIDATE...", help="Names of the runs to compare."),
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
    caption: Caption = None,
    label: Label = None,
    output: Output = None,
) -> None:
    """Compare runs with a baseline: differences, and their significance."""
    from ndcg_sql.analysis import comparing
    from ndcg_sql.analysis.significance import Testing
    from ndcg_sql.output import comparison_tables
    from ndcg_sql.output.writing import captioned, write

    testing = Testing.of(
        test=test, correct=correct, alpha=alpha, resamples=resamples, seed=seed
    )
    session = Session.of(context)
    messages = session.messages
    asked = request(measure, None, judgments, dataset, by)
    named = captioned(form, output, caption, label)
    with session.reading() as database:
        question = comparing.resolve(database, baseline, candidates, asked)
        if per_query:
            queries = comparison_tables.compare_queries
            draw = named(lambda d, f: queries(d, f, question.by))
            with comparing.compare_queries(database, messages, question):
                write(database, form, output, draw)
            return
        table = comparison_tables.compare
        draw = named(lambda d, f: table(d, f, question, testing))
        with comparing.compare(database, messages, question, testing):
            write(database, form, output, draw)
