"""Values of runs along a scale: over the cutoff, and precision over recall."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from ndcg_sql.comparison.answers import Rows
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.question import Question, of_queries, resolve
from ndcg_sql.evaluation.scope import known_values, sampled
from ndcg_sql.evaluation.values import MANY
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.requests.shared import Scope
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages

_VALUES = "values_along"
_STEPS = [digit * 10**power for power in range(18) for digit in (1, 2, 5)]
# The parameters that say which documents and queries count, and how.
_KEPT = ("rel", "judged_only", "known", "no_rel", "missing")
# With more values than this, measures are evaluated one after another.
_MOST_VALUES = 10 * MANY


class Sample(NamedTuple):
    """How many queries were drawn, and from how many."""

    n: int
    queries: int


def cutoffs(
    database: Database, messages: Messages, scope: Scope, most: int | None = None
) -> tuple[Rows, Sample | None]:
    """Return the values of a measure at growing cutoffs.

    The cutoffs are 1, 2, 3, 5, 10, 20, 50 and so on, as deep as the runs go; the
    cutoff that the measure has itself does not matter. Where more queries than most
    are judged, the values are those of a sample, which is given. Raises NdcgSqlError
    for a measure without a cutoff.
    """
    question = resolve(database, messages, scope)
    [measure] = question.measures
    if not measure.family.takes_cutoff:
        raise NdcgSqlError(f"{measure.name} has no cutoff; use another, such as nDCG")
    [(depth,)] = database.run("figures/run_depth", question.parameters)
    steps = takewhile(lambda step: step < depth, sorted([3, *_STEPS]))
    measures = [replace(measure, cutoff=step) for step in [*steps, max(depth, 1)]]
    return _along(database, question, measures, most)


def precision_recall(
    database: Database, messages: Messages, scope: Scope, most: int | None = None
) -> tuple[Rows, Sample | None]:
    """Return the precision at eleven levels of recall.

    It is the measure IPrec at 0, 0.1 and so on. What counts as relevant, and what
    a query without relevant documents counts, is as in the measure of the scope.
    Where more queries than most are judged, it is that of a sample, which is given.
    """
    question = resolve(database, messages, scope)
    [measure] = question.measures
    [precision] = parse("IPrec@0")
    own = measure.parameters
    same = {name: own[name] for name in _KEPT if own.get(name) is not None}
    precision = replace(precision, parameters={**precision.parameters, **same})
    measures = [replace(precision, level=tenth / 10) for tenth in range(11)]
    return _along(database, question, measures, most)


def _along(
    database: Database,
    question: Question,
    measures: Sequence[Measure],
    most: int | None,
) -> tuple[Rows, Sample | None]:
    """Return the values of measures, of all queries or of a sample, which is given."""
    counts = "select judgment_set_id, query_count from judgment_sets"
    queries = dict(database.execute(counts))
    sizes = [queries[set_id] for _, set_id in question.pairs]
    sample = None if most is None or max(sizes) <= most else Sample(most, max(sizes))
    if sample:
        of_queries(measures, "a sample of queries", named=True)
        sizes = [min(size, sample.n) for size in sizes]
    drawn = sampled(database, question.pairs, sample.n) if sample else nullcontext()
    # Very many values would need much memory at once.
    single = sum(sizes) * len(measures) > _MOST_VALUES
    batches = [[measure] for measure in measures] if single else [measures]
    select = sql_files.read("figures/values_along")
    parameters: Parameters = {
        **question.parameters,
        "measures": [measure.name for measure in measures],
    }
    with database.temporary(_VALUES, f"from ({select}) limit 0", parameters):
        with drawn:
            for batch in progress.each(batches, "evaluating", "measures"):
                names = [measure.name for measure in batch]
                afresh = sample is not None
                with known_values(database, batch, question.pairs, afresh=afresh):
                    of_batch = {**parameters, "measures": names}
                    database.execute(f"insert into {_VALUES} {select}", of_batch)
        return Rows.of(database, "figures/ordered_values", parameters), sample
