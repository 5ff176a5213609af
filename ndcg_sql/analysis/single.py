"""A request narrowed to one measure of the runs of one dataset, as figures need it."""

from collections.abc import Sequence

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.question import choose_fitting, choose_measures
from ndcg_sql.measures.names import Measure
from ndcg_sql.measures.systems import find
from ndcg_sql.requests.shared import Request
from ndcg_sql.text import listed
from ndcg_sql.wording import named


def one_measure(database: Database, request: Request) -> Request:
    """Return a request for one measure of the runs of one dataset.

    If no measure is named, it is the first registered one that fits the judgments.
    Raises NdcgSqlError if the request names several, or if its runs belong to
    several datasets.
    """
    like = None if request.like is None else find(request.like)
    measures = choose_measures(database, request.measures, like)
    runs = entries.choose_runs(database, request.runs, request.dataset)
    datasets = list(dict.fromkeys(run.dataset for run in runs))
    if len(datasets) > 1:
        raise NdcgSqlError(
            "the runs belong to several datasets",
            "choose one with " + named("dataset") + f": {listed(datasets)}",
        )
    if request.names_measures:
        measure = only(measures)
    else:
        pairs = entries.judgments_of(database, runs, request.judgments)
        measure = choose_fitting(database, measures, pairs)[0]
    return Request(
        measures=(measure.name,),
        runs=request.runs,
        judgments=request.judgments,
        dataset=datasets[0],
        by=request.by,
        tags=request.tags,
    )


def only(measures: Sequence[Measure]) -> Measure:
    """Return the only one of the measures; raise NdcgSqlError if there are several."""
    if len(measures) > 1:
        names = ", ".join(measure.name for measure in measures)
        raise NdcgSqlError(f"a figure shows one measure; name one of {names}")
    return measures[0]
