"""Pages of a warehouse: what an analysis found, its figures, and the file."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ndcg_sql.comparison.answers import Answer
from ndcg_sql.comparison.comparison import Comparison
from ndcg_sql.comparison.significance import Testing, Verdict
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.figures.drawing import check_installed
from ndcg_sql.output.figures.figure import Figure, figure, reach
from ndcg_sql.output.figures.plotting import Plot, plotted
from ndcg_sql.output.html.page import MARK, Figures, page
from ndcg_sql.output.html.sections import CHARTED, FACETS, SCATTERS
from ndcg_sql.output.writing import delivered
from ndcg_sql.reports.overview import Overview, overviews
from ndcg_sql.requests.shared import Scope
from ndcg_sql.system import output_files, progress
from ndcg_sql.system.messages import Silent
from ndcg_sql.text import counted
from ndcg_sql.wording import use

# With more queries, a scatter plot is binned: each point is an element of the page.
_POINTS = 2000
# With more queries, curves are those of a sample: each point takes an evaluation.
_SAMPLE = 10_000
# With more judgments, counted once for each run, curves are those of the best runs
# alone: each point of a run is computed from all of them.
_MOST_CURVED = 200_000


def check_page(file: Path, force: bool) -> None:
    """Raise NdcgSqlError if a page cannot be written to a file.

    A file that is no page of ndcg-sql is only replaced with force. Call this
    before anything is computed.
    """
    check_installed()
    shown = use(html=str(file))
    output_files.check_target(file, shown)
    if file.suffix.lower() not in (".html", ".htm"):
        raise NdcgSqlError("the suffix must be .html", where=shown)
    if not force and output_files.is_foreign(file, MARK, shown):
        raise NdcgSqlError(
            "exists and is not a page of ndcg-sql",
            "add " + use(force=True) + " to replace it",
            where=shown,
        )


def write_page(
    database: Database,
    file: Path,
    command: str,
    answer: Answer,
) -> None:
    """Write a page on an answer to a file, which is replaced as a whole.

    command is what asked for the page. Raises NdcgSqlError as the commands do.
    """
    scope, about_answer = answer.scope, answer.about
    testing: Testing = about_answer.get("testing", Testing())
    pair: Comparison | None = about_answer.get("question")
    gate: Verdict | None = about_answer.get("verdict")
    boards = [
        (one, _figures(database, one, testing))
        for one in map(_coloured, overviews(database, scope, testing, pair))
    ]
    title = _title([one for one, _ in boards], gate)
    with delivered(Path(database.path), file, shown=use(html=str(file))) as path:
        content = page(title, command, boards, testing, gate)
        path.write_text(content, encoding="utf-8")


def _coloured(overview: Overview) -> Overview:
    """Return an overview whose baseline is among the runs that have a colour.

    It stands in the place of the last of them, where it would come after all.
    """
    runs, baseline = overview.runs, overview.baseline
    if baseline is None or baseline in runs[:CHARTED]:
        return overview
    best, others = runs[: CHARTED - 1], runs[CHARTED - 1 :]
    behind = (run for run in others if run != baseline)
    return replace(overview, runs=(*best, baseline, *behind))


def _title(shown: Sequence[Overview], gate: Verdict | None) -> str:
    datasets = _some([one.dataset for one in shown])
    queries = counted(sum(one.query_count for one in shown), "query", "queries", ",")
    days = {one.judged_at for one in shown}
    if len(days) == 1 and "" not in days:
        queries += f", judged {days.pop()}"
    first = shown[0]
    if not first.is_comparison:
        runs = counted(sum(len(one.runs) for one in shown), "run", form=",")
        return f"{datasets}: {runs}, {queries}"
    pair = f"{_some(first.candidates)} against {first.baseline}"
    return f"{'Gate of ' if gate else ''}{pair}: {datasets}, {queries}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _figures(database: Database, overview: Overview, testing: Testing) -> Figures:
    tests: dict[str, Any] = {"confidence": testing.confidence, "alpha": testing.alpha}
    drawn: list[tuple[str, str, list[dict[str, Any]], dict[str, Any]]] = []
    if overview.candidates:
        nearest = [
            r for r in overview.slices if r["candidate"] == overview.candidates[0]
        ]
        whole = [
            {**row, "slice": "all queries"}
            for row in overview.by_first(overview.compared)
            if row["candidate"] == overview.candidates[0]
        ]
        shared = reach([*nearest, *whole], overview.measures[0], is_shared=True)
        for attribute in dict.fromkeys(row["attribute"] for row in nearest):
            slices = [
                {
                    **row,
                    "slice": "(not known)" if row["slice"] is None else row["slice"],
                }
                for row in nearest
                if row["attribute"] == attribute
            ]
            slices.sort(key=lambda r: (r["difference"] is None, r["difference"] or 0))
            about = {**tests, "attribute": attribute, "reach": shared}
            drawn.append(("slices", "slices", [*whole, *slices], about))
    if len({row["made_at"] for row in overview.history}) > 1:
        dated = _valued(overview.by_first(overview.history))
        drawn.append(("history", "history", dated, {}))
    by_section: dict[str, list[Figure | str]] = {}
    for section, name, rows, about in drawn:
        if rows:
            by_section.setdefault(section, []).append(figure(name, rows, **about))
    wanted = _plots(overview, testing)
    for section, plot in progress.each(wanted, "drawing", "charts"):
        figures = by_section.setdefault(section, [])
        try:
            figures.append(plotted(database, Silent(), plot).figure)
        except NdcgSqlError as error:
            # Who reads a page cannot do what the remedy says.
            fault = replace(error.refusal, remedy="").message
            figures.append(f"No chart: {fault!s}.")
    return by_section


def _plots(overview: Overview, testing: Testing) -> list[tuple[str, Plot]]:
    scope = Scope(
        measures=overview.measures[:1],
        runs=overview.runs[:CHARTED],
        judgments=overview.judgment_set,
        dataset=overview.dataset,
    )
    [judgments] = [
        row["documents"] for row in overview.sources if row["kind"] == "judgment set"
    ]
    are_many = judgments * len(overview.runs) > _MOST_CURVED
    curved = scope if are_many else replace(scope, runs=overview.runs)
    plots = [
        ("curves", Plot("cutoffs", curved, testing, sample=_SAMPLE)),
        ("curves", Plot("precision-recall", curved, testing, sample=_SAMPLE)),
        ("distribution", Plot("values", scope, testing)),
    ]
    if overview.baseline is not None:
        baseline, candidates = overview.baseline, overview.candidates
        facets = replace(scope, runs=(baseline, *candidates[:FACETS]))
        plots.append(("comparison", Plot("differences", facets, testing)))
        for candidate in candidates[:SCATTERS]:
            two = replace(scope, runs=(baseline, candidate))
            plots.append(("comparison", Plot("scatter", two, testing, points=_POINTS)))
    return plots


def _valued(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if row["value"] is not None]
