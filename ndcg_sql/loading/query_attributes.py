"""Attributes of queries that are columns of a sheet of judgments."""

from collections.abc import Sequence

from ndcg_sql.database.database import Database
from ndcg_sql.loading.storing import Stored
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.text import counted, listed, quoted


def stage_attributes(
    database: Database, source: Source, how: Layout, names: Sequence[str]
) -> None:
    """Stage the values of columns; refuse a second value of a query, with its line."""
    stage(database, "queries", source, how, table="staged_queries")
    places = [how.attributes[name] for name in names]
    database.execute(
        "create or replace temp table staged_attributes as"
        " select line_number, query_id, unnest($names) as attribute,"
        " fields[unnest($places)] as attribute_value from staged_queries",
        {"names": [*names], "places": places},
    )
    # An empty field gives no value of the attribute.
    database.execute(
        "delete from staged_attributes where coalesce(attribute_value, '') = ''"
    )
    check_staged(database, "attributes", source, how)


def store_attributes(
    database: Database, dataset: str, names: Sequence[str]
) -> list[Stored]:
    """Store the staged attributes; return the messages about them.

    What was stored of other queries and attributes stays.
    """
    named = {"dataset": dataset}
    changed = database.run("lookups/changed_attributes", named)
    for file in ("old_query_attributes", "queries_of_attributes", "query_attributes"):
        database.run(f"store/{file}", named)
    noun = "attribute" if len(names) == 1 else "attributes"
    [(queries,)] = database.execute(
        "select count(distinct query_id) from staged_attributes"
    )
    of = counted(queries, "query", "queries")
    lines = [f"{noun} of {of}: {listed(names)}"]
    lines += [
        f"attribute {quoted(attribute)} of {counted(count, 'query', 'queries')}"
        f" replaced, such as {quoted(now)} in place of {quoted(before)} of"
        f" {quoted(query)}"
        for attribute, count, query, before, now in changed
    ]
    return [Stored(line) for line in lines]
