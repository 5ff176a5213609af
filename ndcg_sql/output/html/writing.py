"""Pages of a warehouse: what an analysis found, its figures, and the file."""

from dataclasses import replace
from pathlib import Path

from ndcg_sql.analysis.comparing import Comparison
from ndcg_sql.analysis.gating import Verdict
from ndcg_sql.analysis.overview import Overview, overviews
from ndcg_sql.analysis.significance import Testing
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.question import Request
from ndcg_sql.output.figures.drawing import check_installed
from ndcg_sql.output.figures.figure import Figure
from ndcg_sql.output.figures.plotting import Plot, plotted
from ndcg_sql.output.html.page import MARK, About, Figures, page
from ndcg_sql.output.writing import delivered
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages, Silent
from ndcg_sql.system.output_files import check_target
from ndcg_sql.text import harmless

# The mark of a page is within its first bytes.
_HEAD = 4096
# Charts of single candidates are drawn for the first ones alone.
_FACETS, _SCATTERS = 4, 3


def check_page(file: Path, force: bool) -> None:
    """Raise NdcgSqlError if a page cannot be written to a file.

    A file that is no page of ndcg-sql is only replaced with force. Call this
    before anything is computed.
    """
    check_installed()
    shown = f"--html {harmless(str(file))}"
    _, mode = check_target(file, shown)
    if mode is None or force:
        return
    try:
        with file.open("rb") as content:
            head = content.read(_HEAD)
    except OSError as error:
        raise NdcgSqlError(f"{shown}: {error.strerror}") from error
    if head and MARK.encode() not in head:
        raise NdcgSqlError(
            f"{shown}: exists and is not a page of ndcg-sql; add --force to replace it"
        )


def write_page(
    database: Database,
    messages: Messages,
    file: Path,
    about: About,
    request: Request,
    testing: Testing,
    pair: Comparison | None = None,
    gate: Verdict | None = None,
) -> None:
    """Write a page on the runs of a request, or on a comparison, to a file.

    The file is replaced as a whole. Raises NdcgSqlError as the commands do.
    """
    found = [
        (one, _figures(database, one, request, testing))
        for one in overviews(database, messages, request, testing, pair)
    ]
    with delivered(Path(database.path), file, option="--html") as path:
        path.write_text(page(about, found, testing, gate), encoding="utf-8")


def _figures(
    database: Database, overview: Overview, request: Request, testing: Testing
) -> Figures:
    """Return the figures of a dataset, or why one is missing, by section."""
    first = overview.measures[0]
    asked = replace(
        request,
        measures=[first],
        runs=overview.runs,
        judgments=overview.judgment_set,
        dataset=overview.dataset,
        by=(),
        like=None,
        tags={},
    )
    pairs = (overview.baseline or "", *overview.candidates)
    wanted = [("leaderboard", Plot("leaderboard", asked, testing))]
    wanted += [
        ("curves", Plot(name, asked, testing)) for name in ("cutoffs", "precision-recall")
    ]
    wanted.append(("distribution", Plot("values", asked, testing)))
    if overview.candidates:
        facets = replace(asked, runs=pairs[: _FACETS + 1])
        wanted.append(("comparison", Plot("differences", facets, testing)))
        for candidate in overview.candidates[:_SCATTERS]:
            two = replace(asked, runs=(pairs[0], candidate))
            wanted.append(("comparison", Plot("scatter", two, testing)))
        for attribute in dict.fromkeys(row["attribute"] for row in overview.slices):
            sliced = replace(asked, runs=pairs[:2], by=(attribute,))
            wanted.append(("slices", Plot("slices", sliced, testing)))
    if overview.bounds:
        wanted.append(("judged", Plot("judged", asked, testing)))
    if len({row["made_at"] for row in overview.history}) > 1:
        wanted.append(("history", Plot("history", asked, testing)))
    found: dict[str, list[Figure | str]] = {}
    for section, plot in progress.each(wanted, "drawing", "charts"):
        own = found.setdefault(section, [])
        try:
            with plotted(database, Silent(), plot) as figure:
                own.append(figure)
        except NdcgSqlError as error:
            own.append(f"No chart: {error}.")
    return found
