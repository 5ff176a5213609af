"""The values of runs, as means, by slice or by query."""

import math
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import cast

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.database.connections import in_memory
from ndcg_sql.database.database import Database
from ndcg_sql.database.results import OUTPUT, output, reduce_output
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import no_run
from ndcg_sql.evaluation.question import (
    Question,
    Request,
    answered,
    combined,
    resolve,
)
from ndcg_sql.evaluation.values import Pair
from ndcg_sql.measures import systems
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted

# The columns of sql/reports/report*.sql.
COLUMNS = (
    *("run", "judgment_set", "dataset", "slice", "measure", "query_id"),
    *("value", "weighted_value", "n", "weighted_n", "answered", "unanswered"),
    *("no_relevant", "unjudged_queries", "judged_at_k", "judged_depth"),
    *("standard_error", "nothing_relevant"),
)


@dataclass(frozen=True)
class Selection:
    """Which rows of a report are wanted, and the order of its runs.

    sort is a measure of the report: the runs with the highest values over all
    queries come first. limit is the number of runs of each dataset, worst the
    number of queries of each run with the lowest values of the first measure.
    """

    sort: str | None = None
    limit: int | None = None
    worst: int | None = None

    def check(self, request: Request, per_query: bool, bounds: bool) -> None:
        """Raise NdcgSqlError if a report cannot be narrowed so."""
        if bounds and (request.by or request.like):
            raise NdcgSqlError(
                "--bounds: cannot be combined with --by or --like; omit them"
            )
        if bounds and (self.sort or self.limit):
            raise NdcgSqlError(
                "--bounds: cannot be combined with --sort or --limit; omit them"
            )
        if self.worst and (bounds or not per_query):
            raise NdcgSqlError("--worst: needs --per-query, without --bounds")


_ALL = Selection()


@contextmanager
def report(
    database: Database,
    messages: Messages,
    request: Request,
    per_query: bool = False,
    selection: Selection = _ALL,
) -> Generator[None]:
    """Put the rows of a report into the table OUTPUT, which lives inside.

    With attributes of queries, there is a row for each combination of their
    values, which are columns of those names. Reports which runs are left out, and
    what the judgments lack. Raises NdcgSqlError where a name is not known.
    """
    question = resolve(database, messages, request, COLUMNS)
    with answered(database, messages, question):
        wanted = _selected(database, question, selection)
        if len(wanted.pairs) < len(question.pairs):
            messages.tell(f"{len(wanted.pairs)} of {len(question.pairs)} runs shown")
        with rows(database, wanted, per_query):
            if selection.worst is not None:
                _keep_worst(database, wanted, selection.worst)
            yield


def _selected(database: Database, question: Question, wanted: Selection) -> Question:
    """Return a question with its runs in another order, or only the first."""
    runs = {run.id: run for run in question.runs}
    pairs = list(question.pairs)
    if wanted.sort is not None:
        measure = _sorting(question, wanted.sort)
        asked = {**question.parameters, "measure": measure.name}
        values = dict(database.run("lookups/values_of_runs", asked))
        # Python's sort keeps the order of runs with equal or without values.
        pairs.sort(key=lambda pair: -values.get(pair[0], -math.inf))
    if wanted.limit is not None:
        kept: list[Pair] = []
        for pair in pairs:
            dataset = runs[pair[0]].dataset
            if sum(runs[own].dataset == dataset for own, _ in kept) < wanted.limit:
                kept.append(pair)
        pairs = kept
    return replace(question, pairs=tuple(pairs))


def _sorting(question: Question, name: str) -> Measure:
    """Return the measure of a report that a name means."""
    named = parse(name)
    if len(named) == 1 and named[0] in question.measures:
        return named[0]
    known = ", ".join(measure.name for measure in question.measures)
    raise NdcgSqlError(f"--sort {quoted(name)}: not a measure of this report: {known}")


def _keep_worst(database: Database, question: Question, count: int) -> None:
    """Keep the rows of the queries with the lowest values in the table OUTPUT."""
    asked = {**question.parameters, "count": count}
    reduce_output(database, sql_files.read("reports/worst_queries"), asked)


@contextmanager
def rows(database: Database, question: Question, per_query: bool) -> Generator[None]:
    """Put the rows of a report into the table OUTPUT where their values are known."""
    kinds = ("_queries" if per_query else "", "_slices" if question.by else "")
    file = "reports/report" + "".join(kinds)
    with (
        combined(database, question.by),
        output(database, file, question.parameters, question.by),
    ):
        yield


def values(
    database: Database,
    messages: Messages,
    measures: object,
    runs: object,
    *,
    by: object,
    judgments: str | None,
    dataset: str | None,
    per_query: bool,
    like: str | None,
) -> duckdb.DuckDBPyRelation:
    """Return the rows of a report, in an in-memory database of their own."""
    if database.is_new:
        raise no_run("in the warehouse")
    request = Request(
        measures=_names("measures", measures),
        runs=_names("runs", runs),
        judgments=judgments,
        dataset=dataset,
        by=_names("by", by),
        like=None if like is None else systems.find(like),
    )
    with (
        report(database, messages, request, per_query),
        temporary_folder(database.folder) as folder,
    ):
        # The tables of a report are dropped when it is done, and the warehouse may
        # be closed. Through Parquet, no row becomes a Python object.
        path = {"path": str(folder / "values")}
        database.execute(f"copy {OUTPUT} to $path (format parquet)", path)
        own = in_memory()
        own.execute("create table report as from read_parquet($path)", path)
    return own.sql("from report")


def _names(what: str, given: object) -> list[str]:
    """Return names, given as one string or several; none if omitted.

    Measures of ir_measures are accepted too: as strings, they are names here.
    """
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, Iterable):
        return [str(given)]
    names = [str(name) for name in cast(Iterable[object], given)]
    if not names:
        # Who filtered a list down to nothing does not mean all.
        raise NdcgSqlError(f"{what}: is empty; omit it, or name one")
    return names
