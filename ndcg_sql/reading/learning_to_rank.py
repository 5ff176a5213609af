"""Learning to rank: the scores that belong to the rows of a list."""

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.text import counted


def stage_list(database: Database, source: Source, reading: Reading) -> None:
    """Store the queries and documents of a list's rows for the scores to come."""
    how, source = layout(source, "judgments", reading)
    stage(database, "judgments", source, how)
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
