"""What judgments name besides documents: subtopics, and attributes of queries."""

from collections.abc import Sequence

from ndcg_sql.database.database import Database
from ndcg_sql.loading.sheets import SUBTOPIC
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.text import counted, listed, quoted

# A column whose name does not say that it is about subtopics.
_ITERATION = "iteration"


def with_subtopics(database: Database, how: Layout) -> Layout:
    """Return how the staged judgments were read: without subtopics if they name none.

    A column called subtopic names some if it is not empty; the second field of TREC's
    files, or a column called iteration, only if it is not always the same.
    """
    if SUBTOPIC not in how.fields:
        return how
    fewest, most = how.field_range
    [(count,)] = database.execute(
        "select count(distinct subtopic) from staged"
        " where field_count between $fewest_fields and $most_fields",
        {"fewest_fields": fewest, "most_fields": most},
    )
    name = how.column_names.get(SUBTOPIC, _ITERATION)
    least = 2 if name.lower() == _ITERATION else 1
    return how if count >= least else how.without(SUBTOPIC)


def gather_subtopics(database: Database) -> None:
    """Leave each document once in the table staged, with its largest grade.

    The judgments of its subtopics are in the table staged_subtopics.
    """
    database.execute("drop table if exists temp.staged_subtopics")
    database.execute("alter table temp.staged rename to staged_subtopics")
    database.run("store/staged_of_subtopics")


def stage_attributes(
    database: Database, source: Source, how: Layout, names: Sequence[str]
) -> None:
    """Stage the values of columns; refuse a second value of a query, with its line."""
    stage(database, "queries", source, how, table="staged_queries")
    # An empty field gives no value of the attribute.
    database.execute(
        "create or replace temp table staged_attributes as from (select line_number,"
        " query_id, unnest($names) as attribute, fields[unnest($places)] as"
        " attribute_value from staged_queries) where attribute_value <> ''",
        {"names": [*names], "places": [how.attributes[name] for name in names]},
    )
    check_staged(database, "attributes", source, how)


def store_attributes(
    database: Database, dataset: str, names: Sequence[str]
) -> list[str]:
    """Store the staged attributes; return the messages about them.

    What was stored of other queries and attributes stays.
    """
    named = {"dataset": dataset}
    changed = database.run("lookups/changed_attributes", named)
    for file in ("old_query_attributes", "queries_of_attributes", "query_attributes"):
        database.run(f"store/{file}", named)
    noun = "attribute" if len(names) == 1 else "attributes"
    count = "select count(distinct query_id) from staged_attributes"
    [(queries,)] = database.execute(count)
    lines = [f"{noun} of {counted(queries, 'query', 'queries')}: {listed(names)}"]
    lines += [
        f"attribute {quoted(attribute)} of {counted(count, 'query', 'queries')}"
        f" replaced, such as {quoted(now)} in place of {quoted(before)} of"
        f" {quoted(query)}"
        for attribute, count, query, before, now in changed
    ]
    return lines
