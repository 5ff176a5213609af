"""Further columns of a file of runs: which divides it, and what they say of a run."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.naming import Naming
from ndcg_sql.loading.naming import field as in_pattern
from ndcg_sql.loading.options import time_of
from ndcg_sql.loading.sheets import Sheet
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import check_name, counted, listed, quoted
from ndcg_sql.wording import Text, use


@dataclass(frozen=True)
class Details:
    """What columns say of a run: its tags, and when it was made."""

    tags: dict[str, str] = field(default_factory=dict[str, str])
    run_at: str | None = None


def values_within_runs(
    database: Database, how: Layout, place: int, run_field: int | None
) -> list[tuple[str, str, str]]:
    """Return each run with the least and the greatest value of a field."""
    file = "lookups/values_within_runs"
    rows = how.rows(database, file, value_field=place, run_field=run_field)
    return [(run, least, greatest) for run, least, greatest in rows]


def details(sheet: Sheet, is_divided: bool) -> dict[str, Details]:
    """Return what columns say of each run; of all rows, under "".

    Raises NdcgSqlError for a column with several values in a run, and for what is
    no tag or no time.
    """
    source, how, options = sheet.source, sheet.how, sheet.options
    run_field = how.fields["run"] if is_divided else None
    by_run: dict[str, Details] = {}
    columns = [*options.tag_columns]
    if options.run_at_column is not None:
        columns.append(options.run_at_column)
    for column in dict.fromkeys(columns):
        place = how.attributes[column]
        values = values_within_runs(sheet.database, how, place, run_field)
        for run, least, greatest in values:
            where = f"run {quoted(run)}: " if is_divided else ""
            if least != greatest:
                pattern = f"{in_pattern(column)}/{present_pattern(how)}"
                raise NdcgSqlError(
                    f"{source.shown}: {where}column {quoted(column)} has several"
                    f" values, such as {quoted(least)} and {quoted(greatest)}",
                    Text("to make a run of each: ", use(name=pattern)),
                )
            of_run = by_run.get(run, Details())
            if column in options.tag_columns and least:
                if fault := check_name("tag", least):
                    raise NdcgSqlError(f"{source.shown}: {fault}")
                of_run = replace(of_run, tags={**of_run.tags, column: least})
            if column == options.run_at_column and least:
                of_run = replace(of_run, run_at=_time(source, column, least))
            by_run[run] = of_run
    return by_run


def _time(source: Source, column: str, text: str) -> str | None:
    try:
        return time_of(text)
    except NdcgSqlError:
        raise NdcgSqlError(
            f"{source.shown}: column {quoted(column)}: {quoted(text)} is not a time"
            " like 2026-01-31T23:59"
        ) from None


def present_pattern(how: Layout) -> str:
    """Return the pattern by which the runs of a file are named already."""
    if "run" not in how.fields or how.run_column is None:
        return "{file}"
    return how.run_column if "{" in how.run_column else in_pattern(how.run_column)


def check_apart(
    database: Database, source: Source, how: Layout, names: Naming, place: int
) -> None:
    """Raise NdcgSqlError if a pattern gives one name to several runs of a column.

    place is that of the column.
    """
    for name, least, greatest in values_within_runs(
        database, how, place, how.fields["run"]
    ):
        if least != greatest:
            raise NdcgSqlError(
                f"{source.shown}: {quoted(name)} would be the name of several runs,"
                f" such as {quoted(least)} and {quoted(greatest)}",
                "add the column that names them: " + use(name=names.pattern + "/{run}"),
                where=use(name=names.pattern),
            )


def what_divides(source: Source, runs: Sequence[str], namer: str) -> str:
    """Return the message on a file of several runs."""
    return (
        f"{source.shown}: contains {counted(len(runs), 'run')} ({listed(runs, 5)}),"
        f" named by {namer}"
    )
