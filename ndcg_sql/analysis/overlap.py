"""How similar two runs are, without judgments."""

from collections.abc import Generator
from contextlib import contextmanager

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.database.results import output
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import choose_entry
from ndcg_sql.evaluation.external import check_rankings
from ndcg_sql.text import quoted


@contextmanager
def overlap(
    database: Database,
    names: tuple[str, str],
    dataset: str | None,
    persistence: float,
    per_query: bool = False,
) -> Generator[None]:
    """Put the rank-biased overlap of two runs into the table OUTPUT.

    persistence is the probability that a reader goes on to the next document
    (Webber, Moffat & Zobel 2010, ACM TOIS 28(4)).
    """
    run, other = (choose_entry(database, "run", name, dataset) for name in names)
    if not 0 < persistence < 1:
        raise NdcgSqlError(f"--p {persistence:g}: must be above 0 and below 1")
    if run.id == other.id:
        raise NdcgSqlError(f"run {quoted(run.name)} is named twice; name another")
    if run.dataset != other.dataset:
        raise NdcgSqlError(
            f"run {quoted(run.name)} belongs to dataset {quoted(run.dataset)}, run"
            f" {quoted(other.name)} to {quoted(other.dataset)}: their queries differ"
        )
    check_rankings(database, [run.id, other.id], "overlap")
    parameters = {"run_id": run.id, "other_run_id": other.id, "p": persistence}
    queries = sql_files.read("reports/overlap_queries")
    file = "overlaps_by_query" if per_query else "overlap"
    with (
        database.temporary("overlap_queries", queries, parameters),
        output(database, f"reports/{file}", {"run": run.name, "other_run": other.name}),
    ):
        yield
