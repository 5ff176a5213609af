"""All that one page shows of the runs of a dataset: who leads, by how much, where."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ndcg_sql.comparison import compare, leaderboard
from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.comparison.comparison import Comparison, comparable
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.fitting import fitting, misfits
from ndcg_sql.evaluation.measuring import Batch, Measuring
from ndcg_sql.evaluation.question import Question, of_queries, only_measures, separate
from ndcg_sql.measures.names import Measure, distinct, measure_called
from ndcg_sql.reports import figures, history
from ndcg_sql.reports.explain import GAINS, choose
from ndcg_sql.reports.figures import Drawn, Kind, curves
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import sql_text

# A page lists this number of queries at most, compares this number of runs with
# the baseline, and explains the queries that differ most.
MOST_QUERIES = 10_000
MOST_CANDIDATES = 10
MOST_EXPLAINED = 60
# The first runs have colours of their own, and charts show only these.
COLOURED = 8
# Charts of differences show the first candidates; scatter plots and slices, fewer.
FACETS, SCATTERS, SLICED = 4, 2, 2
# With more queries, a scatter plot is binned: each point is an element of the page.
_POINTS = 2000
# With more queries, curves are those of a sample: each point takes an evaluation.
_SAMPLE = 2000
# With more judgments, counted once for each run, curves are those of the best runs
# alone: each point of a run is computed from all of them.
_MOST_CURVED = 200_000
_CURVES: tuple[Kind, ...] = ("cutoffs", "precision-recall")
# How deep a ranking is shown where its measure has no cutoff, or a deeper one.
_DEPTH = 20

# A figure: its kind, its rows, and what is written on it. Text says why there is none.
Figure = tuple[str, list[Record], Mapping[str, Any]]


@dataclass(frozen=True)
class Overview:
    """What a page shows of the runs of one dataset under one judgment set.

    rows of leaderboard, means, compared, slices, history and sources are those of
    the commands of these names; runs and means are in the order of the leaderboard.
    values are those of each measure and run in the order of queries; attributes are
    those of the queries in the same order, by attribute. query_count also counts
    queries that are not listed; worst is how many of each run are, if not all. steps
    are the rankings of the explained queries by explained_by, down to explained_depth;
    without the rankings of the runs that are away, no query is explained. figures are
    those of sections. is_comparison is true where the user named the baseline.
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
    worst: int | None
    values: dict[tuple[str, str], list[float | None]]
    attributes: dict[str, list[str | None]]
    explained_by: str | None
    explained_depth: int
    steps: list[Record]
    away: tuple[str, ...]
    figures: list[tuple[str, Figure | str]]

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
    def loaded_at(self) -> str:
        """The day on which the judgments were loaded; empty if none is stored."""
        times = [row["loaded_at"] for row in self.sources if row["kind"] != "run"]
        return f"{times[0]:%Y-%m-%d}" if times and times[0] else ""


def overviews(database: Database, answer: Answer) -> list[Overview]:
    """Return what a page shows of each dataset of an answer.

    The runs are compared with the best by the first measure, or as in the answer.
    Nothing is reported again.
    """
    question: Question = answer.about["question"]
    sets = list(dict.fromkeys(set_id for _, set_id in question.pairs))
    usable = dict.fromkeys(sets, question.measures)
    if not question.named and len(sets) > 1:
        for set_id, fits in fitting(database, sets).items():
            usable[set_id] = tuple(m for m in question.measures if m.name in fits)
    every = [_part(database, question, *own) for own in usable.items() if own[1]]
    return [_overview(answer, part) for part in every if part.runs]


def _part(
    database: Database, question: Question, set_id: int, measures: Sequence[Measure]
) -> Question:
    """Return the question of the runs under one judgment set, as they were loaded."""
    ids = sorted(run_id for run_id, other in question.pairs if other == set_id)
    ordered = sorted(measures, key=lambda measure: measure.family.is_of_runs)
    if not question.named:
        # The first one orders the runs, of which some may lack loaded values.
        ordered.sort(key=lambda measure: measure.family.is_loaded)
    elif ordered[0].family.is_loaded:
        sql = "select distinct run_id from loaded_values where measure = $m"
        having = database.execute(sql, {"m": ordered[0].name})
        ids = [run_id for run_id in ids if (run_id,) in having]
    by_id = {run.id: run for run in question.runs}
    own = tuple(ordered), tuple(by_id[i] for i in ids), tuple((i, set_id) for i in ids)
    return Question(database, Messages(), *own, named=question.named)


