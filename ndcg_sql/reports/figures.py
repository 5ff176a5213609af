"""What figures show: the rows of each kind, and what is written on them.

Beyond so many queries, differences and values are binned by SQL: no row for each query
is fetched.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import takewhile
from typing import Any, Literal, NamedTuple

from ndcg_sql import options
from ndcg_sql.comparison import compare, leaderboard
from ndcg_sql.comparison.answers import Context, Rows
from ndcg_sql.comparison.comparison import Comparison, comparison, prepared
from ndcg_sql.comparison.replicates import shares_in_slices, tell_replicated
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.question import (
    Question,
    choose_fitting,
    choose_measures,
    of_queries,
    resolve,
    sampled,
)
from ndcg_sql.evaluation.values import MANY
from ndcg_sql.measures.names import Measure, distinct, parse
from ndcg_sql.measures.systems import find
from ndcg_sql.options import Scope
from ndcg_sql.reports import history
from ndcg_sql.system import progress
from ndcg_sql.text import listed, sql_name

# The kind of a figure with a row for each query, and that with bins, which have a file
# under sql/figures/; and the most queries that are shown one by one.
_DIFFERENCES = {
    "differences": ("query-differences", "differences", "difference_bins", 60),
    "scatter": ("scatter", "scatter-bins", "scatter_bins", 10_000),
}
_CORRECTION = "tukey"
Kind = Literal["cutoffs", "precision-recall"]
_VALUES = "values_along"
_STEPS = [digit * 10**power for power in range(18) for digit in (1, 2, 5)]
# The parameters that say which documents and queries count, and how.
_KEPT = ("rel", "judged_only", "known", "no_rel", "missing")
# With more values than this, measures are evaluated one after another.
_MOST_VALUES = 10 * MANY


class Drawn(NamedTuple):
    """The kind of a figure, its rows, and what is written on it besides."""

    kind: str
    rows: Rows
    about: dict[str, Any]


def drawn(
    context: Context,
    name: options.Figure,
    scope: Scope,
    testing: Testing,
    tag: str | None = None,
) -> Drawn:
    """Return what a figure shows of the runs of a scope.

    Of figures of differences, the first run is the baseline. tag is that of the series
    of a history.
    """
    database = context.database
    if name == "slices":
        compared = _comparison(context, name, scope)
        with prepared(compared, columns=compare.COLUMNS):
            rows = compare.rows_of(compared, testing, in_full=True)
        names = [f"coalesce({sql_name(name)}, '(not known)')" for name in scope.by]
        label = f"concat_ws(', ', {', '.join(names)})"
        select = f"select {label} as slice, * from {rows.table}"
        about = {"confidence": testing.confidence, "alpha": testing.alpha}
        about |= {"attribute": ", ".join(scope.by)}
        return Drawn("slices", Rows.selected(database, select), about)
    if name in ("differences", "scatter"):
        compared = _comparison(context, name, scope)
        with prepared(compared):
            return differences(compared, name)
    scope = _of_one_measure(database, scope)
    if name == "leaderboard":
        tukey = Testing(correct=_CORRECTION, alpha=testing.alpha)
        rows = leaderboard.leaderboard(context, scope, tukey).rows
        return Drawn("leaderboard", rows, {"confidence": testing.confidence})
    if name == "history":
        rows = history.history(context, scope, tag).rows
        if len({row["made_at"] for row in rows.records}) < 2:
            raise NdcgSqlError("history: needs runs of two times; there is only one")
        return Drawn("history", rows, {"by": scope.by})
    question = resolve(*context, scope)
    if name == "values":
        of_queries(question.measures, "a distribution", question.named)
        with question.answered():
            shown = values(question)
    else:
        [shown] = curves(question, [name])
    tell_replicated(question)
    return shown


def values(question: Question) -> Drawn:
    """Return how many queries have which value, of runs whose values are known."""
    rows = Rows.of(question.database, "figures/value_bins", question.parameters)
    return Drawn("values", rows, {})


def differences(question: Comparison, name: str, most: int | None = None) -> Drawn:
    """Return the differences of candidates from a baseline whose values are known.

    There is a row for each query; or for each bin, if there are more queries than
    most.
    """
    database, parameters = question.database, question.parameters
    kind, binned, file, usual = _DIFFERENCES[name]
    [(queries,)] = database.run("figures/compared_queries", parameters)
    if queries <= (most or usual):
        binned, file = kind, "query_differences"
    return Drawn(binned, Rows.of(database, f"figures/{file}", parameters), {})


def _of_one_measure(database: Database, scope: Scope) -> Scope:
    """Return a scope of one measure of the runs of one dataset.

    If no measure is named, it is the first registered one that fits the judgments.
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


