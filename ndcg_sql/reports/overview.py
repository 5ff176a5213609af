"""All that one page shows of the runs of a dataset: who leads, by how much, where."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ndcg_sql.comparison import compare, comparison, leaderboard
from ndcg_sql.comparison.answers import Record
from ndcg_sql.comparison.comparison import Comparison
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
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
from ndcg_sql.measures.names import Measure, measure_called
from ndcg_sql.reports import history, report
from ndcg_sql.reports.explain import GAINS, choose
from ndcg_sql.requests.shared import Scope
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
    values are those of each measure and run in the order of queries; attributes are
    those of the queries in the same order, by attribute. query_count also counts
    queries that are not listed. steps are the rankings of the explained queries by
    explained_by, down to explained_depth; without the rankings of the runs that are
    away, no query is explained. is_comparison is true where the user named the
    baseline.
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
        return tuple(
            m for m in self.measures if not measure_called(m).family.is_of_runs
        )

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
    scope: Scope,
    testing: Testing,
    pair: Comparison | None = None,
) -> list[Overview]:
    """Return what a page shows of each dataset of a scope.

    The runs are compared with the best by the first measure, or as in pair. Nothing
    is reported: the command that the page belongs to has done so. Raises
    NdcgSqlError where a name is not known.
    """
    if pair is not None:
        return [_overview(database, pair, scope.by, testing, pair)]
    question = resolve(database, Silent(), scope)
    runs = {run.id: run for run in question.runs}
    by_set: dict[int, list[int]] = {}
    for run_id, set_id in question.pairs:
        by_set.setdefault(set_id, []).append(run_id)
    parts = [
        replace(
            question,
            pairs=tuple((run_id, set_id) for run_id in run_ids),
            runs=tuple(runs[run_id] for run_id in run_ids),
        )
        for set_id, run_ids in by_set.items()
    ]
    return [_overview(database, part, scope.by, testing, None) for part in parts]


def _overview(
    database: Database,
    question: Question,
    by: Sequence[str],
    testing: Testing,
    pair: Comparison | None,
) -> Overview:
    silent, is_comparison = Silent(), pair is not None
    valued = of_queries(question.measures, "a page", named=False)
    whole = [m for m in question.measures if m.family.is_of_runs]
    question = replace(question, measures=(*valued, *whole))
    names = {run.id: run.name for run in question.runs}
    dataset, set_id = question.runs[0].dataset, question.pairs[0][1]
    about: Parameters = {
        **question.parameters,
        "dataset": dataset,
        "judgment_set_id": set_id,
    }
    sources = database.records(sql_files.read("pages/sources"), about)
    [judgment_set] = [row["name"] for row in sources if row["kind"] != "run"]
    scope = Scope(
        measures=tuple(about["measures"]) if question.named else (),
        runs=tuple(names.values()),
        judgments=judgment_set,
        dataset=dataset,
    )
    tukey = replace(testing, test=Testing.test, correct="tukey")
    board = leaderboard.leaderboard(database, silent, scope, tukey).rows.records
    # The registered measure that orders a board may be another.
    first = [row for row in board if row["measure"] == valued[0].name]
    ranks = {row["run"]: row["rank"] or len(board) for row in first}
    board.sort(key=lambda row: ranks.get(row["run"], len(board)))
    ranked = [row["run"] for row in board if row["measure"] == valued[0].name]
    places = {run: place for place, run in enumerate(ranked)}
    means = report.means(database, silent, scope).rows.records
    means.sort(key=lambda row: places.get(row["run"], len(places)))
    if pair is None and len(ranked) > 1:
        best, *others = ranked[: MOST_CANDIDATES + 1]
        measures = valued if question.named else ()
        every = comparison.resolve(database, best, others, scope, measures)
        pair = comparison.comparable(database, silent, every)
    short = database.run(
        "pages/short_attributes", {"dataset": dataset, "most": _MOST_SLICES}
    )
    attributes = [*by] or [name for (name,) in short]
    compared, slices = [], []
    if pair is not None:
        sole = replace(pair, by=())
        compared = compare.compare(database, silent, sole, testing).records
        slices = _slices(database, sole, attributes, testing) if attributes else []
    shown: Parameters = {
        **about,
        "measures": [measure.name for measure in valued],
        "measure": valued[0].name,
        "most": MOST_QUERIES,
        "attributes": attributes,
    }
    select = sql_files.read("pages/queries")
    with (
        answered(database, silent, replace(question, measures=valued)),
        database.temporary("page_queries", select, shown),
    ):
        queries = database.records("from page_queries order by query_id")
        values = database.records(sql_files.read("pages/query_values"), shown)
        is_sliced = attributes and queries
        rows = database.run("pages/query_attributes", shown) if is_sliced else []
        attribute_values: dict[str, list[str | None]] = dict(rows)
    here = {run.id for run in having_rankings(question.runs)}
    away = tuple(name for run_id, name in names.items() if run_id not in here)
    measure = None if away else _explaining(database, question)
    depth = min(measure.cutoff or _DEPTH, _DEPTH) if measure else 0
    steps: list[Record] = []
    if measure is not None:
        nearest = sorted(queries, key=lambda query: query["place"])[:MOST_EXPLAINED]
        explained: Parameters = {
            **about,
            "measure": measure.name,
            "query_ids": [query["query_id"] for query in nearest],
            "depth": depth,
        }
        with known_values(database, [measure], question.pairs, with_values=False):
            steps = database.records(sql_files.read("pages/steps"), explained)
    return Overview(
        dataset=dataset,
        judgment_set=judgment_set,
        measures=tuple(about["measures"]),
        runs=tuple(ranked),
        baseline=pair.baseline.name if pair else None,
        candidates=tuple(run.name for run in pair.candidates) if pair else (),
        is_comparison=is_comparison,
        leaderboard=board,
        means=means,
        compared=compared,
        slices=slices,
        history=history.history(database, silent, scope).rows.records,
        sources=sources,
        queries=queries,
        query_count=queries[0]["query_count"] if queries else 0,
        values={
            **{(m.name, run): [None] * len(queries) for m in valued for run in ranked},
            **{(r["measure"], names[r["run_id"]]): r["query_values"] for r in values},
        },
        attributes=attribute_values,
        explained_by=measure.name if measure else None,
        explained_depth=depth,
        steps=[{**row, "run": names[row["run_id"]]} for row in steps],
        away=away,
    )


def _slices(
    database: Database, pair: Comparison, attributes: Sequence[str], testing: Testing
) -> list[Record]:
    """Return the comparisons by each attribute, by the first measure."""
    first = replace(pair, runs=pair.runs[: SLICED + 1], measures=pair.measures[:1])
    with (
        separate(database, attributes),
        comparison.prepared(database, Silent(), first),
    ):
        return compare.rows_with_tests(database, first, testing, sliced=True).records


def _explaining(database: Database, question: Question) -> Measure | None:
    """Return the measure that explains queries: one of the page, or any that fits."""
    for measure in question.measures:
        if measure.family.name in GAINS:
            return measure
    [measure] = choose(database, [], question.pairs)
    set_ids = {set_id for _, set_id in question.pairs}
    with only_measures(database, [measure], set_ids):
        return None if misfits(database, set_ids) else measure
