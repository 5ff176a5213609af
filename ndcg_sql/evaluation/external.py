"""Runs that another engine evaluated: their rankings are not in the warehouse."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted
from ndcg_sql.wording import Blank, call, use


class External(NamedTuple):
    """A run with the engine that evaluated it, and the only judgments it has there."""

    run: str
    dataset: str
    engine: str
    judgment_set_id: int
    judgment_set: str

    @property
    def sentence(self) -> str:
        """What the run is, for a message."""
        return (
            f"run {quoted(self.run)} was evaluated by {self.engine} with judgment set"
            f" {quoted(self.judgment_set)} only"
        )

    @property
    def refused(self) -> NdcgSqlError:
        """The error where values with other judgments are asked for."""
        remedy = "name that: " + use(judgments=self.judgment_set)
        return NdcgSqlError(self.sentence, remedy)


def external_runs(database: Database) -> dict[int, External]:
    """Return the runs that another engine evaluated, by their ids."""
    rows = database.run("lookups/external_runs")
    return {run_id: External(*row) for run_id, *row in rows}


def check_pairs(database: Database, pairs: Iterable[tuple[int, int]]) -> None:
    """Raise NdcgSqlError if hits of a pair cannot be found: the rankings are away."""
    external = external_runs(database)
    for run_id, judgment_set_id in pairs:
        evaluation = external.get(run_id)
        if evaluation is not None and evaluation.judgment_set_id != judgment_set_id:
            raise evaluation.refused


def check_rankings(database: Database, run_ids: Iterable[int], what: str) -> None:
    """Raise NdcgSqlError if the rankings of a run are away, which a command needs."""
    external = external_runs(database)
    for run_id in run_ids:
        if run_id in external:
            evaluation = external[run_id]
            where = {"name": evaluation.run, "dataset": evaluation.dataset}
            loading = call("load_run", Blank("FILE"), **where, replace=True)
            raise NdcgSqlError(
                f"run {quoted(evaluation.run)} was evaluated by {evaluation.engine};"
                f" its rankings, which {what} needs, are not in the warehouse",
                "to load them in its place: " + loading,
            )


def with_rankings(
    database: Database,
    messages: Messages,
    run_ids: Sequence[int],
    named: Sequence[str],
    what: str,
) -> list[int]:
    """Return the runs whose rankings are here; report which others are omitted.

    Raises NdcgSqlError if a user named one of the others, or if none remains.
    """
    external = external_runs(database)
    ranked = [run_id for run_id in run_ids if run_id not in external]
    if named or not ranked:
        check_rankings(database, run_ids, what)
    for run_id in run_ids:
        if run_id in external:
            one = external[run_id]
            messages.tell(
                f"run {quoted(one.run)} was evaluated by {one.engine}, and its rankings"
                " are not in the warehouse; it is omitted"
            )
    return ranked