def _overview(answer: Answer, question: Question) -> Overview:
    database = question.database
    whole: Question = answer.about["question"]
    testing: Testing = answer.about.get("testing", Testing())
    valued = of_queries(question.measures, "a page", named=False)
    names = {run.id: run.name for run in question.runs}
    dataset, set_id = question.runs[0].dataset, question.pairs[0][1]
    about: Parameters = {
        **question.parameters,
        "measures": [measure.name for measure in valued],
        "measure": valued[0].name,
        "dataset": dataset,
        "judgment_set_id": set_id,
        "most": MOST_QUERIES,
        # Where only the worst queries of each run are answered, only those.
        "listed": None,
    }
    worst: int | None = answer.about.get("worst")
    if worst is not None:
        sql = f"select distinct query_id from {answer.rows.table} where dataset = $d"
        about["listed"] = [q for (q,) in database.execute(sql, {"d": dataset})]
    sources = database.records(sql_files.read("pages/sources"), about)
    away = tuple(run.name for run in question.runs if not run.has_rankings)
    explaining = None if away else _explaining(question)
    about["depth"] = min(explaining.cutoff or _DEPTH, _DEPTH) if explaining else 0
    everything = distinct([*question.measures, *([explaining] if explaining else [])])
    steps: list[Record] = []
    with replace(question, measures=tuple(everything)).known_values():
        tukey = replace(testing, test=Testing.test, correct="tukey")
        rows, means = leaderboard.board(question, tukey)
        board = rows.records
        ranked = [row["run"] for row in board if row["measure"] == valued[0].name]
        places = {run: place for place, run in enumerate(ranked)}
        having = {row["measure"] for row in board}
        means.sort(key=lambda row: places.get(row["run"], len(places)))
        past = history.rows_of(question).records
        pair = None
        if isinstance(whole, Comparison):
            pair = replace(whole, database=database, messages=Messages())
        elif len(ranked) > 1:
            few = _of_runs(question, ranked[: MOST_CANDIDATES + 1])
            pair = comparable(Comparison(**vars(replace(few, measures=valued))))
        pair, compared = _compared(answer, pair, testing)
        about["attributes"] = [*answer.scope.by] or [
            name for (name,) in database.run("pages/short_attributes", about)
        ]
        slices = _slices(pair, about["attributes"], testing)
        with database.temporary("page_queries", sql_files.read("pages/queries"), about):
            queries = database.records("from page_queries order by query_id")
            values = database.records(sql_files.read("pages/query_values"), about)
            is_sliced = about["attributes"] and queries
            sliced = database.run("pages/query_attributes", about) if is_sliced else []
        nearest = sorted(queries, key=lambda query: query["place"])[:MOST_EXPLAINED]
        about["query_ids"] = [query["query_id"] for query in nearest]
        runs = _coloured(ranked, pair)
        charted = replace(_of_runs(question, runs[:COLOURED]), measures=valued[:1])
        drawn = [("distribution", _shown(figures.values(charted)))]
        drawn += _of_differences(pair)
        if explaining:
            steps = _steps(question, explaining, about)
    [judged] = [row for row in sources if row["kind"] != "run"]
    if judged["documents"] * len(runs) <= _MOST_CURVED:
        charted = replace(question, measures=valued[:1])
    drawn = [*_curves(charted), *drawn]
    return Overview(
        dataset=dataset,
        judgment_set=judged["name"],
        measures=tuple(m.name for m in question.measures if m.name in having),
        runs=runs,
        baseline=pair.baseline.name if pair else None,
        candidates=tuple(run.name for run in pair.candidates) if pair else (),
        is_comparison=isinstance(whole, Comparison),
        leaderboard=board,
        means=means,
        compared=compared,
        slices=slices,
        history=past,
        sources=sources,
        queries=queries,
        query_count=queries[0]["query_count"] if queries else 0,
        worst=worst,
        values={
            **{(m.name, run): [None] * len(queries) for m in valued for run in ranked},
            **{(r["measure"], names[r["run_id"]]): r["query_values"] for r in values},
        },
        attributes=dict(sliced),
        explained_by=explaining.name if explaining else None,
        explained_depth=about["depth"],
        steps=steps,
        away=away,
        figures=drawn,
    )


