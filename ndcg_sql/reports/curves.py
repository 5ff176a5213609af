"""Values of runs along a scale: over the cutoff, and precision over recall."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from itertools import takewhile
from typing import Literal, NamedTuple

from ndcg_sql.comparison.answers import Rows
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.question import Question, of_queries
from ndcg_sql.evaluation.scope import known_values, sampled
from ndcg_sql.evaluation.values import MANY
from ndcg_sql.measures.names import Measure, distinct, parse
from ndcg_sql.system import progress

Kind = Literal["cutoffs", "precision-recall"]
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


def curves(
    database: Database,
    question: Question,
    kinds: Sequence[Kind],
    most: int | None = None,
) -> tuple[dict[Kind, Rows], Sample | None]:
    """Return the values of a measure along the scales of some kinds of curves.

    They are evaluated together, which reads the runs once. Where more queries than
    most are judged, the values are those of a sample, which is given. Raises
    NdcgSqlError for cutoffs of a measure without a cutoff.
    """
    [measure] = question.measures
    along: dict[Kind, list[Measure]] = {
        kind: _ALONG[kind](database, question, measure) for kind in kinds
    }
    measures = distinct([one for some in along.values() for one in some])
    select = sql_files.read("figures/values_along")
    parameters = question.parameters
    sample, batches = _batches(database, question, measures, most)
    drawn = sampled(database, question.pairs, sample.n) if sample else nullcontext()
    with database.temporary(_VALUES, f"from ({select}) limit 0", parameters):
        with drawn:
            for batch in progress.each(batches, "evaluating", "measures"):
                afresh = sample is not None
                with known_values(database, batch, question.pairs, afresh=afresh):
                    of_batch = {"measures": [one.name for one in batch]}
                    database.execute(
                        f"insert into {_VALUES} {select}", parameters | of_batch
                    )
        rows: dict[Kind, Rows] = {
            kind: Rows.of(
                database,
                "figures/ordered_values",
                parameters | {"measures": [one.name for one in some]},
            )
            for kind, some in along.items()
        }
    return rows, sample


def _cutoffs(database: Database, question: Question, measure: Measure) -> list[Measure]:
    """Return a measure at the cutoffs 1, 2, 3, 5, 10, 20, 50 …, as deep as runs go.

    The cutoff that the measure has itself does not matter.
    """
    if not measure.family.takes_cutoff:
        raise NdcgSqlError(f"{measure.name} has no cutoff; use another, such as nDCG")
    [(depth,)] = database.run("figures/run_depth", question.parameters)
    steps = takewhile(lambda step: step < depth, sorted([3, *_STEPS]))
    return [replace(measure, cutoff=step) for step in [*steps, max(depth, 1)]]


def _recall_levels(
    _database: Database, _question: Question, measure: Measure
) -> list[Measure]:
    """Return the interpolated precision at recall 0, 0.1 and so on.

    What counts as relevant, and what a query without relevant documents counts, is as
    in the measure.
    """
    [precision] = parse("IPrec@0")
    own = measure.parameters
    same = {name: own[name] for name in _KEPT if own.get(name) is not None}
    precision = replace(precision, parameters={**precision.parameters, **same})
    return [replace(precision, level=tenth / 10) for tenth in range(11)]


_ALONG: Mapping[Kind, Callable[[Database, Question, Measure], list[Measure]]] = {
    "cutoffs": _cutoffs,
    "precision-recall": _recall_levels,
}


def _batches(
    database: Database,
    question: Question,
    measures: Sequence[Measure],
    most: int | None,
) -> tuple[Sample | None, list[Sequence[Measure]]]:
    """Return the sample of queries, if one is drawn, and what to evaluate at once."""
    counts = "select judgment_set_id, query_count from judgment_sets"
    queries = dict(database.execute(counts))
    sizes = [queries[set_id] for _, set_id in question.pairs]
    sample = None if most is None or max(sizes) <= most else Sample(most, max(sizes))
    if sample:
        of_queries(measures, "a sample of queries", named=True)
        sizes = [min(size, sample.n) for size in sizes]
    # Very many values would need much memory at once.
    single = sum(sizes) * len(measures) > _MOST_VALUES
    return sample, [[one] for one in measures] if single else [measures]
