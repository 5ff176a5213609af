"""Figures of a warehouse: which analysis gives the rows of which figure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ndcg_sql.comparison import compare, comparison, leaderboard
from ndcg_sql.comparison.answers import Rows
from ndcg_sql.comparison.comparison import Comparison
from ndcg_sql.comparison.replicates import tell_replicated
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.question import choose_fitting, choose_measures
from ndcg_sql.measures.names import Measure
from ndcg_sql.measures.systems import find
from ndcg_sql.output.figures.answered import in_series
from ndcg_sql.output.figures.figure import Figure, figure
from ndcg_sql.output.figures.sizes import NATURAL, Size
from ndcg_sql.reports import curves, distributions, history
from ndcg_sql.requests import choices
from ndcg_sql.requests.figures import shape
from ndcg_sql.requests.shared import Scope
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, sql_name

_CORRECTION = "tukey"


@dataclass(frozen=True)
class Plot:
    """What a user wants to be drawn.

    The runs of the scope are those to draw; of figures of differences, the first
    is the baseline. tag is that of the series of a history. With more queries than
    points, a scatter plot is binned; with more than sample, curves are those of a
    sample.
    """

    name: choices.Figure
    scope: Scope
    testing: Testing
    tag: str | None = None
    points: int = distributions.MOST
    sample: int | None = None
    size: Size = NATURAL


# Figures that show each run by itself; a leaderboard says so as its answer does.
_OF_RUNS = ("cutoffs", "precision-recall", "values")
About = dict[str, Any]
# What is drawn: the kind of figure, its rows, and what is written on it.
Drawn = tuple[str, Rows, About]


class Plotted(NamedTuple):
    """A figure, and the rows that it shows."""

    figure: Figure
    rows: Rows


def plotted(database: Database, messages: Messages, plot: Plot) -> Plotted:
    """Return a figure; raise NdcgSqlError if there is nothing to draw."""
    kind, rows, about = _DRAWN[plot.name](database, messages, plot)
    if plot.name in _OF_RUNS:
        chosen = entries.choose_runs(database, plot.scope.runs, plot.scope.dataset)
        tell_replicated(database, messages, chosen)
    records = rows.records
    if kind == "history":
        records = in_series(records, plot.scope.by)
    if records and "value" in records[0]:
        records = [row for row in records if row["value"] is not None]
    if not records:
        raise NdcgSqlError(f"{plot.name}: there is no data to draw")
    return Plotted(figure(kind, records, size=plot.size, **about), rows)


def _leaderboard(database: Database, messages: Messages, plot: Plot) -> Drawn:
    scope = _one_measure(database, plot.scope)
    testing = Testing(correct=_CORRECTION, alpha=plot.testing.alpha)
    rows = leaderboard.leaderboard(database, messages, scope, testing).rows
    return "leaderboard", rows, {"confidence": plot.testing.confidence}


def _curves(database: Database, messages: Messages, plot: Plot) -> Drawn:
    scope = _one_measure(database, plot.scope)
    of = curves.cutoffs if plot.name == "cutoffs" else curves.precision_recall
    rows, sample = of(database, messages, scope, plot.sample)
    if sample is None:
        return plot.name, rows, {}
    note = f"a sample of {sample.n:,} of {sample.queries:,} queries"
    return plot.name, rows, {"notes": [note]}


def _values(database: Database, messages: Messages, plot: Plot) -> Drawn:
    scope = _one_measure(database, plot.scope)
    return "values", distributions.values(database, messages, scope), {}


def _differences(database: Database, messages: Messages, plot: Plot) -> Drawn:
    question, most = _comparison(database, plot), distributions.MOST_BARS
    kind, binned, bins = "query-differences", "differences", "difference_bins"
    if plot.name == "scatter":
        kind, binned, bins, most = (
            "scatter",
            "scatter-bins",
            "scatter_bins",
            plot.points,
        )
    rows = distributions.differences(database, messages, question, most, bins)
    return kind if "query_id" in rows.columns else binned, rows, {}


def _slices(database: Database, messages: Messages, plot: Plot) -> Drawn:
    question = _comparison(database, plot)
    rows = compare.compare(database, messages, question, plot.testing)
    names = [f"coalesce({sql_name(name)}, '(not known)')" for name in question.by]
    label = f"concat_ws(', ', {', '.join(names)})"
    sliced = Rows.selected(database, f"select {label} as slice, * from {rows.table}")
    testing = plot.testing
    about = {"confidence": testing.confidence, "alpha": testing.alpha}
    return "slices", sliced, about | {"attribute": ", ".join(question.by)}


def _history(database: Database, messages: Messages, plot: Plot) -> Drawn:
    scope = _one_measure(database, plot.scope)
    rows = history.history(database, messages, scope, plot.tag).rows
    if len({row["made_at"] for row in rows.records}) < 2:
        raise NdcgSqlError("history: needs runs of two times; there is only one")
    return "history", rows, {}


def _one_measure(database: Database, scope: Scope) -> Scope:
    """Return a scope of one measure of the runs of one dataset.

    If no measure is named, it is the first registered one that fits the judgments.
    Raises NdcgSqlError if the scope names several, or if its runs belong to
    several datasets.
    """
    like = None if scope.like is None else find(scope.like)
    measures = choose_measures(database, scope.measures, like)
    runs = entries.choose_runs(database, scope.runs, scope.dataset)
    dataset = entries.one_dataset(runs)
    if scope.names_measures:
        measure = _only(measures)
    else:
        pairs = entries.judgments_of(database, runs, scope.judgments)
        measure = choose_fitting(database, measures, pairs)[0]
    return replace(scope, measures=(measure.name,), dataset=dataset, like=None)


def _only(measures: Sequence[Measure]) -> Measure:
    if len(measures) > 1:
        names = ", ".join(measure.name for measure in measures)
        raise NdcgSqlError(f"a figure shows one measure; name one of {names}")
    return measures[0]


def _comparison(database: Database, plot: Plot) -> Comparison:
    baseline, *candidates = plot.scope.runs
    question = comparison.resolve(database, baseline, candidates, plot.scope)
    # A pattern may name several.
    if shape(plot.name).most and len(question.candidates) > 1:
        names = listed(run.name for run in question.candidates)
        raise NdcgSqlError(f"{plot.name}: shows one candidate; name one of {names}")
    is_named = plot.scope.names_measures
    measure = _only(question.measures) if is_named else question.measures[0]
    return replace(question, measures=(measure,))


_DRAWN: dict[str, Callable[[Database, Messages, Plot], Drawn]] = {
    "leaderboard": _leaderboard,
    "cutoffs": _curves,
    "precision-recall": _curves,
    "values": _values,
    "differences": _differences,
    "scatter": _differences,
    "slices": _slices,
    "history": _history,
}
