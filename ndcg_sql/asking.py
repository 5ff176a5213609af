"""A report as it is asked for, by the command line or from Python."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import cast

import duckdb

from ndcg_sql import conventions, reports
from ndcg_sql.connections import in_memory
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.folders import temporary_folder
from ndcg_sql.lacking import lacking
from ndcg_sql.measures import Measure
from ndcg_sql.text import quoted
from ndcg_sql.valuing import Pair
from ndcg_sql.warehouse import Warehouse

Tell = Callable[[str], None]


@contextmanager
def answered(
    warehouse: Warehouse,
    tell: Tell,
    measures: list[str],
    runs: list[str],
    *,
    judgments: str | None = None,
    dataset: str | None = None,
    by: Sequence[str] = (),
    per_query: bool = False,
    like: conventions.System | None = None,
) -> Generator[None]:
    """Put the rows of a report into the table OUTPUT, which lives inside.

    Where no measure is named, the registered ones are meant, and where no run
    is, all of them. Tells what is left out, and what the judgments lack.
    Raises NdcgSqlError where a name is not known.
    """
    chosen = reports.choose_measures(warehouse, measures, like)
    found, pairs = reports.choose_pairs(warehouse, tell, runs, judgments, dataset)
    without = reports.check_attributes(warehouse, by, found)
    reports.check_columns(by, reports.REPORT_COLUMNS)
    for name in without:
        tell(f"dataset {quoted(name)} has no such queries; its runs are left out")
    tell_like(warehouse, tell, like, chosen, pairs)
    with reports.report(warehouse, chosen, pairs, per_query, by):
        for line in lacking(warehouse, chosen, pairs):
            tell(line)
        yield


def tell_like(
    warehouse: Warehouse,
    tell: Tell,
    system: conventions.System | None,
    measures: list[Measure],
    pairs: list[Pair],
) -> None:
    """Say which conventions are followed, and which runs have other positions."""
    if system:
        tell(system.told(measures, system.position_rule))
        for line in reports.other_positions(warehouse, pairs, system):
            tell(line)


def values(
    warehouse: Warehouse,
    tell: Tell,
    measures: object,
    runs: object,
    *,
    by: object,
    judgments: str | None,
    dataset: str | None,
    per_query: bool,
    like: str | None,
) -> duckdb.DuckDBPyRelation:
    """Return the rows of a report, in a database in memory of their own."""
    if warehouse.is_new:
        raise reports.no_run("in the warehouse")
    system = None if like is None else conventions.find(like)
    with (
        answered(
            warehouse,
            tell,
            _names("measures", measures),
            _names("runs", runs),
            judgments=judgments,
            dataset=dataset,
            by=_names("by", by),
            per_query=per_query,
            like=system,
        ),
        temporary_folder(warehouse.folder) as folder,
    ):
        # What a report is made of is gone when it is done, and the warehouse
        # may be closed; in Parquet, no row becomes an object of Python.
        path = {"path": str(folder / "values")}
        sql = f"copy {reports.OUTPUT} to $path (format parquet)"
        warehouse.execute(sql, path)
        own = in_memory()
        own.execute("create table report as from read_parquet($path)", path)
    return own.sql("from report")


def _names(what: str, given: object) -> list[str]:
    """Return names, given as one text or several; none where they are left out.

    Measures of ir_measures are names, too: as text they are written as here.
    """
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, Iterable):
        return [str(given)]
    names = [str(name) for name in cast(Iterable[object], given)]
    if not names:
        # Whoever filtered a list down to nothing does not mean all there is.
        raise NdcgSqlError(f"{what}: names nothing; leave it out, or name one")
    return names
