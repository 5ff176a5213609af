"""ndcg-sql compare: how much runs differ from a baseline, and how sure that is."""

from typing import Annotated

import typer

from ndcg_sql.cli.options import (
    Attributes,
    Dataset,
    Format,
    Judgments,
    MeasureNames,
    Output,
    PerQuery,
    reading,
    tell,
)

app = typer.Typer()

Alpha = Annotated[
    float,
    typer.Option(
        "--alpha",
        metavar="P",
        help="Below which p a difference counts as significant; intervals have a"
        " confidence of 1 - P.",
    ),
]
Test = Annotated[
    str,
    typer.Option(
        "--test",
        metavar="T",
        help="The test whose p is adjusted: randomization, t, bootstrap or wilcoxon.",
    ),
]
Correct = Annotated[
    str,
    typer.Option(
        "--correct",
        metavar="C",
        help="Correction of p for several candidates, measures and slices: holm,"
        " bonferroni, bh (Benjamini-Hochberg), tukey (randomised, over all runs) or"
        " none.",
    ),
]
Resamples = Annotated[
    int,
    typer.Option(
        "--resamples",
        metavar="N",
        help="How often is drawn where there are too many outcomes to count.",
    ),
]
Seed = Annotated[
    int,
    typer.Option("--seed", metavar="N", help="Where the random numbers begin."),
]


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
    test: Test = "randomization",
    correct: Correct = "holm",
    alpha: Alpha = 0.05,
    resamples: Resamples = 10_000,
    seed: Seed = 0,
    per_query: PerQuery = False,
    form: Format = None,
    output: Output = None,
) -> None:
    """Compare runs with a baseline: differences, and how sure they are."""
    from ndcg_sql import comparing, comparison_tables, reports
    from ndcg_sql.rendering import write

    testing = comparing.Testing(test, correct, alpha, resamples, seed)
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
