"""The values of one run after another with one judgment set, none of which is stored.

DuckDB takes longer to plan a select on our views than to run it on a small run. So
what evaluation.values stores is planned once, into tables that a rollback empties.
"""

from collections.abc import Generator
from contextlib import contextmanager
from itertools import chain, repeat

from ndcg_sql.database import sql_files, views
from ndcg_sql.database.database import Database, Parameters, Row
from ndcg_sql.evaluation.values import FITTING, TOGETHER, Pair
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
# The tables that also have the ideal rankings, and the measures whose ideal rankings
# depend on what a run returned.
_WITH_IDEALS = ("discounted_gains", "gain_prefixes")
_OF_A_RUN = "select measure from gain_measures where ideal not in ('judged', 'uncut')"
# The views, besides those of families, that are read for each run.
_OF_RUNS = ("computed_evaluations", "summarized_values")
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
        self._steps: list[str] = []
        self._made = {FITTING}
        database.execute(f"create temp table {FITTING} as from {FITTING}")
        families = database.execute(f"select family from {FITTING}")
        names = views.of_families(family for (family,) in families)
        filled = self._tables(names)
        self._plan("planned_evaluation", sql_files.read("store/evaluations"))
        for view, select in filled.items():
            self._plan(f"planned_{view}", f"insert into temp.{view} {select}")
        for start in range(0, len(names), TOGETHER):
            values = views.united(names[start : start + TOGETHER])
            self._plan(f"planned_values_{start}", views.storing(values))
        storing = sql_files.read("store/stored_run_values")
        self._storing_means = self._planned("planned_means", storing)
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

    def _tables(self, names: list[str]) -> dict[str, str]:
        """Make tables of what the views of families read, where that pays.

        Views that read no run are filled for good; returns the selects of the other
        tables, which each run fills anew.
        """
        read = views.reads_through(names)
        filled: dict[str, str] = {}
        for row in sql_files.rows("store/materialized"):
            view, select = row["view"], row["small_run"]
            if view not in read or not select:
                continue
            if not select.startswith("from "):
                select = sql_files.read(select)
            # No query knows a document here: such a table stays empty.
            if "$run_id" in select and not row["if_any"]:
                filled[view] = select
            else:
                self._make(view, select)
        for view in self._without_runs(read | views.reads_through(_OF_RUNS)):
            self._make(view, f"from {view}")
        for view, select in filled.items():
            self._make(view, select)
            # The table hides the view of its own name.
            stored = f"from {views.STORE}.{view} "
            filled[view] = select.replace(f"from {view} ", stored, 1)
        if filled.keys() & {*_WITH_IDEALS} and not self._database.execute(_OF_A_RUN):
            return self._with_ideals(filled)
        return filled

    def _with_ideals(self, filled: dict[str, str]) -> dict[str, str]:
        """Fill in the ideal rankings, which are the same for all runs, once for good.

        A run without documents shows them. Returns the selects of all other rows.
        """
        others = {"run_queries", "runs", "evaluations"}
        self._store_queries(["none"], [0])
        self._database.run(
            "store/runs", {**self._ids, **_RUN, "position_rule": "score"}
        )
        self._database.run("store/evaluations", self._ids)
        for view, select in filled.items():
            which = ""
            if view in _WITH_IDEALS:
                which = " and part = 'ideal'"
                filled[view] = f"{select} and part <> 'ideal'"
            else:
                others.add(view)
            self._database.execute(f"insert into {view} {select}{which}", self._ids)
        for table in others:
            self._database.execute(f"delete from {table}")
        return filled

    def _without_runs(self, read: set[str]) -> list[str]:
        """Return those of some views that read no run, each after those that it reads.

        Views that are tables already are left out.
        """
        of_runs = {"positions"}
        for table in self._database.run(
            "lookups/tables_with_column", {"column": "run_id"}
        ):
            of_runs |= {*table}
        made = self._made
        return [
            view.name
            for view in views.in_order(sorted(read - made))
            if view.name in read - made
            and of_runs.isdisjoint(views.reads_through([view.name]))
        ]

    def _make(self, view: str, select: str) -> None:
        """Make a table that hides a view, and fill it."""
        self._database.execute(f"create temp table {view} as {select}", self._ids)
        self._made.add(view)

    def _plan(self, name: str, sql: str) -> None:
        """Plan a step of every evaluation."""
        self._steps.append(self._planned(name, sql))

    def _planned(self, name: str, sql: str) -> str:
        """Plan a statement under a name; return the one that executes it.

        Ids become constants: DuckDB plans anew what has parameters.
        """
        for parameter, value in self._ids.items():
            sql = sql.replace(f"${parameter}", str(value))
        self._database.execute(f"prepare {name} as {sql}")
        return f"execute {name}"
