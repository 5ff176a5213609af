"""All that one page shows of the runs of a dataset: who leads, by how much, where."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ndcg_sql.comparison import compare, comparison, leaderboard
from ndcg_sql.comparison.answers import Record
from ndcg_sql.comparison.comparison import Comparison
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.evaluation.entries import having_rankings
from ndcg_sql.evaluation.fitting import misfits
from ndcg_sql.evaluation.question import (
    Question,
    answered,
    of_queries,
    resolve,
    separate,
)
from ndcg_sql.evaluation.scope import known_values, only_measures
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.reports import history, report
from ndcg_sql.reports.explain import GAINS, choose
from ndcg_sql.requests.comparisons import LeaderboardRequest
from ndcg_sql.requests.questions import HistoryRequest, ReportRequest
from ndcg_sql.requests.shared import Request
from ndcg_sql.system.messages import Silent

# A page lists this number of queries at most, compares this number of runs with
# the baseline, and explains the queries that differ most.
MOST_QUERIES = 10_000
MOST_CANDIDATES = 10
MOST_EXPLAINED = 60
# Slices are shown for this number of candidates.
SLICED = 2
# How deep a ranking is shown where its measure has no cutoff, or a deeper one.
_DEPTH = 20
# Attributes with more values than this are not shown by slice, unless asked for.
_MOST_SLICES = 24


@dataclass(frozen=True)
class Overview:
    """What a page shows of the runs of one dataset under one judgment set.

    rows of leaderboard, means, compared, slices, history and sources are those of
    the commands of these names; runs and means are in the order of the leaderboard.
    values are the values of each measure
    and run in the order of queries; steps are the rankings of the explained
    queries by explained_by, down to explained_depth. query_count also counts queries
    that are not listed; attributes are their values in the same order, by attribute.
    Without the rankings of the runs that are away, no query is
    explained. is_comparison is true where the user named the baseline.
    """

    dataset: str
    judgment_set: str
    measures: tuple[str, ...]
    runs: tuple[str, ...]
    baseline: str | None
    candidates: tuple[str, ...]
    is_comparison: bool
    leaderboard: list[Record]
    means: list[Record]
    compared: list[Record]
    slices: list[Record]
    history: list[Record]
    sources: list[Record]
    queries: list[Record]
    query_count: int
    values: dict[tuple[str, str], list[float | None]]
    attributes: dict[str, list[str | None]]
    explained_by: str | None
    explained_depth: int
    steps: list[Record]
    away: tuple[str, ...]

    @property
    def measures_of_queries(self) -> tuple[str, ...]:
        """The measures that queries have values of."""
        return tuple(m for m in self.measures if not parse(m)[0].family.is_of_runs)

    def by_first(self, rows: Iterable[Record]) -> list[Record]:
        """Return rows by the first measure, on which all that a page says rests."""
        return [row for row in rows if row["measure"] == self.measures[0]]

    @property
    def judged_at(self) -> str:
        """The day on which the judgments were loaded; empty if none is stored."""
        times = [row["loaded_at"] for row in self.sources if row["kind"] != "run"]
        return f"{times[0]:%Y-%m-%d}" if times and times[0] else ""


def overviews(
    database: Database,
    request: Request,
    testing: Testing,
    pair: Comparison | None = None,
) -> list[Overview]:
    """Return what a page shows of each dataset of a request.

    The runs are compared with the best by the first measure, or as in pair. Nothing
    is reported: the command that the page belongs to has done so. Raises
    NdcgSqlError where a name is not known.
    """
    if pair is not None:
        return [_overview(database, pair, request, testing, pair)]
    question = resolve(database, Silent(), request)
    runs = {run.id: run for run in question.runs}
    all_overviews: list[Overview] = []
    for set_id in dict.fromkeys(set_id for _, set_id in question.pairs):
        pairs = tuple(one for one in question.pairs if one[1] == set_id)
        members = tuple(runs[run_id] for run_id, _ in pairs)
        part = replace(question, pairs=pairs, runs=members)
        all_overviews.append(_overview(database, part, request, testing, None))
    return all_overviews


def _overview(
    database: Database,
    question: Question,
    request: Request,
    testing: Testing,
    pair: Comparison | None,
) -> Overview:
    silent = Silent()
    valued = of_queries(question.measures, "a page", named=False)
    by_query = replace(question, measures=valued)
    first = valued[0]
    whole = [m for m in question.measures if m.family.is_of_runs]
    question = replace(question, measures=(*valued, *whole))
    names = [run.name for run in question.runs]
    dataset = question.runs[0].dataset
    set_id = question.pairs[0][1]
    [(judgment_set,)] = database.execute(
        "select name from judgment_sets where judgment_set_id = $id", {"id": set_id}
    )
    scope: dict[str, Any] = {
        "measures": tuple(m.name for m in question.measures) if question.named else (),
        "runs": tuple(names),
        "judgments": judgment_set,
        "dataset": dataset,
    }
    tukey = LeaderboardRequest(
        **scope,
        correct="tukey",
        alpha=testing.alpha,
        resamples=testing.resamples,
        seed=testing.seed,
    )
    board = leaderboard.answer(database, silent, tukey).rows.records
    ranks = {row["run"]: row["rank"] for row in board if row["measure"] == first.name}
    # The registered measure that orders a board may be another.
    board.sort(key=lambda row: ranks.get(row["run"]) or len(board))
    ranked = [row["run"] for row in board if row["measure"] == first.name]
    means = report.answer(database, silent, ReportRequest(**scope)).rows.records
    is_comparison = pair is not None
    if pair is None and len(ranked) > 1:
        others = ranked[1 : MOST_CANDIDATES + 1]
        every = comparison.resolve(
            database,
            ranked[0],
            others,
            Request(**scope),
            valued if question.named else (),
        )
        pair = comparison.comparable(database, silent, every)
    compared, slices = [], []
    about = {"dataset": dataset, "most": _MOST_SLICES}
    short = [name for (name,) in database.run("pages/short_attributes", about)]
    attributes = list(request.by) or short
    if pair is not None:
        sole = replace(pair, by=())
        compared = compare.compare(database, silent, sole, testing).records
        slices = _slices(database, pair, attributes, testing)
    queries, values, count = _values(database, by_query)
    attribute_values = _attributes_of(database, dataset, queries, attributes)
    here = {run.id for run in having_rankings(question.runs)}
    away = tuple(run.name for run in question.runs if run.id not in here)
    measure = None if away else _explaining(database, question)
    depth = min(measure.cutoff or _DEPTH, _DEPTH) if measure else 0
    steps = _steps(database, question, queries, measure, depth) if measure else []
    dated = history.answer(database, silent, HistoryRequest(**scope)).rows.records
    parameters = {**question.parameters, "judgment_set_id": set_id}
    return Overview(
        dataset=dataset,
        judgment_set=judgment_set,
        measures=tuple(measure.name for measure in question.measures),
        runs=tuple(ranked),
        baseline=pair.baseline.name if pair else None,
        candidates=tuple(run.name for run in pair.candidates) if pair else (),
        is_comparison=is_comparison,
        leaderboard=board,
        means=_ordered(means, ranked),
        compared=compared,
        slices=slices,
        history=dated,
        sources=database.records(sql_files.read("pages/sources"), parameters),
        queries=queries,
        query_count=count,
        values=values,
        attributes=attribute_values,
        explained_by=measure.name if measure else None,
        explained_depth=depth,
        steps=steps,
        away=away,
    )


def _ordered(rows: Sequence[Record], runs: Sequence[str]) -> list[Record]:
    places = {run: place for place, run in enumerate(runs)}
    return sorted(rows, key=lambda row: places.get(row["run"], len(places)))


def _attributes_of(
    database: Database,
    dataset: str,
    queries: Sequence[Record],
    attributes: Sequence[str],
) -> dict[str, list[str | None]]:
    if not attributes or not queries:
        return {}
    listed = [{"query_id": query["query_id"]} for query in queries]
    parameters = {"dataset": dataset, "attributes": list(attributes)}
    with database.temporary("page_queries", ROWS, {"rows": listed}):
        return dict(database.run("pages/query_attributes", parameters))


def _slices(
    database: Database, pair: Comparison, attributes: Sequence[str], testing: Testing
) -> list[Record]:
    if not attributes:
        return []
    runs = pair.runs[: SLICED + 1]
    first = replace(pair, runs=runs, measures=pair.measures[:1], by=())
    with (
        separate(database, attributes),
        comparison.prepared(database, Silent(), first),
    ):
        return compare.rows_with_tests(database, first, testing, sliced=True).records


def _values(
    database: Database, question: Question
) -> tuple[list[Record], dict[tuple[str, str], list[float | None]], int]:
    names = {run.id: run.name for run in question.runs}
    parameters = {
        **question.parameters,
        "judgment_set_id": question.pairs[0][1],
        "dataset": question.runs[0].dataset,
        "measure": question.measures[0].name,
        "most": MOST_QUERIES,
    }
    select = sql_files.read("pages/queries")
    with (
        answered(database, Silent(), question),
        database.temporary("page_queries", select, parameters),
    ):
        queries = database.records("from page_queries order by query_id")
        rows = database.records(sql_files.read("pages/query_values"), parameters)
    values = {
        (row["measure"], names[row["run_id"]]): row["query_values"] for row in rows
    }
    return queries, values, queries[0]["query_count"] if queries else 0


def _steps(
    database: Database,
    question: Question,
    queries: Sequence[Mapping[str, Any]],
    measure: Measure,
    depth: int,
) -> list[Record]:
    names = {run.id: run.name for run in question.runs}
    nearest = sorted(queries, key=lambda query: query["place"])[:MOST_EXPLAINED]
    parameters = {
        **question.parameters,
        "judgment_set_id": question.pairs[0][1],
        "dataset": question.runs[0].dataset,
        "measure": measure.name,
        "query_ids": [query["query_id"] for query in nearest],
        "depth": depth,
    }
    with known_values(database, [measure], question.pairs, with_values=False):
        rows = database.records(sql_files.read("pages/steps"), parameters)
    return [{**row, "run": names[row["run_id"]]} for row in rows]


def _explaining(database: Database, question: Question) -> Measure | None:
    for measure in question.measures:
        if measure.family.name in GAINS:
            return measure
    [measure] = choose(database, [], question.pairs)
    set_ids = {set_id for _, set_id in question.pairs}
    with only_measures(database, [measure]):
        return None if misfits(database, set_ids) else measure
