"""What a thread keeps between evaluations in memory: judgments, and what is planned.

A training loop evaluates one run after another with the same judgments and measures.
DuckDB takes longer to plan the chain of views than to run it on a small run. So it is
planned once, on tables that a rollback empties.
"""

import os
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from itertools import chain, repeat
from typing import NamedTuple

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters, Row
from ndcg_sql.evaluation.values import MEANS, Batch, Measuring
from ndcg_sql.measures.names import Measure
from ndcg_sql.reading.plain import Hits, Judged, Plain, numbers, places, texts

# The ids of the only run and the only judgment set.
PAIR = (1, 1)
_IDS: Parameters = {"run_id": PAIR[0], "judgment_set_id": PAIR[1]}
# The name and times of the only run have no meaning here.
_RUN: Parameters = {
    **_IDS,
    "dataset": "default",
    "name": "run",
    "source": "dict",
    "content_hash": "",
    "run_at": None,
    "loaded_at": "1970-01-01",
}
# What plans statements for the values that the tables have at the time: ids that are
# longer than those would be cut off.
_OF_STATISTICS = "statistics_propagation, compressed_materialization"
_MEANS = "select {} from summarized_values where attribute is null"
_COUNTS = "no_relevant, answered + unanswered, unanswered"


class Basis(NamedTuple):
    """What evaluations have in common if one database serves them.

    judgments are compared by content: who changed theirs in between gets new values.
    """

    judgments: Judged
    measures: tuple[str, ...]
    like: str | None


class Kept:
    """A scratch database with one judgment set, and what is planned on it."""

    def __init__(
        self,
        basis: Basis,
        judged: Plain,
        database: Database,
        measures: Sequence[Measure],
        warnings: list[str],
    ) -> None:
        """Plan every statement; no run has been stored yet.

        judged are the rows of the judgments, which are copied, to compare later;
        warnings are about both.
        """
        judgments = {query: dict(grades) for query, grades in basis.judgments.items()}
        self.basis = basis._replace(judgments=judgments)
        self.database, self.measures, self.warnings = database, measures, warnings
        self.rows, self.places = judged, places(judged)
        self.needs_grades = any(measure.family.needs for measure in measures)
        self.process = os.getpid()
        self._deepest = 0
        # One run is too small for a second thread, and a fork would lose it.
        database.execute("set threads = 1")
        query_ids = chain.from_iterable(map(repeat, judged.queries, judged.counts))
        parameters = {
            "query_ids": texts(query_ids),
            "doc_ids": texts(judged.documents),
            # Adding 0 turns a negative zero into a plain one.
            "grades": numbers((judged.numbers + 0.0).tolist()),
        }
        database.run("store/placed_judgments", parameters)
        # A statement reads the arrays that the dict has when it begins. Registered for
        # each run, it would be a change of the catalog, and all would be planned anew.
        self._returned = Hits.nothing()._asdict()
        database.connection.register("returned_places", self._returned)
        database.execute(f"set disabled_optimizers = '{_OF_STATISTICS}'")
        families = dict(database.execute("select measure, family from measures"))
        measuring, batch = Measuring(database, families), Batch(PAIR[1], PAIR[:1])
        sums = measuring.ideal_sums(Batch(PAIR[1]))
        database.execute(f"insert into ideal_sums by name {sums}")
        # Means come with the numbers of judged queries: those without a relevant
        # document, all, and those without an answer.
        for name, sql in {
            "evaluation": "insert into evaluations by name"
            f" select * from computed_evaluations where {batch.pairs}",
            "values_of_run": "insert into stored_values by name "
            + measuring.values(batch, stored_ideals=True),
            "means": _MEANS.format(f"measure, value, {_COUNTS}"),
            "storing_means": "insert into stored_run_values by name "
            + _MEANS.format(MEANS),
            "values_by_query": sql_files.read("reports/values_by_query"),
        }.items():
            database.execute(f"prepare {name} as {sql}")

    @contextmanager
    def evaluated(
        self, ranked: Plain, hits: Hits, position_rule: str
    ) -> Generator[None]:
        """Have the values of a run while inside; it must have hits."""
        database, deepest = self.database, max(ranked.counts)
        if deepest > self._deepest:
            # Positions that a run needs and none has needed before stay for good.
            self._store_queries({"deepest": deepest})
            database.run("store/positions", _IDS)
            database.execute("delete from run_queries")
            self._deepest = deepest
        counts = zip(ranked.queries, ranked.counts, strict=True)
        database.execute("begin transaction")
        try:
            self._store_queries({query: count for query, count in counts if count})
            database.run("store/runs", {**_RUN, "position_rule": position_rule})
            self._returned.update(hits._asdict())
            database.run("store/hits_of_places", _IDS)
            self.run("evaluation")
            self.run("values_of_run")
            yield
        finally:
            database.execute("rollback")

    def _store_queries(self, counts: dict[str, int]) -> None:
        """Store the queries of a run, and how many documents it returned for each."""
        columns = {"query_ids": texts(counts), "counts": numbers(list(counts.values()))}
        self.database.run("store/run_queries_of_texts", {**_IDS, **columns})

    def run(self, name: str) -> list[Row]:
        """Return the rows of a prepared statement."""
        return self.database.execute(f"execute {name}")


class _OfThread(threading.local):
    kept: Kept | None = None


_OF_THREAD = _OfThread()
# What a fork got from its parent, whose locks it must neither take nor release.
_OF_PARENT: list[Kept] = []


def kept(basis: Basis) -> Kept | None:
    """Return what this thread keeps for evaluations; None if it keeps others."""
    cache = _OF_THREAD.kept
    if cache is not None and cache.process != os.getpid():
        _OF_PARENT.append(cache)
        cache = _OF_THREAD.kept = None
    return cache if cache is not None and cache.basis == basis else None


def keep(cache: Kept) -> Kept:
    """Keep what is planned for judgments; what was kept before is closed."""
    forget()
    _OF_THREAD.kept = cache
    return cache


def forget() -> None:
    """Close what this thread keeps, if anything."""
    cache, _OF_THREAD.kept = _OF_THREAD.kept, None
    if cache is not None:
        cache.database.close()
