"""What is said of rows that are loaded, but may not be what was meant."""

from collections.abc import Iterable

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.warnings import with_levels
from ndcg_sql.loading.options import Ranked
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import counted, listed, quoted, shortened
from ndcg_sql.wording import Text, Wording

_PLURALS = {"query": "queries", "document": "documents"}
# So many rows show whether all need a closer look, which takes longer.
_FIRST = 100_000


def ignored_columns(ignored: Iterable[str]) -> str:
    """Return the message on the columns that were ignored."""
    return f"ignored columns: {', '.join(map(shortened, ignored))}"


def comments(source: Source, count: int) -> list[str]:
    """Return the note on lines that were skipped as comments, if there are any."""
    lines = counted(count, "comment line")
    return [f"{source.shown}: {lines} skipped"] if count else []


def empty_queries(database: Database, source: Source, kind: Ranked) -> tuple[str, ...]:
    """Return what is said of queries that judgments name, but without a document.

    A judgment set has the queries of its judgments. What is staged may have judgments
    of such a query elsewhere.
    """
    if kind == "run" or not source.empty_queries:
        return ()
    rows = database.execute(
        "select distinct query_id from staged where list_contains($queries, query_id)",
        {"queries": list(source.empty_queries)},
    )
    judged = {query for (query,) in rows}
    queries = [query for query in source.empty_queries if query not in judged]
    if not queries:
        return ()
    count = counted(len(queries), "query", "queries")
    are, them = ("is", "it") if len(queries) == 1 else ("are", "them")
    return (
        f"{source.shown}: {count} without documents {are} not judged, and no mean"
        f" counts {them}: {listed(queries, 5)}; to count {them} as 0, judge a"
        " document with grade 0",
    )


def rounded_ids(database: Database, source: Source, how: Layout) -> list[Wording]:
    """Return a warning if staged rows have several ids that a spreadsheet rounded.

    A mark of decimals and an exponent tell them: 1E5 may be an id. It is no refusal, as
    even these may be what users searched for.
    """
    columns = [column for column in ("query_id", "doc_id") if column in how.fields]
    if not columns or how.apart_by == "blanks":
        # No spreadsheet writes the files of TREC.
        return []
    may_be = " or ".join(f"contains({column}, 'E+')" for column in columns)
    rows = f"from (from staged limit {_FIRST}) where {may_be} limit 1"
    if not database.execute(rows):
        return []
    return [
        f"{source.shown}: {count} ids were rounded, such as {quoted(first)} in"
        f" {source.unit}s {', '.join(map(str, lines))}: a"
        " spreadsheet took them for numbers, and made one id of many; export them"
        " again, and format their column as text before the file is saved"
        for count, first, lines in how.rows(
            database,
            "warnings/rounded_ids",
            query_field=how.fields.get("query_id"),
            doc_field=how.fields.get("doc_id"),
        )
    ]


def beyond_base(database: Database, base: str, parameters: Parameters) -> list[Wording]:
    """Return a warning of queries and documents that neither base nor any run has.

    The staged rows are those of the new set, base_judgments those of the base;
    parameters have the dataset and the judgment_set_id. New queries may be intended, so
    nothing is refused; but ids that a spreadsheet changed look the same.
    """
    return [
        f"{counted(count, kind, _PLURALS[kind])} of the new judgments"
        f" {'is' if count == 1 else 'are'} neither in {quoted(base)} nor in any run of"
        f" the dataset: {', '.join(map(quoted, first))}"
        + (", ..." if count > len(first) else "")
        for kind, count, first in database.run("warnings/beyond_base", parameters)
    ]


def other_scale(
    database: Database, name: str, base_id: int, base: str
) -> list[Wording]:
    """Return the warning that a new set has other grades than its base of clicks.

    The staged rows are those of both, base_judgments those of the base.
    """
    return [
        Text(
            f"judgment set {quoted(name)} mixes two scales: new grades from {lowest:g}"
            f" to {highest:g}, and those of clicks in {quoted(base)}, fractions from"
            f" {base_lowest:g} to {base_highest:g}; for grades 0, 1, 2 ... of clicks: ",
            with_levels(database, base_id, policy),
        )
        for policy, base_lowest, base_highest, lowest, highest in database.run(
            "warnings/other_scale", {"base_id": base_id}
        )
    ]