def _comparison(context: Context, name: options.Figure, scope: Scope) -> Comparison:
    baseline, *candidates = scope.runs
    question = comparison(context, baseline, candidates, scope)
    # A pattern may name several.
    if name != "differences" and len(question.candidates) > 1:
        names = listed(run.name for run in question.candidates)
        raise NdcgSqlError(f"{name}: shows one candidate; name one of {names}")
    is_named = scope.names_measures
    measure = _only(question.measures) if is_named else question.measures[0]
    return replace(question, measures=(measure,))


def curves(
    question: Question, kinds: Sequence[Kind], most: int | None = None
) -> list[Drawn]:
    """Return the values of a measure along the scales of some kinds of curves.

    They are evaluated together, which reads the runs once. Where more queries than
    most are judged, the values are those of a sample, and a note says so. Raises
    NdcgSqlError for cutoffs of a measure without a cutoff.
    """
    database, pairs = question.database, question.pairs
    along = [replace(question, measures=tuple(_ALONG[k](question))) for k in kinds]
    measures = distinct([measure for own in along for measure in own.measures])
    counts = "select judgment_set_id, query_count from judgment_sets"
    queries = dict(database.execute(counts))
    sizes = [queries[set_id] for _, set_id in pairs]
    about: dict[str, Any] = {}
    drawn = nullcontext()
    if most is not None and max(sizes) > most:
        of_queries(measures, "a sample of queries", named=True)
        about = {"notes": [f"a sample of {most:,} of {max(sizes):,} queries"]}
        drawn = sampled(database, pairs, most)
        sizes = [min(size, most) for size in sizes]
    # Very many values would need much memory at once.
    single = sum(sizes) * len(measures) > _MOST_VALUES
    batches = [[measure] for measure in measures] if single else [measures]
    select = sql_files.read("figures/values_along")
    with database.temporary(_VALUES, f"from ({select}) limit 0", question.parameters):
        # Curves show no shares of judged documents, on which measures of runs depend.
        of_runs = any(measure.family.is_of_runs for measure in measures)
        with drawn, nullcontext() if of_runs else shares_in_slices(database, ()):
            for batch in progress.each(batches, "evaluating", "measures"):
                some = replace(question, measures=tuple(batch), named=True)
                with some.known_values(afresh=bool(about)):
                    insert = f"insert into {_VALUES} {select}"
                    database.execute(insert, some.parameters)
        return [
            Drawn(kind, Rows.of(database, "figures/ordered_values", p), about)
            for kind, p in zip(kinds, (own.parameters for own in along), strict=True)
        ]


def _cutoffs(question: Question) -> list[Measure]:
    """Return a measure at the cutoffs 1, 2, 3, 5, 10, 20, 50 …, as deep as runs go."""
    [measure] = question.measures
    if not measure.family.takes_cutoff:
        raise NdcgSqlError(f"{measure.name} has no cutoff; use another, such as nDCG")
    [(depth,)] = question.database.run("figures/run_depth", question.parameters)
    steps = takewhile(lambda step: step < depth, sorted([3, *_STEPS]))
    return [replace(measure, cutoff=step) for step in [*steps, max(depth, 1)]]


def _recall_levels(question: Question) -> list[Measure]:
    """Return the interpolated precision at recall 0, 0.1 and so on.

    What counts as relevant, and what a query without relevant documents counts, is as
    in the measure.
    """
    [precision], [measure] = parse("IPrec@0"), question.measures
    own = measure.parameters
    same = {name: own[name] for name in _KEPT if own.get(name) is not None}
    precision = replace(precision, parameters={**precision.parameters, **same})
    return [replace(precision, level=tenth / 10) for tenth in range(11)]


_ALONG: Mapping[Kind, Callable[[Question], list[Measure]]] = {
    "cutoffs": _cutoffs,
    "precision-recall": _recall_levels,
}
