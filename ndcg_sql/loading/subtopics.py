"""Judgments that name the subtopic that they are for, between a file and the tables."""

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted
from ndcg_sql.wording import use

COLUMN = "subtopic"
# A column whose name does not say that it is about subtopics.
_ITERATION = "iteration"
_STAGED = "staged_subtopics"


def read(database: Database, how: Layout) -> Layout:
    """Return how the staged judgments were read: without subtopics if they name none.

    A column called subtopic names some if it is not empty; the second field of TREC's
    files, or a column called iteration, only if it is not always the same.
    """
    if COLUMN not in how.fields:
        return how
    fewest, most = how.field_range
    parameters = {"fewest_fields": fewest, "most_fields": most}
    [(count,)] = database.execute(
        "select count(distinct subtopic) from staged"
        " where field_count between $fewest_fields and $most_fields",
        parameters,
    )
    name = how.column_names.get(COLUMN, _ITERATION)
    least = 2 if name.lower() == _ITERATION else 1
    return how if count >= least else how.without(COLUMN)


def check_no_base(source: Source, base: str | None, how: Layout) -> None:
    """Raise NdcgSqlError if judgments of subtopics are to extend others."""
    if base is not None and COLUMN in how.fields:
        raise NdcgSqlError(
            f"{source.shown}: names subtopics, and cannot be added to other judgments",
            "load all judgments of the subtopics from one file",
            where=use(base=base),
        )


def check_base(database: Database, base: str, base_id: int) -> None:
    """Raise NdcgSqlError if a judgment set that is to be extended has subtopics."""
    sql = "from subtopic_judgments where judgment_set_id = $id limit 1"
    if database.execute(sql, {"id": base_id}):
        raise NdcgSqlError(
            f"judgment set {quoted(base)} has subtopics, and cannot be extended",
            "load all judgments of the subtopics from one file",
            where=use(base=base),
        )


def gather(database: Database) -> None:
    """Leave each document once in the table staged, with its largest grade.

    The judgments of its subtopics are in the table staged_subtopics.
    """
    database.execute(f"drop table if exists temp.{_STAGED}")
    database.execute(f"alter table temp.staged rename to {_STAGED}")
    database.run("store/staged_of_subtopics")


def is_same(database: Database, set_id: int, has_subtopics: bool) -> bool:
    """Return whether a judgment set has the staged judgments of subtopics, or none."""
    rows = f"from {_STAGED}" if has_subtopics else "from subtopic_judgments limit 0"
    with database.hide("compared", rows):
        return database.run("lookups/is_same_subtopics", {"id": set_id}) == [(True,)]
