"""What figures show: the rows of each kind, and what is written on them.

Beyond so many queries, differences and values are binned by SQL: no row for each query
is fetched.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from ndcg_sql.comparison import compare, comparison, leaderboard
from ndcg_sql.comparison.answers import Rows
from ndcg_sql.comparison.comparison import Comparison, prepared
from ndcg_sql.comparison.replicates import tell_replicated
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.question import (
    Question,
    answered,
    choose_fitting,
    choose_measures,
    resolve,
)
from ndcg_sql.measures.names import Measure
from ndcg_sql.measures.systems import find
from ndcg_sql.reports import history
from ndcg_sql.reports.curves import Sample, curves
from ndcg_sql.requests import choices
from ndcg_sql.requests.figures import shape
from ndcg_sql.requests.shared import Scope
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, sql_name

# The kind of a figure with a row for each query, and that with bins, which have a file
# under sql/figures/; and the most queries that are shown one by one.
_DIFFERENCES = {
    "differences": ("query-differences", "differences", "difference_bins", 60),
    "scatter": ("scatter", "scatter-bins", "scatter_bins", 10_000),
}
_CORRECTION = "tukey"


class Drawn(NamedTuple):
    """The kind of a figure, its rows, and what is written on it besides."""

    kind: str
    rows: Rows
    about: dict[str, Any]


def drawn(
    database: Database,
    messages: Messages,
    name: choices.Figure,
    scope: Scope,
    testing: Testing,
    tag: str | None = None,
) -> Drawn:
    """Return what a figure shows of the runs of a scope.

    Of figures of differences, the first run is the baseline. tag is that of the series
    of a history.
    """
    if name in ("differences", "scatter", "slices"):
        question = _comparison(database, name, scope)
        if name == "slices":
            columns = compare.COLUMNS
            with prepared(database, messages, question, columns=columns):
                rows = compare.rows_of(database, question, testing)
            return _slices(database, rows, question.by, testing)
        with prepared(database, messages, question):
            return differences(database, question, name)
    scope = _of_one_measure(database, scope)
    if name == "leaderboard":
        tukey = Testing(correct=_CORRECTION, alpha=testing.alpha)
        rows = leaderboard.leaderboard(database, messages, scope, tukey).rows
        return Drawn("leaderboard", rows, {"confidence": testing.confidence})
    if name == "history":
        rows = history.history(database, messages, scope, tag).rows
        if len({row["made_at"] for row in rows.records}) < 2:
            raise NdcgSqlError("history: needs runs of two times; there is only one")
        return Drawn("history", rows, {"by": scope.by})
    question = resolve(database, messages, scope)
    if name == "values":
        question = question.of_queries(messages, "a distribution")
        with answered(database, messages, question):
            shown = values(database, question)
    else:
        along, sample = curves(database, question, [name])
        shown = curve(name, along[name], sample)
    tell_replicated(database, messages, question.runs)
    return shown


def curve(kind: str, rows: Rows, sample: Sample | None) -> Drawn:
    """Return a figure of curves, which says if they are those of a sample."""
    if sample is None:
        return Drawn(kind, rows, {})
    note = f"a sample of {sample.n:,} of {sample.queries:,} queries"
    return Drawn(kind, rows, {"notes": [note]})


def values(database: Database, question: Question) -> Drawn:
    """Return how many queries have which value, of runs whose values are known."""
    rows = Rows.of(database, "figures/value_bins", question.parameters)
    return Drawn("values", rows, {})


def differences(
    database: Database,
    question: Comparison,
    name: Literal["differences", "scatter"],
    most: int | None = None,
) -> Drawn:
    """Return the differences of candidates from a baseline whose values are known.

    There is a row for each query; or for each bin, if there are more queries than
    most.
    """
    kind, binned, file, usual = _DIFFERENCES[name]
    [(queries,)] = database.run("figures/compared_queries", question.parameters)
    if queries <= (most or usual):
        binned, file = kind, "query_differences"
    return Drawn(binned, Rows.of(database, f"figures/{file}", question.parameters), {})


def _slices(
    database: Database, rows: Rows, by: Sequence[str], testing: Testing
) -> Drawn:
    names = [f"coalesce({sql_name(name)}, '(not known)')" for name in by]
    label = f"concat_ws(', ', {', '.join(names)})"
    sliced = Rows.selected(database, f"select {label} as slice, * from {rows.table}")
    about = {"confidence": testing.confidence, "alpha": testing.alpha}
    return Drawn("slices", sliced, about | {"attribute": ", ".join(by)})


def _of_one_measure(database: Database, scope: Scope) -> Scope:
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


def _comparison(database: Database, name: choices.Figure, scope: Scope) -> Comparison:
    baseline, *candidates = scope.runs
    question = comparison.resolve(database, baseline, candidates, scope)
    # A pattern may name several.
    if shape(name).most and len(question.candidates) > 1:
        names = listed(run.name for run in question.candidates)
        raise NdcgSqlError(f"{name}: shows one candidate; name one of {names}")
    is_named = scope.names_measures
    measure = _only(question.measures) if is_named else question.measures[0]
    return replace(question, measures=(measure,))
