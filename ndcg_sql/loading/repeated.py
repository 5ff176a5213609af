"""Documents twice for a query: what explains all of them, and what to do then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import BadRowsError, NdcgSqlError, Offer
from ndcg_sql.loading import likeness
from ndcg_sql.loading.dividing import present_pattern
from ndcg_sql.loading.naming import RUN, editions, naming
from ndcg_sql.loading.naming import field as in_pattern
from ndcg_sql.loading.options import Options
from ndcg_sql.loading.second_opinions import (
    assessor_among,
    columns_to_name,
    is_time,
    times_among,
)
from ndcg_sql.loading.sheets import Sheet
from ndcg_sql.reading.columns import NO_RUNS, meaning
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.proposals import (
    is_of_replicates,
    of_rankings,
    proposed,
    words_of,
)
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Blank, Text, Wording, call, use

# What a message says before the fields that load one version of judgments.
_ONE = "to load one of them: "
# What a column is called that tells the parts of a document apart, as chunks are.
_PIECES = {
    *("chunk", "chunks", "passage", "segment", "section", "page", "paragraph"),
    *("sentence", "span", "snippet", "offset", "block", "abschnitt", "absatz", "seite"),
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
    """Return what a file with duplicates is, if something explains all of them.

    Return None if nothing does, or if something else is wrong that can be got past
    first.
    """
    kind, source, how, options = sheet.kind, sheet.source, sheet.how, sheet.options
    twice = {check.removesuffix("_in_run") for check in error.checks}
    twice &= {"document_twice", "rank_twice"}
    if not twice or error.offer is not None or how.is_list:
        return None
    if kind == "judgments" and options.grade is not None:
        fact = "some documents are listed twice for a query, always with the same grade"
        begin = "to keep one row of each: "
        return _refusal(source, fact, begin, {"duplicates": "first"})
    by_run = any(check.endswith("_in_run") for check in error.checks)
    if how.ignored and options.run_column != NO_RUNS:
        subtopic = proposed("subtopic", how.ignored) if kind == "judgments" else None
        if subtopic is not None and "subtopic" not in how.fields:
            fact = "documents are judged twice, and"
            fact += f" {quoted(subtopic)} may name their subtopics"
            named_so: dict[str, object] = {"columns": {"subtopic": subtopic}}
            return _refusal(source, fact, "if it does: ", named_so)
        # The versions of a ranking have the same ranks, and some of the same documents.
        unique = ["doc_id", *(["rank"] if "rank_twice" in twice else [])]
        parts = _parts(sheet, by_run, unique)
        if parts is not None and kind == "judgments":
            return _versions(sheet.database, source, parts)
        if parts is not None:
            offered = _named(how, options, parts)
            return _refusal(source, parts.fact, "for a run of each: ", offered)
    return _same(sheet, by_run, error)


def queries(
    database: Database, source: Source, how: Layout, error: BadRowsError
) -> NdcgSqlError | None:
    """Return what a file of queries is whose rows a column tells apart, if one does.

    Or what it is if its rows rank documents.
    """
    if (
        error.checks != frozenset(("query_twice",))
        or not error.compared
        or not how.attributes
    ):
        return None
    if columns := _of_ranking(database, how):
        fact = "a query has several rows, each with a document and a number"
        looks = "it looks like a run"
        way = {"columns": columns}
        return NdcgSqlError(
            f"{source.shown}: {fact}",
            Text(f"{looks}: ", call("load_run", Blank("FILE"), **way)),
            offer=Offer(f"{fact}; {looks}", way, "load_run"),
        )
    parts = dividing(database, how, [*how.attributes], [], ["query_id"])
    if parts is None or len(parts.columns) > 1:
        return None
    fact = f"{parts.fact}, but a query has one row"
    return _refusal(source, fact, f"sum the rows up, or {_ONE}", _one(database, parts))


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
    offered = _named(how, options, parts)
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
    # In a name, the column that tells one export from the next comes first.
    ignored = sheet.how.ignored
    columns = list(dict.fromkeys([*editions(ignored), *ignored]))
    if sheet.kind == "run":
        columns = [name for name in columns if not _PIECES & {*words_of(name)}]
        if sheet.database.run("lookups/is_one_ranking") == [(True,)]:
            return None
    if not columns:
        return None
    run_columns = _run_columns(sheet.how, sheet.options) if by_run else []
    whole = sheet.whole((*columns, *(name for name in run_columns if name != RUN)))
    tolerated = _TOLERATED if sheet.kind == "run" else 0.0
    return dividing(sheet.database, whole, columns, run_columns, unique, tolerated)


def _same(sheet: Sheet, by_run: bool, error: BadRowsError) -> NdcgSqlError | None:
    """Return an error with a way out, if the duplicates are whole rows that repeat."""
    run_columns = _run_columns(sheet.how, sheet.options) if by_run else []
    further = (name for name in run_columns if name != RUN)
    whole = sheet.whole((*sheet.how.ignored, *further))
    [(same, twice)] = whole.rows(
        sheet.database,
        "lookups/repeated_rows",
        query_field=whole.fields["query_id"],
        doc_field=whole.fields["doc_id"],
        run_fields=_places(whole, run_columns),
    )
    if not error.compared or not same or same != twice:
        return None
    are = "is the same as another" if same == 1 else "are the same as others"
    offer = Offer(f"{counted(same, 'row')} {are}", {"duplicates": "first"})
    return BadRowsError(
        *(error.message, error.checks, error.compared, offer),
        share=error.share,
        scored=error.scored,
    )


def _run_columns(how: Layout, options: Options) -> list[str]:
    """Return the columns that name the runs of a file already; RUN is their column."""
    if how.run_column is None or "{" not in how.run_column:
        return [RUN] if "run" in how.fields else []
    return [*naming(how.run_column, "", options.tags, options.run_at).columns]


def _named(how: Layout, options: Options, parts: Parts) -> dict[str, object]:
    """Return the fields that make a run of each part.

    Those of several seeds or folds get them as tags, which makes them replicates, and
    the columns that name runs already, too: a file of one model is followed by that
    of another one, whose seeds are the same.
    """
    columns = list(parts.columns)
    offered: dict[str, object] = {"run_column": columns[0]}
    if len(columns) > 1 or "run" in how.fields:
        names = list(map(in_pattern, columns))
        if "run" in how.fields:
            is_pattern = how.run_column is not None and "{" in how.run_column
            at = 0 if is_pattern else len(editions(columns))
            names.insert(at, present_pattern(how))
        offered = {"name": "/".join(names)}
    if any(map(is_of_replicates, columns)):
        of_model = [
            parts.how.column_names["run"] if c == RUN else c
            for c in _run_columns(how, options)
        ]
        untagged = [column for column in of_model if column not in options.tags]
        tags = (*options.tag_columns, *untagged, *columns)
        offered["tag_columns"] = tuple(dict.fromkeys(tags))
    return offered


def _versions(database: Database, source: Source, parts: Parts) -> NdcgSqlError | None:
    """Return what judgments of several versions, or of several assessors, are.

    The greatest version stands for any, as the newest one is likely to be wanted.
    """
    newer = [*editions(parts.columns), *times_among(parts.columns)]
    column = newer[0] if newer else parts.columns[0]
    one = _one(database, parts, column)
    if newer and is_time(database, one["where"][column]):
        return _opinions(source, parts, column, one)
    if newer:
        return _refusal(source, parts.fact, _ONE, one)
    if len(parts.columns) > 1:
        return None
    assessors: dict[str, object] = {"columns": {"assessor": column}}
    remedy = Text(
        "if these are assessors: ",
        call("load_assessments", Blank("FILE"), **assessors),
    )
    fact: Wording = parts.fact
    if proposed("assessor", [column]) is None:
        other = Text(_ONE, use(**one))
        fact, remedy = Text(fact, "; ", other), Text(remedy, "; ", other)
    return NdcgSqlError(
        f"{source.shown}: {parts.fact}",
        remedy,
        offer=Offer(fact, assessors, "load_assessments"),
    )


def _one(
    database: Database, parts: Parts, column: str | None = None
) -> dict[str, dict[str, str]]:
    """Return the fields that load the rows with the greatest value of a column."""
    column = column or parts.columns[0]
    place = parts.how.attributes[column]
    [(value,)] = parts.how.rows(database, "lookups/greatest_value", value_field=place)
    return {"where": {column: value}}


def _opinions(
    source: Source, parts: Parts, time: str, one: Mapping[str, object]
) -> NdcgSqlError:
    """Return what judgments with times are: versions, or second opinions.

    one are the fields that load one version.
    """
    others = [column for column in parts.columns if column != time]
    assessor = assessor_among(parts.how.attributes) or next(iter(others), None)
    columns = columns_to_name(assessor, time)
    way: dict[str, object] = {"columns": columns} if columns else {}
    of_one = Text(_ONE, use(**one))
    if assessor is None:
        way = {"assessor": Blank("NAME"), **way}
        latest = call("adjudicate", Blank("NAME"), policy="latest")
        remedy = Text(
            of_one,
            "; if the latest grade of a document counts: ",
            *(call("load_assessments", Blank("FILE"), **way), ", then ", latest),
        )
        offer = Offer(parts.fact, one)
    else:
        loading = call("load_assessments", Blank("FILE"), **way)
        remedy = Text("if an assessor's latest grade counts: ", loading)
        fact: Wording = parts.fact
        if not others:
            fact, remedy = Text(fact, "; ", of_one), Text(remedy, "; ", of_one)
        offer = Offer(fact, way, "load_assessments")
    return NdcgSqlError(f"{source.shown}: {parts.fact}", remedy, offer=offer)


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
