"""ndcg-sql compare: how much runs differ from a baseline, and how significantly."""

from dataclasses import replace
from typing import Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.chosen import request
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.html import check_html, write_html
from ndcg_sql.cli.options import (
    Alpha,
    Attributes,
    Caption,
    Correct,
    Dataset,
    Force,
    Format,
    Html,
    Judgments,
    Label,
    Limit,
    MeasureNames,
    Output,
    PerQuery,
    Resamples,
    Seed,
    Test,
)
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql compare bm25 hybrid -m nDCG@10")
def compare(
    context: typer.Context,
    baseline: Annotated[
        str,
        typer.Argument(
            metavar="BASELINE",
            help="Name of the run to compare with, or a pattern that matches one.",
            autocompletion=completers.runs,
        ),
    ],
    candidates: Annotated[
        list[str],
        typer.Argument(
            metavar="CANDIDATE...",
            help="Names of the runs to compare, or patterns such as 'input.*'"
            " (quoted).",
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
    sort: Annotated[
        str | None,
        typer.Option(
            "--sort",
            metavar="S",
            help="Order of the candidates, by the first measure: difference or value"
            " (greatest first), p (smallest first), or name; as given if omitted.",
        ),
    ] = None,
    limit: Limit = None,
    no_queries: Annotated[
        bool,
        typer.Option(
            "--no-queries",
            help="Do not list the queries that lost and won most. They are listed for"
            " up to 3 candidates.",
        ),
    ] = False,
    form: Format = None,
    caption: Caption = None,
    label: Label = None,
    output: Output = None,
    html: Html = None,
    force: Force = False,
) -> None:
    """Compare runs with a baseline: differences, and their significance."""
    from ndcg_sql.analysis import comparing
    from ndcg_sql.analysis.significance import Testing
    from ndcg_sql.output import comparison_tables
    from ndcg_sql.output.writing import captioned, write

    testing = Testing.of(
        test=test, correct=correct, alpha=alpha, resamples=resamples, seed=seed
    )
    if per_query and html:
        raise NdcgSqlError("--html: cannot be combined with --per-query; omit one")
    if per_query and (sort or limit or no_queries):
        raise NdcgSqlError(
            "--per-query: cannot be combined with --sort, --limit or --no-queries;"
            " omit them"
        )
    check_html(html, force, output)
    session = Session.of(context)
    messages = session.messages
    asked = request(measure, None, judgments, dataset, by)
    named = captioned(form, output, caption, label)
    with session.reading() as database:
        question = replace(
            comparing.resolve(database, baseline, candidates, asked),
            sort=sort,
            limit=limit,
        )
        if per_query:
            queries = comparison_tables.compare_queries
            draw = named(lambda d, f: queries(d, f, question.by))
            with comparing.compare_queries(database, messages, question):
                write(database, form, output, draw)
            return
        table = comparison_tables.compare
        with comparing.compare(database, messages, question, testing):
            listed = comparing.listed(database, question, not no_queries)
            draw = named(lambda d, f: table(d, f, listed, testing))
            write(database, form, output, draw)
        if html is not None:
            write_html(database, messages, html, asked, testing, question)
