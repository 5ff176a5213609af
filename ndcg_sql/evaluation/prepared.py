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

# The only run; what tells one run from another has no meaning here.
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
_MEANS = (
    "select measure, value, no_relevant, answered + unanswered, unanswered from"
    " summarized_values where attribute is null"
)


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
        database.execute(
            f"insert into ideal_sums by name {measuring.ideal_sums(batch)}"
        )
        evaluations = f"select * from computed_evaluations where {batch.pairs}"
        values = measuring.values(batch, stored_ideals=True)
        self._steps = [
            self._planned(
                "evaluation", f"insert into evaluations by name {evaluations}"
            ),
            self._planned("values", f"insert into stored_values by name {values}"),
        ]
        means = f"select {MEANS} from summarized_values where attribute is null"
        means = f"insert into stored_run_values by name {means}"
        self._storing_means = self._planned("storing_means", means)
        self._means = self._planned("means", _MEANS)
        by_query = sql_files.read("reports/values_by_query")
        self._by_query = self._planned("values_by_query", by_query)

    @contextmanager
    def evaluated(
        self, ranked: Plain, hits: Hits, position_rule: str
    ) -> Generator[None]:
        """Have the values of a run while inside; it must have hits."""
        self._deepen(max(ranked.counts))
        self._database.execute("begin transaction")
        try:
            self._store(ranked, hits, position_rule)
            for step in self._steps:
                self._database.execute(step)
            yield
        finally:
            self._database.execute("rollback")

    def _deepen(self, deepest: int) -> None:
        """Store for good the positions that a run needs and none has needed before."""
        if deepest > self._deepest:
            self._store_queries(["deepest"], [deepest])
            self._database.run("store/positions", self._ids)
            self._database.execute("delete from run_queries")
            self._deepest = deepest

    def _store(self, ranked: Plain, hits: Hits, position_rule: str) -> None:
        """Store what the values of a run are computed from."""
        counts = zip(ranked.queries, ranked.counts, strict=True)
        answered = {query: count for query, count in counts if count}
        self._store_queries([*answered], [*answered.values()])
        run = {**self._ids, **_RUN, "position_rule": position_rule}
        self._database.run("store/runs", run)
        self._returned.update(hits._asdict())
        self._database.run("store/hits_of_places", self._ids)

    def _store_queries(self, query_ids: list[str], counts: list[int]) -> None:
        """Store the queries of a run, and how many documents it returned for each."""
        parameters = {"query_ids": texts(query_ids), "counts": numbers(counts)}
        self._database.run("store/run_queries_of_texts", {**self._ids, **parameters})

    def store_means(self) -> None:
        """Store the means, for what reads them in the database."""
        self._database.execute(self._storing_means)

    def means(self) -> list[Row]:
        """Return each measure with its mean, and three counts of judged queries.

        The first is of those for which nothing is relevant, the second of all, the
        third of those that the run did not answer.
        """
        return self._database.execute(self._means)

    def by_query(self) -> list[Row]:
        """Return the query id, measure and value of each judged query."""
        return self._database.execute(self._by_query)

    def _planned(self, name: str, sql: str) -> str:
        """Plan a statement under a name; return the one that executes it."""
        self._database.execute(f"prepare {name} as {sql}")
        return f"execute {name}"
