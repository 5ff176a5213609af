"""Unjudged documents that runs return, by what one more judgment could change."""

from collections.abc import Sequence

from ndcg_sql.comparison.answers import Answer, Rows, limited, with_titles
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import with_rankings
from ndcg_sql.evaluation.fitting import check_fits, fitting
from ndcg_sql.evaluation.question import resolve
from ndcg_sql.evaluation.scope import only_measures
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.requests.questions import PoolRequest, UnjudgedRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted

# The depth of judged@k in reports if a measure has no cutoff.
DEPTH = 10


def answer(database: Database, messages: Messages, request: UnjudgedRequest) -> Answer:
    """Return the unjudged documents that runs return.

    Those come first whose judgment could change the most. The default depth is the
    measure's cutoff, or 10. Raises NdcgSqlError where a name is not known.
    """
    rows, _ = ranked(database, messages, request, "holes")
    return Answer("unjudged documents", request, limited(rows, messages, request.limit))


def ranked(
    database: Database,
    messages: Messages,
    request: UnjudgedRequest | PoolRequest,
    command: str,
) -> tuple[Rows, Measure]:
    """Return the unjudged documents, and the measure whose gains and discounts count.

    It is the measure that the request names, or the first registered one that has
    gains and discounts; in place of one that has none, nDCG with the same cutoff.
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
    set_ids = sorted({set_id for _, set_id in pairs})
    [*measures] = question.measures
    if not question.named:
        fits = fitting(database, set_ids).everywhere
        usable = [m for m in measures if m.name in fits and _has_discounts(m)]
        measures = usable or parse("nDCG@10")
    measure = measures[0]
    if not _has_discounts(measure):
        at = f"@{measure.cutoff}" if measure.cutoff else ""
        [measure] = parse(f"nDCG{at}")
    depth = request.depth or measure.cutoff or DEPTH
    parameters = {
        "run_ids": [run_id for run_id, _ in pairs],
        "judgment_set_ids": [set_id for _, set_id in pairs],
        "measure": measure.name,
        "depth": depth,
    }
    with only_measures(database, [measure], set_ids):
        check_fits(database, set_ids)
        rows = Rows.of(database, "reports/holes", parameters)
    unjudged = sum(
        unjudged_queries(
            database, [run for run, other in pairs if other == set_id], set_id
        )
        for set_id in set_ids
    )
    if unjudged:
        messages.tell(
            f"{counted(unjudged, 'query', 'queries')} without any judgment: left out"
        )
    messages.tell(
        f"{counted(len(rows), 'unjudged document')} among the first {depth} of"
        f" {counted(len(pairs), 'run')}, ranked by {measure.name}"
    )
    rows = with_titles(database, rows, (run.dataset for run in question.runs))
    return rows, measure


def _has_discounts(measure: Measure) -> bool:
    """Return whether gains of grades are discounted by position."""
    return "dcg" in measure.family.defaults


def unjudged_queries(
    database: Database, run_ids: Sequence[int], set_id: int | None
) -> int:
    """Return how many queries the runs answered that the judgment set lacks."""
    ids = {"run_ids": list(run_ids), "judgment_set_id": set_id}
    return database.run("warnings/unjudged_queries", ids)[0][0]
