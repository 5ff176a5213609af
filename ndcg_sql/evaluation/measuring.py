"""The chain of views for some measures, and the rows that a statement evaluates."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from ndcg_sql.database import chain
from ndcg_sql.database.database import Database
from ndcg_sql.text import sql_text

# The ids of a run and a judgment set.
Pair = tuple[int, int]


def of_measures(names: Iterable[str]) -> str:
    """Return the condition on rows of measures."""
    return f"measure in ({', '.join(map(sql_text, names)) or 'null'})"


def of_runs(run_ids: Iterable[int]) -> str:
    """Return the condition on rows of runs."""
    return f"run_id in ({', '.join(map(str, run_ids)) or 'null'})"


def of_sets(set_ids: Iterable[int]) -> str:
    """Return the condition on rows of judgment sets."""
    return f"judgment_set_id in ({', '.join(map(str, set_ids)) or 'null'})"


class Batch(NamedTuple):
    """What one statement evaluates: runs with a judgment set, all queries or some.

    Without runs, it is the ideal lists of the set.
    """

    judgment_set_id: int
    run_ids: tuple[int, ...] = ()
    queries: str = "true"

    @property
    def pairs(self) -> str:
        """The condition on rows of evaluations."""
        return f"{of_runs(self.run_ids)} and judgment_set_id = {self.judgment_set_id}"

    @property
    def conditions(self) -> dict[str, str]:
        """The conditions on the rows of tables."""
        of_set = f"judgment_set_id = {self.judgment_set_id} and {self.queries}"
        of_run = f"{of_runs(self.run_ids)} and {self.queries}"
        return {
            **dict.fromkeys(("judgments", "subtopic_judgments", "ideal_sums"), of_set),
            **dict.fromkeys(("run_queries", "rankings", "loaded_values"), of_run),
            "evaluations": self.pairs,
            "hits": f"{self.pairs} and {self.queries}",
        }


class Measuring:
    """The chain for some registered measures, with only the parts that they need."""

    def __init__(self, database: Database, measures: Mapping[str, str]) -> None:
        """Take the families of measures by name."""
        self._database, self._measures = database, measures
        self._texts = chain.texts(frozenset(measures.values()))
        hidden = (
            "select table_name from duckdb_tables() where temporary union all"
            " select view_name from duckdb_views() where temporary"
        )
        self._hidden = {name for (name,) in database.execute(hidden)}

    @cached_property
    def _unneeded(self) -> frozenset[str]:
        """The relations of which no measure needs rows."""
        rows = self._database.execute(self.select("unneeded"))
        loaded = self._database.execute("from loaded_values limit 1")
        others = () if loaded else ("loaded_values",)
        return frozenset((*(name for (name,) in rows), *others))

    def select(
        self,
        root: str,
        conditions: Mapping[str, str] | None = None,
        empty: Collection[str] = (),
    ) -> str:
        """Return the select of a relation of the chain, of rows with conditions."""
        every = {**(conditions or {}), "measures": of_measures(self._measures)}
        tables: dict[str, str] = {}
        for table, condition in every.items():
            hidden = table in self._hidden
            name = f"temp.{table}" if hidden else self._database.stored(table)
            tables[table] = f"from {name} where {condition}"
        return chain.statement(chain.parts(root, {**self._texts, **tables}, empty))

    def ideal_sums(self, batch: Batch) -> str:
        """Return the select of the sums of ideal lists that are not stored yet."""
        empty = {*self._unneeded, *chain.OF_RUNS}
        return self.select("computed_ideal_sums", batch.conditions, empty)

    def values(self, batch: Batch, stored_ideals: bool) -> str:
        """Return the select of the values of a batch.

        stored_ideals is whether the sums of all shared ideal lists are stored.
        """
        empty = self._unneeded
        if stored_ideals and "running_shares" in empty:
            empty = empty.union({"greedy_rankings"})
            empty = empty.union({"ideals"} if "run_ideals" in empty else ())
        return self.select("computed_values", batch.conditions, empty)
