"""ndcg-sql plot: a figure for a paper, as SVG, PNG or PDF."""

from pathlib import Path
from typing import Annotated

import typer

from ndcg_sql.cli import completers
from ndcg_sql.cli.chosen import request
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.options import (
    Alpha,
    Attributes,
    Dataset,
    Force,
    Judgments,
    MeasureNames,
)
from ndcg_sql.cli.session import Session

app = typer.Typer()


@app.command(cls=Command, epilog="ndcg-sql plot differences bm25 hybrid -o diff.pdf")
def plot(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="FIGURE",
            help="leaderboard, cutoffs, precision-recall, values, differences,"
            " scatter, slices, history, judged or calibration-of-judges.",
            autocompletion=completers.figures,
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            parser=Path,
            help="Write to this file; its suffix is .svg, .png or .pdf.",
        ),
    ],
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RUN...]",
            help="Names of runs, or patterns such as 'input.*' (quoted); all if"
            " omitted. For differences, scatter and slices the first is the baseline;"
            " for calibration-of-judges they are the names of assessors.",
            autocompletion=completers.runs,
        ),
    ] = None,
    measure: MeasureNames = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    by: Attributes = None,
    tag: Annotated[
        str | None,
        typer.Option(
            "--tag",
            metavar="K[=V]",
            help="With history: a series for each value of a run tag, or for one"
            " value.",
        ),
    ] = None,
    alpha: Alpha = None,
    data: Annotated[
        bool,
        typer.Option(
            "--data", help="Also write the rows that are drawn, as CSV next to FILE."
        ),
    ] = False,
    force: Force = False,
) -> None:
    """Draw a figure: runs, curves, distributions, slices or values over time."""
    from ndcg_sql.analysis.significance import Testing
    from ndcg_sql.output.figures import drawing, saving
    from ndcg_sql.output.figures.plotting import Plot, plotted

    drawing.check_installed()
    target = saving.check(output, force)
    session = Session.of(context)
    asked = request(measure, runs, judgments, dataset, by)
    wanted = Plot(name, asked, Testing.of(alpha=alpha), tag)
    with (
        session.reading() as database,
        plotted(database, session.messages, wanted) as figure,
    ):
        content = figure.content(target.suffix)
        files = saving.save(database, target, content, with_data=data)
    session.messages.tell(f"wrote {' and '.join(map(str, files))}")
