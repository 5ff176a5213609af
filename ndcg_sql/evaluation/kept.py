"""What a thread keeps between evaluations in memory: judgments, and what is planned.

A training loop evaluates one run after another with the same judgments and measures.
DuckDB takes longer to plan the chain of views than to run it on a small run. So it is
planned once, on tables that a rollback empties.
"""

import os
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import chain, repeat
from math import nan
from typing import Any, NamedTuple

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.formulas import Formulas, JudgedRows, Returned
from ndcg_sql.evaluation.measuring import Batch, Measuring
from ndcg_sql.evaluation.warnings import lacking
from ndcg_sql.measures.names import Measure
from ndcg_sql.reading.clean.arrays import np
from ndcg_sql.reading.plain import Hits, Judged, Plain, numbers, places, texts

# The ids of the only run and the only judgment set.
PAIR = (1, 1)
# The numbers of documents of queries.
Sizes = dict[str, int]
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
# Of means, warnings look at the numbers of queries to which nothing is relevant.
_MEANS = (
    "insert into stored_run_values by name select run_id, judgment_set_id,"
    " unnest($names) as measure, answered + unanswered as n, n as no_relevant,"
    " 0 as judged_at_k from evaluations"
)


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
        needs_grades = any(measure.family.needs for measure in measures)
        # What judgments lack, by the measures that have nothing relevant.
        self._lacks: dict[tuple[str, ...], list[str]]
        self._lacks = {} if needs_grades else {(): []}
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
        self.names = [*families]
        self._row_of = {name: row for row, name in enumerate(families)}
        sizes = zip(judged.queries, judged.counts, strict=True)
        self.queries = sorted(query for query, size in sizes if size)
        self._numbers = {query: number for number, query in enumerate(self.queries)}
        number_of = [self._numbers.get(query, 0) for query in judged.queries]
        self._query = np.repeat(np.array(number_of), judged.counts)
        rows = JudgedRows(len(self.queries), self._query, judged.numbers)
        batch = Batch(PAIR[1])
        self.formulas = formulas = Formulas(database, families, rows, batch.conditions)
        self._grades = np.searchsorted(formulas.grades, judged.numbers)
        if formulas.others:
            measuring = Measuring(database, formulas.others)
            ideals = measuring.ideal_sums(batch)
            database.execute(f"insert into ideal_sums by name {ideals}")
            values = measuring.values(batch._replace(run_ids=PAIR[:1]), True)
            columns = "measure, query_id, value, nothing_relevant"
            database.execute(f"prepare others as select {columns} from ({values})")

    @contextmanager
    def evaluated(
        self, sizes: Sizes, hits: Hits, position_rule: str, is_doubtful: bool
    ) -> Generator[tuple[Any, list[str]]]:
        """Yield values, a row of each measure, and what judgments lack for measures.

        sizes are the numbers of documents of the queries that the run answers. It must
        have hits, and is in tables while inside if it is doubtful.
        """
        formulas, row_of = self.formulas, self._row_of
        listed = np.array([sizes.get(query, 0) for query in self.queries])
        query, grade = self._query[hits.place], self._grades[hits.place]
        values = np.full((len(row_of), len(listed)), np.nan)
        for measure in formulas.values(Returned(query, hits.position, grade, listed)):
            values[row_of[measure.name]] = measure.value
        names = formulas.irrelevant
        is_stored = is_doubtful or formulas.others or tuple(names) not in self._lacks
        with self._stored(sizes, hits, position_rule) if is_stored else nullcontext():
            rows = self.database.execute("execute others") if formulas.others else []
            for measure, query, value, _ in rows:
                at = row_of[measure], self._numbers[query]
                values[at] = nan if value is None else value
            relevant = {measure for measure, *_, is_nothing in rows if not is_nothing}
            names = [*names, *(n for n in formulas.others if n not in relevant)]
            if (key := tuple(names)) not in self._lacks:
                self.database.execute(_MEANS, {"names": names})
                lacks = lacking(self.database, self.measures, [PAIR])
                self._lacks[key] = [*map(str, lacks)]
            yield values, self._lacks[key]

    @contextmanager
    def _stored(self, sizes: Sizes, hits: Hits, position_rule: str) -> Generator[None]:
        """Have a run in tables while inside."""
        database, deepest = self.database, max(sizes.values())
        if deepest > self._deepest:
            # Positions that a run needs and none has needed before stay for good.
            self._store_queries({"deepest": deepest})
            database.run("store/positions", _IDS)
            database.execute("delete from run_queries")
            self._deepest = deepest
        database.execute("begin transaction")
        try:
            self._store_queries(sizes)
            database.run("store/runs", {**_RUN, "position_rule": position_rule})
            self._returned.update(hits._asdict())
            database.run("store/hits_of_places", _IDS)
            answered = sum(query in self._numbers for query in sizes)
            unanswered = len(self.queries) - answered
            numbers = {"answered": answered, "unanswered": unanswered}
            numbers |= {**_IDS, "unjudged_queries": len(sizes) - answered}
            database.run("store/counted_evaluation", numbers)
            yield
        finally:
            database.execute("rollback")

    def _store_queries(self, counts: dict[str, int]) -> None:
        """Store the queries of a run, and how many documents it returned for each."""
        columns = {"query_ids": texts(counts), "counts": numbers(list(counts.values()))}
        self.database.run("store/run_queries_of_texts", {**_IDS, **columns})


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
