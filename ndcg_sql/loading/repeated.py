"""Documents twice for a query: the columns that divide such a file into runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import BadRowsError, NdcgSqlError, Offer
from ndcg_sql.loading import likeness
from ndcg_sql.loading.dividing import present_pattern
from ndcg_sql.loading.naming import RUN, naming
from ndcg_sql.loading.naming import field as in_pattern
from ndcg_sql.loading.options import Options
from ndcg_sql.loading.sheets import Sheet
from ndcg_sql.reading.columns import NO_RUNS, meaning
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.proposals import of_rankings, proposed, words_of
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted
from ndcg_sql.wording import Blank, Text, call, use

# What a column is called that tells the parts of a document apart, as chunks are.
_PIECES = {
    *("chunk", "chunks", "passage", "segment", "section", "page", "paragraph"),
    *("sentence", "span", "snippet", "offset", "block"),
}
# How many columns are tried in pairs.
_PAIRED = 8
# The share of the documents that are twice which may be so in one of several runs.
_TOLERATED = 0.1


@dataclass(frozen=True)
class Parts:
    """The columns whose values divide a file without duplicates, and how many parts.

    how is the layout of the file with the places of its further columns, present are
    the columns that name several runs already.
    """

    columns: tuple[str, ...]
    count: int
    how: Layout
    present: tuple[str, ...] = ()

    @property
    def fact(self) -> str:
        """That the columns divide the file."""
        columns = (*self.present, *self.columns)
        *others, last = map(quoted, columns)
        named_by = f"{', '.join(others)} and {last}" if others else last
        if not others:
            return f"{named_by} has {self.count} values and divides the file"
        return f"{named_by} have {self.count} combinations and divide the file"


def explained(sheet: Sheet, error: BadRowsError) -> NdcgSqlError | None:
    """Return what a file with duplicates is, if a further column divides it into runs.

    Or into judgments of subtopics. Return None if nothing does, or if something else
    is wrong that can be got past first.
    """
    kind, source, how, options = sheet.kind, sheet.source, sheet.how, sheet.options
    twice = {check.removesuffix("_in_run") for check in error.checks}
    twice &= {"document_twice", "rank_twice"}
    if not twice or error.offer is not None or how.is_list:
        return None
    if not how.ignored or options.run_column == NO_RUNS:
        return None
    if kind == "judgments":
        subtopic = proposed("subtopic", how.ignored)
        if subtopic is None or "subtopic" in how.fields:
            return None
        fact = "documents are judged twice, and"
        fact += f" {quoted(subtopic)} may name their subtopics"
        columns = {"columns": {"subtopic": subtopic}}
        return _refusal(source, fact, "if it does: ", columns)
    # The versions of a ranking have the same ranks, and some of the same documents.
    unique = ["doc_id", *(["rank"] if "rank_twice" in twice else [])]
    by_run = any(check.endswith("_in_run") for check in error.checks)
    parts = _parts(sheet, by_run, unique)
    if parts is None:
        return None
    return _refusal(source, parts.fact, "for a run of each: ", _named(how, parts))


def queries(
    database: Database, source: Source, how: Layout, error: BadRowsError
) -> NdcgSqlError | None:
    """Return what a file of queries is whose rows rank documents, if they do."""
    is_twice = error.checks == frozenset(("query_twice",)) and error.compared
    columns = _of_ranking(database, how) if is_twice else {}
    if not columns:
        return None
    fact = "a query has several rows, each with a document and a number"
    looks = "it looks like a run"
    way = {"columns": columns}
    return NdcgSqlError(
        f"{source.shown}: {fact}",
        Text(f"{looks}: ", call("load_run", Blank("FILE"), **way)),
        offer=Offer(f"{fact}; {looks}", way, "load_run"),
    )


def _of_ranking(database: Database, how: Layout) -> dict[str, str]:
    """Return the columns of a run in what was read as queries, or none.

    Beside a text or weight of queries, a document and a number are attributes of them.
    """
    names = [*how.attributes]
    usual = (name for name in names if meaning(name, "run") == "doc_id")
    document = next(usual, None) or proposed("doc_id", names)
    query = how.column_names.get("query_id")
    if document is None or query is None or {"text", "weight"} & how.fields.keys():
        return {}
    others = [name for name in names if name != document]
    numbers = likeness.numeric(database, how, others)
    scores = of_rankings(numbers)
    if not scores and len(numbers) == 1 and proposed("weight", numbers) is None:
        scores = numbers
    return {"query_id": query, "doc_id": document, "score": scores[0]} if scores else {}


def check_one_run(sheet: Sheet, by_run: bool) -> None:
    """Raise NdcgSqlError if one row of each document would be a mixture of runs.

    So it would be where a further column divides the file. by_run is whether a column
    divides it already.
    """
    how, options = sheet.how, sheet.options
    if not how.ignored or how.is_list:
        return
    parts = _parts(sheet, by_run, ["doc_id"])
    if parts is None:
        return
    offered = _named(how, parts)
    one = use(run_column=how.run_column if by_run else NO_RUNS)
    fact = Text(
        f"{parts.fact}; ",
        use(duplicates=options.duplicates),
        " would keep one row of a document for all of them",
    )
    no_runs = Text("; if they are no runs: ", one)
    raise NdcgSqlError(
        Text(f"{sheet.source.shown}: ", fact),
        Text("for a run of each: ", use(**offered), no_runs),
        offer=Offer(Text(fact, no_runs), offered),
    )


def _parts(sheet: Sheet, by_run: bool, unique: Sequence[str]) -> Parts | None:
    """Return the further columns that divide a file, or its runs (by_run), if any.

    Chunks of documents, and what took part in one ranking, are no runs.
    """
    columns = [name for name in sheet.how.ignored if not _PIECES & {*words_of(name)}]
    is_one = sheet.database.run("lookups/is_one_ranking") == [(True,)]
    if not columns or is_one:
        return None
    run_columns = _run_columns(sheet.how, sheet.options) if by_run else []
    whole = sheet.whole((*columns, *(name for name in run_columns if name != RUN)))
    return dividing(sheet.database, whole, columns, run_columns, unique, _TOLERATED)


def _run_columns(how: Layout, options: Options) -> list[str]:
    """Return the columns that name the runs of a file already; RUN is their column."""
    if how.run_column is None or "{" not in how.run_column:
        return [RUN] if "run" in how.fields else []
    return [*naming(how.run_column, "", options.tags, options.run_at).columns]


def _named(how: Layout, parts: Parts) -> dict[str, object]:
    """Return the fields that make a run of each part."""
    if len(parts.columns) == 1 and "run" not in how.fields:
        return {"run_column": parts.columns[0]}
    names = list(map(in_pattern, parts.columns))
    if "run" in how.fields:
        names.insert(0, present_pattern(how))
    return {"name": "/".join(names)}


def _refusal(
    source: Source, fact: str, begin: str, offered: Mapping[str, object]
) -> NdcgSqlError:
    remedy = Text(begin, use(**offered))
    return NdcgSqlError(f"{source.shown}: {fact}", remedy, offer=Offer(fact, offered))


def dividing(
    database: Database,
    how: Layout,
    columns: Sequence[str],
    run_columns: Sequence[str],
    unique: Sequence[str],
    tolerated: float = 0.0,
) -> Parts | None:
    """Return the columns that divide a file, or its runs, without duplicates.

    run_columns are those that name runs; unique are the fields that each part has
    once for a query, but for this share (tolerated) of what the file has several times.
    """
    places = {how.attributes[column]: column for column in columns}
    pairs = [(place, 0) for place in places]
    pairs += combinations([*places][:_PAIRED], 2)
    parameters: Parameters = {
        "query_field": how.fields["query_id"],
        "run_fields": _places(how, run_columns),
        "tolerated": tolerated,
        "first_places": [first for first, _ in pairs],
        "second_places": [second for _, second in pairs],
    }
    dividing: list[list[tuple[int, int, int, int]]] = [
        how.rows(
            database,
            "lookups/dividing_columns",
            **parameters,
            unique_field=how.fields[field],
        )
        for field in unique
    ]
    for row in dividing[0]:
        first, second, count, run_count = row
        if count > max(1, run_count) and all(row in rows for rows in dividing):
            chosen = (places[place] for place in (first, second) if place)
            names = [how.column_names["run"] if c == RUN else c for c in run_columns]
            present = tuple(names) if run_count > 1 else ()
            return Parts(tuple(chosen), count, how, present)
    return None


def _places(how: Layout, run_columns: Sequence[str]) -> list[int]:
    return [how.fields["run"] if c == RUN else how.attributes[c] for c in run_columns]
