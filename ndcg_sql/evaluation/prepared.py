"""The values of one run after another with one judgment set, none of which is stored.

DuckDB takes longer to plan the chain of views than to run it on a small run. So it is
planned once, on tables that a rollback empties.
"""

from collections.abc import Generator
from contextlib import contextmanager
from itertools import chain, repeat

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters, Row
from ndcg_sql.evaluation.values import MEANS, Batch, Measuring, Pair
from ndcg_sql.reading.plain import Hits, Plain, numbers, texts

# The only run, so its name and times have no meaning here.
_RUN: Parameters = {
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


class Prepared:
    """The registered measures with the only judgment set of a scratch database."""

    def __init__(self, database: Database, pair: Pair, judged: Plain) -> None:
        """Plan every statement; no run has been stored yet.

        judged are the judgments of the set.
        """
        self._database = database
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
        self._ids: Parameters = {"run_id": pair[0], "judgment_set_id": pair[1]}
        self._deepest = 0
        measures = dict(database.execute("select measure, family from measures"))
        measuring, batch = Measuring(database, measures), Batch(pair[1], pair[:1])
        sums = measuring.ideal_sums(Batch(pair[1]))
        database.execute(f"insert into ideal_sums by name {sums}")
        counts = "no_relevant, answered + unanswered, unanswered"
        for name, sql in {
            "evaluation": "insert into evaluations by name"
            f" select * from computed_evaluations where {batch.pairs}",
            "values_of_run": "insert into stored_values by name "
            + measuring.values(batch, stored_ideals=True),
            "means": _MEANS.format(f"measure, value, {counts}"),
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
        database, deepest = self._database, max(ranked.counts)
        if deepest > self._deepest:
            # Positions that a run needs and none has needed before stay for good.
            self._store_queries({"deepest": deepest})
            database.run("store/positions", self._ids)
            database.execute("delete from run_queries")
            self._deepest = deepest
        counts = zip(ranked.queries, ranked.counts, strict=True)
        database.execute("begin transaction")
        try:
            self._store_queries({query: count for query, count in counts if count})
            run = {**self._ids, **_RUN, "position_rule": position_rule}
            database.run("store/runs", run)
            self._returned.update(hits._asdict())
            database.run("store/hits_of_places", self._ids)
            database.execute("execute evaluation")
            database.execute("execute values_of_run")
            yield
        finally:
            database.execute("rollback")

    def _store_queries(self, counts: dict[str, int]) -> None:
        """Store the queries of a run, and how many documents it returned for each."""
        columns = {"query_ids": texts(counts), "counts": numbers(list(counts.values()))}
        self._database.run("store/run_queries_of_texts", {**self._ids, **columns})

    def store_means(self) -> None:
        """Store the means, for what reads them in the database."""
        self._database.execute("execute storing_means")

    def means(self) -> list[Row]:
        """Return each measure with its mean, and three counts of judged queries.

        The first is of those for which nothing is relevant, the second of all, the
        third of those that the run did not answer.
        """
        return self._database.execute("execute means")

    def by_query(self) -> list[Row]:
        """Return the query id, measure and value of each judged query."""
        return self._database.execute("execute values_by_query")
