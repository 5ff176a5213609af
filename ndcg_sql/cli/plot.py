"""ndcg-sql plot: a figure for a paper, as SVG, PNG or PDF."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ndcg_sql.cli.requests import command
from ndcg_sql.cli.session import Session
from ndcg_sql.requests.fields import Option
from ndcg_sql.requests.figures import PlotRequest
from ndcg_sql.requests.shared import OUTPUT, Force

app = typer.Typer()


@dataclass(frozen=True, kw_only=True)
class _File:
    """The file of a figure."""

    output: Annotated[
        Path,
        Option(
            "Write to this file; its suffix is .svg, .png or .pdf.",
            "FILE",
            short="o",
            group=OUTPUT,
        ),
    ]
    data: Annotated[
        bool,
        Option(
            "Also write the rows that are drawn, as CSV next to FILE.", group=OUTPUT
        ),
    ] = False
    force: Force = False


@command(
    app,
    PlotRequest,
    _File,
    epilog="ndcg-sql plot differences bm25 hybrid -o diff.pdf\n"
    "ndcg-sql plot leaderboard -m nDCG@10 --width 8cm -o runs.svg",
)
def plot(context: typer.Context, request: PlotRequest, file: _File) -> None:
    """Draw a figure of runs, curves, slices or values over time."""
    from ndcg_sql.output.figures import drawing, saving
    from ndcg_sql.output.figures.plotting import Plot, plotted

    drawing.check_installed()
    target = saving.check(file.output, file.force)
    session = Session.of(context)
    chosen = Plot.of(request)
    with session.reading() as database:
        figure, rows = plotted(database, session.messages, chosen)
        content = figure.content(target.suffix)
        data = rows if file.data else None
        files = saving.save(session.warehouse, target, content, data)
    session.messages.tell(f"wrote {' and '.join(map(str, files))}")
