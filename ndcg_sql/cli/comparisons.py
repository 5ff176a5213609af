"""ndcg-sql compare: how much runs differ from a baseline, and how sure that is."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import (
    Alpha,
    Attributes,
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
    reading,
    tell,
)
from ndcg_sql.testing import Testing

app = typer.Typer()


@app.command()
def compare(
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
    output: Output = None,
) -> None:
    """Compare runs with a baseline: differences, and how sure they are."""
    from ndcg_sql import comparing, comparison_tables, reports
    from ndcg_sql.rendering import write

    testing = Testing.of(
        test=test, correct=correct, alpha=alpha, resamples=resamples, seed=seed
    )
    slices = by or []
    with reading() as warehouse:
        measures = reports.choose_measures(warehouse, measure or [])
        chosen = comparing.choose(
            warehouse, baseline, candidates, measures, judgments, dataset
        )
        if per_query:
            with comparing.compare_queries(warehouse, tell, chosen, slices):
                draw = comparison_tables.compare_queries
                write(warehouse, form, output, lambda w, f: draw(w, f, slices))
            return
        with comparing.compare(warehouse, tell, chosen, testing, slices):
            table = comparison_tables.compare
            write(
                warehouse,
                form,
                output,
                lambda w, f: table(w, f, chosen, testing, slices),
            )
