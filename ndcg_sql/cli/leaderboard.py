"""ndcg-sql leaderboard: runs in order, and which of them no test separates."""

from typing import Annotated

import typer

from ndcg_sql.cli.chosen import request
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import (
    Alpha,
    Attributes,
    Dataset,
    Format,
    Judgments,
    Limit,
    MeasureNames,
    Output,
    Resamples,
    Runs,
    Seed,
)
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql leaderboard -m nDCG@10 --by device")
def leaderboard(
    context: typer.Context,
    measure: MeasureNames = None,
    run: Runs = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    by: Attributes = None,
    limit: Limit = None,
    correct: Annotated[
        str | None,
        typer.Option(
            "--correct",
            metavar="C",
            help="tukey, a randomised test of all runs at once, or a test of each"
            " pair corrected by holm, bonferroni, bh (Benjamini-Hochberg) or none.",
            show_default="tukey, or holm with --test",
        ),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(
            "--test",
            metavar="T",
            help="Test of each pair: randomization, t, bootstrap or wilcoxon.",
            show_default="randomization",
        ),
    ] = None,
    alpha: Alpha = None,
    resamples: Resamples = None,
    seed: Seed = None,
    form: Format = None,
    output: Output = None,
) -> None:
    """Print runs in the order of the first measure, with groups of equal ones.

    Two runs that share a letter are not separated by the test. The best run is
    marked only if the test separates it from every other run.
    """
    from ndcg_sql.analysis import leaderboard as analysis
    from ndcg_sql.analysis.significance import Testing
    from ndcg_sql.output import leaderboards
    from ndcg_sql.output.writing import check_output, write

    testing = Testing.of(
        correct=correct or ("holm" if test else "tukey"),
        test=test,
        alpha=alpha,
        resamples=resamples,
        seed=seed,
    )
    check_output(form, output)
    session = Session.of(context)
    asked = request(measure, run, judgments, dataset, by)
    with (
        session.reading() as database,
        analysis.leaderboard(database, session.messages, asked, testing, limit),
    ):
        draw = leaderboards.leaderboard
        write(database, form, output, lambda d, f: draw(d, f, asked.by, testing))
