"""How far values could move if the unjudged documents had any grades."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace

from ndcg_sql.comparison.answers import Rows
from ndcg_sql.database import views
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.question import resolve
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.evaluation.values import MANY, Pair
from ndcg_sql.measures.families import Value
from ndcg_sql.measures.names import Measure, distinct, parse
from ndcg_sql.requests.shared import Request
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages

_BOUNDS = "value_bounds"


def rows(
    database: Database, messages: Messages, request: Request, per_query: bool
) -> Rows:
    """Return values and their bounds.

    Each value comes with the lowest and the highest that it could have if all
    returned documents were judged, with its value for the rankings without
    unjudged documents, and with Bpref. Reports the measures without known bounds.
    """
    question = resolve(database, messages, request)
    measures, pairs = question.measures, question.pairs
    condensed = [_beside(measure, judged_only=True) for measure in measures]
    bprefs = [_bpref(measure) for measure in measures]
    beside = [other for other in (*condensed, *bprefs) if other]
    parameters = {
        **question.parameters,
        "condensed": [other.name if other else None for other in condensed],
        "bprefs": [other.name for other in bprefs],
    }
    bounded = boundable(database, measures, pairs)
    unknown = [measure.name for measure in measures if measure not in bounded]
    if unknown:
        messages.tell(f"no bounds are known for {', '.join(unknown)}")
    file = "reports/bounds_queries" if per_query else "reports/bounds"
    with (
        _bounded(database, bounded, pairs, question.named),
        known_values(
            database, distinct([*measures, *beside]), pairs, named=question.named
        ),
    ):
        return Rows.of(database, file, parameters)


def _bounded(
    database: Database,
    measures: Sequence[Measure],
    pairs: Sequence[Pair],
    named: bool,
) -> ExitStack:
    """Return a context in which value_bounds has only these measures and pairs."""
    parts = views.read_often(_BOUNDS)
    with ExitStack() as kept:
        with database.shadow(parts):
            kept.enter_context(database.shadow([_BOUNDS]))
        for batch in batches(database, pairs) if measures else ():
            with (
                known_values(database, measures, batch, alone=True, named=named),
                database.shadow(parts),
            ):
                for view in (*parts, _BOUNDS):
                    database.bring(view)
        return kept.pop_all()


def boundable(
    database: Database, measures: Sequence[Measure], pairs: Sequence[Pair]
) -> list[Measure]:
    """Return the measures for which the effect of more judgments is known.

    It must be known for each of the judgment sets.
    """
    with known_values(database, measures, [], with_values=False):
        rows = database.execute("select judgment_set_id, measure from best_gains")
    bounded = set(rows)
    return [
        measure
        for measure in measures
        if all((set_id, measure.name) in bounded for _, set_id in pairs)
    ]


def batches(database: Database, pairs: Sequence[Pair]) -> Iterable[list[Pair]]:
    """Return pairs in batches that need little memory."""
    sizes = "select judgment_set_id, query_count from judgment_sets"
    queries = dict(database.execute(sizes))
    groups: list[list[Pair]] = []
    room = 0
    for pair in pairs:
        if queries[pair[1]] > room:
            groups.append([])
            room = MANY
        groups[-1].append(pair)
        room -= queries[pair[1]]
    return progress.each(groups, "filling in grades", "batches")


def _beside(measure: Measure, **parameters: Value) -> Measure | None:
    changed = replace(measure, parameters={**measure.parameters, **parameters})
    try:
        return parse(changed.name)[0]
    except NdcgSqlError:
        return None


def _bpref(measure: Measure) -> Measure:
    bpref = parse("Bpref")[0]
    rel = measure.parameters.get("rel")
    return bpref if rel is None else _beside(bpref, rel=rel) or bpref