def _of_runs(question: Question, names: Sequence[str]) -> Question:
    """Return the question of some of the runs, in the order of their names."""
    by_name = {run.name: run for run in question.runs}
    runs = tuple(by_name[name] for name in names)
    set_id = question.pairs[0][1]
    return replace(question, runs=runs, pairs=tuple((run.id, set_id) for run in runs))


def _compared(
    answer: Answer, pair: Comparison | None, testing: Testing
) -> tuple[Comparison | None, list[Record]]:
    """Return a comparison without slices, its candidates as in the rows, and these."""
    if pair is None:
        return None, []
    pair = replace(pair, by=())
    is_answered = answer.name == "comparison" and not answer.scope.by
    rows = (answer.rows if is_answered else compare.rows_of(pair, testing)).records
    names = list(dict.fromkeys(row["candidate"] for row in rows))
    runs = [pair.baseline, *_of_runs(pair, names).runs]
    return replace(pair, runs=tuple(runs), sort=None, limit=None), rows


def _coloured(ranked: Sequence[str], pair: Comparison | None) -> tuple[str, ...]:
    """Return the runs from best to worst, the baseline among those with a colour."""
    if pair is None or pair.baseline.name in ranked[:COLOURED]:
        return tuple(ranked)
    best, others = ranked[: COLOURED - 1], ranked[COLOURED - 1 :]
    behind = (run for run in others if run != pair.baseline.name)
    return (*best, pair.baseline.name, *behind)


def _slices(
    pair: Comparison | None, attributes: Sequence[str], testing: Testing
) -> list[Record]:
    """Return the comparisons by each attribute, by the first measure."""
    if pair is None or not attributes:
        return []
    first = replace(pair, runs=pair.runs[: SLICED + 1], measures=pair.measures[:1])
    with separate(pair.database, attributes):
        return compare.rows_with_tests(first, testing, sliced=True).records


def _of_differences(pair: Comparison | None) -> list[tuple[str, Figure | str]]:
    """Return the charts of the first candidates, by the first measure."""
    if pair is None:
        return []
    pair = replace(pair, measures=pair.measures[:1])
    baseline, *candidates = pair.runs
    facets = replace(pair, runs=(baseline, *candidates[:FACETS]))
    kind, rows, about = _shown(figures.differences(facets, "differences"))
    drawn: list[Figure | str] = [(kind, rows, about)]
    for candidate in candidates[:SCATTERS]:
        own = [row for row in rows if row["candidate"] == candidate.name]
        if kind == "query-differences":
            # These have a row for each query, too.
            drawn.append(("scatter", own, about))
        else:
            two = replace(pair, runs=(baseline, candidate))
            drawn.append(_shown(figures.differences(two, "scatter", _POINTS)))
    return [("comparison", one) for one in drawn]


def _curves(
    question: Question, kinds: Sequence[Kind] = _CURVES
) -> list[tuple[str, Figure | str]]:
    """Return the charts of curves, or the reasons why there is none."""
    try:
        return [("curves", _shown(one)) for one in curves(question, kinds, _SAMPLE)]
    except NdcgSqlError as error:
        if len(kinds) == 1:
            return [("curves", no_chart(error))]
        # What one of them lacks, the other may not need.
        return [one for kind in kinds for one in _curves(question, [kind])]


def no_chart(error: NdcgSqlError) -> str:
    """Return why there is no chart; who reads a page cannot do what a remedy says."""
    return f"No chart: {NdcgSqlError(error.what, where=error.where)}."


def _shown(drawn: Drawn) -> Figure:
    return drawn.kind, drawn.rows.records, drawn.about


def _steps(question: Question, measure: Measure, about: Parameters) -> list[Record]:
    """Return the rankings of some queries, by the part of the chain for one measure."""
    queries = f"query_id in ({', '.join(map(sql_text, about['query_ids'])) or 'null'})"
    batch = Batch(about["judgment_set_id"], tuple(about["run_ids"]), queries)
    chain = Measuring(question.database, {measure.name: measure.family.name})
    select = chain.select("ndcg_steps", batch.conditions)
    select = f"with ndcg_steps as ({select}) {sql_files.read('pages/steps')}"
    return question.database.records(select, about)


def _explaining(question: Question) -> Measure | None:
    """Return what explains queries: a measure of the page, or else nDCG if it fits."""
    for measure in question.measures:
        if measure.family.name in GAINS:
            return measure
    database, set_ids = question.database, {set_id for _, set_id in question.pairs}
    [measure] = choose(database, [], question.pairs)
    with only_measures(database, [measure], set_ids):
        return None if misfits(database, set_ids) else measure
