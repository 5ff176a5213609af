"""Learning to rank: the groups and scores that belong to the rows of a list."""

from dataclasses import dataclass

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout, Reading
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.text import counted, quoted


@dataclass(frozen=True)
class Groups:
    """The number of rows of each query of a list, and the file that states it."""

    shown: str
    sizes: list[int]


def read_groups(source: Source) -> Groups:
    """Return the group sizes in a file; raise NdcgSqlError for any other line."""
    for fault in source.faults:
        raise NdcgSqlError(f"{source.shown}:{fault.line}: {fault.reason}")
    sizes: list[int] = []
    with source.readable.open(encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            text = line.strip()
            if text and not (text.isascii() and text.isdecimal() and len(text) < 10):
                raise NdcgSqlError(
                    f"{source.shown}:{number}: {quoted(text)} is not a number of rows"
                )
            if text:
                sizes.append(int(text))
    return Groups(source.shown, sizes)


def check_groups(
    database: Database, source: Source, how: Layout, groups: Groups
) -> None:
    """Raise NdcgSqlError if groups are used and do not add up to the staged rows."""
    rows = _rows(database, "staged") + len(source.faults)
    if how.is_grouped and rows != sum(groups.sizes):
        raise NdcgSqlError(
            f"{groups.shown}: {counted(len(groups.sizes), 'group')} of"
            f" {counted(sum(groups.sizes), 'row')} together, but {source.shown} has"
            f" {counted(rows, 'row')}"
        )


def stage_list(
    database: Database, source: Source, reading: Reading, groups: Groups | None
) -> None:
    """Store the queries and documents of a list's rows for the scores to come."""
    sizes = groups.sizes if groups else None
    how, source = layout(source, "judgments", reading, sizes)
    stage(database, "judgments", source, how)
    if groups:
        check_groups(database, source, how, groups)
    check_staged(database, "list", source, how)
    database.run("store/listed")


def check_scores(database: Database, source: Source, listed: Source) -> None:
    """Raise NdcgSqlError unless there are as many scores as rows in their list."""
    scores = _rows(database, "staged") + len(source.faults)
    rows = _rows(database, "listed")
    if scores != rows:
        raise NdcgSqlError(
            f"{source.shown}: {counted(scores, 'score')}, but {listed.shown} has"
            f" {counted(rows, 'row')}"
        )


def _rows(database: Database, table: str) -> int:
    return database.execute(f"select count(*) from {table}")[0][0]
