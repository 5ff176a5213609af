"""Unjudged documents that runs return, ranked by what they could change."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from ndcg_sql.analysis.bounds import batches, boundable
from ndcg_sql.analysis.titles import keep_known
from ndcg_sql.database.database import Database
from ndcg_sql.database.results import OUTPUT, output
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.external import with_rankings
from ndcg_sql.evaluation.fitting import fitting
from ndcg_sql.evaluation.question import Request, resolve
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.evaluation.values import Pair
from ndcg_sql.measures.names import Measure
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, listed

# The depth of judged@k in reports if a measure has no cutoff.
DEPTH = 10
_VIEWS = ("value_parts", "unjudged_document_values")


@contextmanager
def unjudged_documents(
    database: Database, messages: Messages, request: Request, depth: int | None
) -> Generator[None]:
    """Put the unjudged documents that runs return into the table OUTPUT.

    Those that could change the measure most come first. The default depth is the
    measure's cutoff, or 10. Raises NdcgSqlError where a name is not known, or
    where the effect of a judgment on the measure is not known.
    """
    question = resolve(database, messages, request)
    if request.measures and len(question.measures) > 1:
        raise NdcgSqlError(
            f"holes ranks by one measure, not by {len(question.measures)}; name one"
        )
    ids = [run_id for run_id, _ in question.pairs]
    here = with_rankings(database, messages, ids, request.runs, "holes")
    pairs = [pair for pair in question.pairs if pair[0] in here]
    measures = question.measures
    if not question.named:
        fits = fitting(database, {set_id for _, set_id in pairs}).everywhere
        measures = [measure for measure in measures if measure.name in fits]
    measure = _rankable(database, measures or question.measures, pairs)
    deep = checked_depth(depth) or measure.cutoff or DEPTH
    unjudged = sum(
        unjudged_queries(database, [run for run, own in pairs if own == set_id], set_id)
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
    with database.shadow(_VIEWS):
        for batch in batches(database, pairs):
            with known_values(database, [measure], batch, alone=True):
                database.bring("value_parts")
                database.bring("unjudged_document_values", within, parameters)
        with output(database, "reports/holes", parameters):
            keep_known(database, (run.dataset for run in question.runs))
            rows = database.execute(f"select count(*) from {OUTPUT}")[0][0]
            messages.tell(
                f"{counted(rows, 'unjudged document')} among the first {deep} of"
                f" {counted(len(pairs), 'run')}, ranked by {measure.name}"
            )
            yield


def _rankable(
    database: Database, measures: Sequence[Measure], pairs: Sequence[Pair]
) -> Measure:
    """Return the first measure for which the effect of one judgment is known."""
    known = boundable(database, measures, pairs)
    if known:
        return known[0]
    names = listed(measure.name for measure in measures)
    raise NdcgSqlError(
        f"{names}: the effect of one more judgment is known only for plain nDCG, DCG,"
        " nCG, CG, AP, RR, P, R, Success and RBP; name one: -m nDCG@10"
    )


def unjudged_queries(
    database: Database, run_ids: Sequence[int], set_id: int | None
) -> int:
    """Return how many queries the runs answered that the judgment set lacks."""
    ids = {"run_ids": list(run_ids), "judgment_set_id": set_id}
    return database.run("warnings/unjudged_queries", ids)[0][0]


def checked_depth(depth: int | None) -> int | None:
    """Return a depth; raise NdcgSqlError if it is below 1."""
    if depth is not None and depth < 1:
        raise NdcgSqlError(f"--depth {depth}: must be 1 or more")
    return depth
