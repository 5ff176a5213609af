"""Judgments that name the subtopic that they are for, between a file and the tables."""

from ndcg_sql.database.database import Database
from ndcg_sql.loading.sheets import SUBTOPIC
from ndcg_sql.reading.layouts import Layout

# A column whose name does not say that it is about subtopics.
_ITERATION = "iteration"
_STAGED = "staged_subtopics"


def read(database: Database, how: Layout) -> Layout:
    """Return how the staged judgments were read: without subtopics if they name none.

    A column called subtopic names some if it is not empty; the second field of TREC's
    files, or a column called iteration, only if it is not always the same.
    """
    if SUBTOPIC not in how.fields:
        return how
    fewest, most = how.field_range
    parameters = {"fewest_fields": fewest, "most_fields": most}
    [(count,)] = database.execute(
        "select count(distinct subtopic) from staged"
        " where field_count between $fewest_fields and $most_fields",
        parameters,
    )
    name = how.column_names.get(SUBTOPIC, _ITERATION)
    least = 2 if name.lower() == _ITERATION else 1
    return how if count >= least else how.without(SUBTOPIC)


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
