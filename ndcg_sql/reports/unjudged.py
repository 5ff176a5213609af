"""Unjudged documents that runs return, ranked by what they could change."""

from collections.abc import Sequence

from ndcg_sql.comparison.answers import Answer, Rows, limited, with_titles
from ndcg_sql.database import views
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import with_rankings
from ndcg_sql.evaluation.fitting import fitting
from ndcg_sql.evaluation.question import resolve
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.evaluation.values import Pair
from ndcg_sql.measures.names import Measure
from ndcg_sql.reports.bounds import batches, boundable
from ndcg_sql.requests.questions import PoolRequest, UnjudgedRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, listed
from ndcg_sql.wording import use

# The depth of judged@k in reports if a measure has no cutoff.
DEPTH = 10
_VALUES = "unjudged_document_values"


def answer(database: Database, messages: Messages, request: UnjudgedRequest) -> Answer:
    """Return the unjudged documents that runs return.

    Those that could change the measure most come first. The default depth is the
    measure's cutoff, or 10. Raises NdcgSqlError where a name is not known, or
    where the effect of a judgment on the measure is not known.
    """
    rows, _ = ranked(database, messages, request, "holes")
    return Answer("unjudged documents", request, limited(rows, messages, request.limit))


def ranked(
    database: Database,
    messages: Messages,
    request: UnjudgedRequest | PoolRequest,
    command: str,
) -> tuple[Rows, Measure]:
    """Return the unjudged documents, those first that could change a measure most.

    The measure is the one that the request names, or the first that can be bounded.
    Raises NdcgSqlError as answer does; messages name the command.
    """
    question = resolve(database, messages, request)
    if request.measures and len(question.measures) > 1:
        raise NdcgSqlError(
            f"{command} ranks by one measure, not by {len(question.measures)}; name one"
        )
    ids = {run_id for run_id, _ in question.pairs}
    judged = [run for run in question.runs if run.id in ids]
    here = {run.id for run in with_rankings(messages, judged, request.runs, command)}
    pairs = [pair for pair in question.pairs if pair[0] in here]
    measures = question.measures
    if not question.named:
        fits = fitting(database, {set_id for _, set_id in pairs}).everywhere
        measures = [measure for measure in measures if measure.name in fits]
    measure = _rankable(database, measures or question.measures, pairs)
    deep = request.depth or measure.cutoff or DEPTH
    unjudged = sum(
        unjudged_queries(
            database, [run for run, other in pairs if other == set_id], set_id
        )
        for set_id in sorted({set_id for _, set_id in pairs})
    )
    if unjudged:
        messages.tell(
            f"{counted(unjudged, 'query', 'queries')} without any judgment: left out"
        )
    reach = max(deep, measure.cutoff) if measure.cutoff else None
    parameters = {"measure": measure.name, "depth": deep, "reach": reach}
    # Beyond the cutoff, a document changes the value as if it were not returned.
    within = "where $reach is null or position <= $reach"
    parts = views.read_often(_VALUES)
    with database.shadow([*parts, _VALUES]):
        for batch in batches(database, pairs):
            with known_values(database, [measure], batch, alone=True):
                for view in parts:
                    database.bring(view)
                database.bring(_VALUES, within, parameters)
        rows = Rows.of(database, "reports/holes", parameters)
    messages.tell(
        f"{counted(len(rows), 'unjudged document')} among the first {deep} of"
        f" {counted(len(pairs), 'run')}, ranked by {measure.name}"
    )
    rows = with_titles(database, rows, (run.dataset for run in question.runs))
    return rows, measure


def _rankable(
    database: Database, measures: Sequence[Measure], pairs: Sequence[Pair]
) -> Measure:
    bounded = boundable(database, measures, pairs)
    if bounded:
        return bounded[0]
    names = listed(measure.name for measure in measures)
    raise NdcgSqlError(
        f"{names}: the effect of one more judgment is known only for plain nDCG, DCG,"
        " nCG, CG, AP, RR, P, R, Success and RBP",
        "name one: " + use(measures="nDCG@10"),
    )


def unjudged_queries(
    database: Database, run_ids: Sequence[int], set_id: int | None
) -> int:
    """Return how many queries the runs answered that the judgment set lacks."""
    ids = {"run_ids": list(run_ids), "judgment_set_id": set_id}
    return database.run("warnings/unjudged_queries", ids)[0][0]
