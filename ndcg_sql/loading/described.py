"""What describes the queries and documents of a dataset, or what queries know."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import into
from ndcg_sql.evaluation.values import store_anew, weigh
from ndcg_sql.loading import decimal_marks, doubts, matches
from ndcg_sql.loading.loaded import LoadedItem, Outcome
from ndcg_sql.loading.options import Options, check_names
from ndcg_sql.loading.removing import NEEDS, forget
from ndcg_sql.loading.storing import check_strict
from ndcg_sql.reading import sources
from ndcg_sql.reading.columns import is_graded, likely
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.proposals.refusals import add_proposal, argument_of
from ndcg_sql.reading.sources import Source, Streams
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system.messages import Collected, Messages
from ndcg_sql.text import counted, harmless, listed, quoted
from ndcg_sql.wording import Blank, call, use

_UNKNOWN = ("warnings/unknown_queries", "warnings/unknown_known")
# The tables of queries and documents, with their ids, and what each knows of one.
IDS = {"queries": "query_id", "documents": "doc_id"}
FACTS = {"queries": ("text", "weight"), "documents": ("title", "url")}
_ATTRIBUTES = {"queries": "query_attributes", "documents": "document_attributes"}


def load_queries(
    database: Database,
    path: Path,
    request: Options,
    messages: Messages,
    streams: Streams | None = None,
) -> LoadedItem:
    """Load a file of queries; every further column is an attribute.

    Return how many. For the queries of the file, its columns replace what was stored;
    other columns stay unchanged. With replace, all texts, weights and attributes of the
    dataset are removed first. streams holds the file if it is already open. If anything
    is wrong with the file, raises NdcgSqlError and stores nothing.
    """
    dataset = request.dataset
    with _staged(database, "queries", path, request, messages, streams) as rows:
        how, source, _, held = rows
        if request.decimal is None:
            doubt = decimal_marks.check(database, source, how)
            held.warn_all([doubt] if doubt else [])
        named = {"dataset": dataset}
        held.warn_all(matches.alike(database, "query", "staged", named))
        changed = [column for column in FACTS["queries"] if column in how.fields]
        _store(database, "queries", dataset, changed)
        former = _store_attributes(database, "queries", dataset, how)
        if request.replace or "weight" in how.fields:
            weigh(database, dataset)
        count = database.execute("select count(*) from staged")[0][0]
        unknown = database.run("warnings/unknown_queries", named)
        is_new = is_unknown(database, dataset)
        columns = _likely(database, dataset, how)
        outcome = _tell(held, request, counted(count, "query", "queries"), _meant(how))
        _tell_columns(held, former, how)
        if columns:
            meanings = " and ".join(
                f"{quoted(name)} is the {column}" for column, name in columns.items()
            )
            held.tell(f"if {meanings} of a query: " + use(columns=columns))
        if is_new:
            _warn_unknown(held, dataset)
        elif unknown:
            are = "is" if len(unknown) == 1 else "are"
            held.warn(
                f"{len(unknown)} of these queries {are} in no run and no judgment"
                f" set of the dataset: {listed((query for query, _ in unknown), 5)}"
            )
    return LoadedItem("queries", None, outcome, count, count)


def _likely(database: Database, dataset: str, how: Layout) -> dict[str, str]:
    """Return the attributes that are likely to be the text and the weight.

    That is by their names and values, where no column of the file is it.
    """
    attributes = {"dataset": dataset, "attributes": [*how.attributes]}
    rows = database.run("lookups/likely_texts", attributes)
    weights = [name for name, _, may_be_weight in rows if may_be_weight]
    texts = [name for name, may_be_text, _ in rows if may_be_text]
    names = {"text": [n for n in texts if n not in weights], "weight": weights}
    chosen = {role: likely(role, names[role], "queries") for role in names}
    return {role: n for role, n in chosen.items() if n and role not in how.fields}


def _meant(how: Layout) -> str:
    """Return which columns of a file became what, where their names do not say it."""
    parts = [
        f"{column}: {harmless(name)}"
        for column in ("text", "weight")
        if (name := how.column_names.get(column, column)) != column
    ]
    return "".join(f"; {one}" for one in parts) + _attributes_of(how)


def load_documents(
    database: Database,
    path: Path,
    request: Options,
    messages: Messages,
    streams: Streams | None = None,
) -> LoadedItem:
    """Load a file of documents; every further column is an attribute.

    Return how many. Adds documents, titles and addresses to the dataset; a document
    that is stored with another title or address is refused. For the documents of the
    file, its attributes replace what was stored; others stay unchanged. With replace,
    all documents of the dataset are removed first. Values that need documents are
    stored anew. streams holds the file if it is already open. If anything is wrong
    with the file, raises NdcgSqlError and stores nothing.
    """
    dataset = request.dataset
    named = {"dataset": dataset}
    with _staged(database, "documents", path, request, messages, streams) as rows:
        how, source, _, held = rows
        for line, document, column in database.run("lookups/changed_documents", named):
            raise NdcgSqlError(
                f"{source.shown}:{line}: document {quoted(document)} is stored with"
                f" another {column}",
                f"to replace the documents of dataset {quoted(dataset)}: "
                + use(replace=True),
            )
        held.warn_all(matches.alike(database, "document", "staged", named))
        _store(database, "documents", dataset, FACTS["documents"], if_new=True)
        former = _store_attributes(database, "documents", dataset, how)
        store_anew(database, dataset, NEEDS["documents"])
        count = database.execute("select count(*) from staged")[0][0]
        outcome = _tell(held, request, counted(count, "document"), _attributes_of(how))
        _tell_columns(held, former, how)
        if is_unknown(database, dataset):
            _warn_unknown(held, dataset)
        else:
            held.warn_all(
                matches.of_described(database, dataset, "document", with_stored=True)
            )
    return LoadedItem("documents", None, outcome, count)


def load_known(
    database: Database,
    path: Path,
    request: Options,
    messages: Messages,
    streams: Streams | None = None,
) -> LoadedItem:
    """Load a file of documents that queries know; return how many.

    Rows of the same query and document are counted together. What was stored of them is
    replaced; other known documents stay, unless replace removes all of the dataset
    first. Values without known documents are stored anew. streams holds the file if it
    is already open. If anything is wrong with the file, raises NdcgSqlError and stores
    nothing.
    """
    named = {"dataset": request.dataset}
    with _staged(database, "known", path, request, messages, streams) as rows:
        how, source, opened, held = rows
        not_relevant = _not_relevant(database, opened, how, request)
        for file in ("old_known_documents", "known_documents"):
            database.run(f"store/{file}", named)
        store_anew(database, request.dataset, NEEDS["known"])
        of_pairs = (
            "select query_id, count(*) as n from staged group by query_id, doc_id"
        )
        [(rows, pairs, queries)] = database.execute(
            "select cast(sum(n) as bigint), count(*), count(distinct query_id)"
            f" from ({of_pairs})"
        )
        of_queries = f"of {counted(queries, 'query', 'queries')}"
        what = f"{counted(pairs, 'known document')} {of_queries}"
        outcome = _tell(held, request, what)
        if rows > pairs:
            repeat = "repeats" if rows - pairs == 1 else "repeat"
            held.tell(
                f"{counted(rows - pairs, 'row')} {repeat} a document of a query; its"
                " rows are counted together"
            )
        if how.ignored:
            held.tell(doubts.ignored_columns(how.ignored))
        if not_relevant:
            file = argument_of(path, source, streams)
            have = "row has" if not_relevant == 1 else "rows have"
            held.warn(
                f"{source.shown}: {not_relevant} {have} a grade of 0 or less; grades"
                " are not read here, so these documents are known, too; if the file has"
                " judgments: "
                + call("load_judgments", file or Blank("FILE"), **into(request.dataset))
            )
        unknown = database.execute(sql_files.composed(_UNKNOWN), named)
        if is_unknown(database, request.dataset):
            _warn_unknown(held, request.dataset)
        else:
            others = ""
            if unknown and unknown[0][1] == queries:
                first = unknown[0][-1]
                others = matches.of_other_queries(database, request.dataset, first)
            warn_unknown_rows(held, unknown, "row", others)
            noun = "known document"
            held.warn_all(
                matches.of_described(database, request.dataset, noun, with_stored=False)
            )
    return LoadedItem("known", None, outcome, pairs, queries, how.ignored)


def _not_relevant(
    database: Database, source: Source, how: Layout, request: Options
) -> int:
    """Return how many rows say that a document is not relevant, or not judged.

    What is known has no grade: that of judgments, or of a rating, is not read.
    """
    place = how.fields.get("grade")
    if place is None and (names := [n for n in how.ignored if is_graded(n)]):
        reading = replace(request, wanted=(names[0],))
        how, _ = layout(source, "known", reading)
        place = how.attributes[names[0]]
    if place is None:
        return 0
    [(count,)] = how.rows(database, "lookups/not_relevant", grade_field=place)
    return count


def _tell(
    messages: Messages,
    request: Options,
    what: str,
    meant: str = "",
) -> Outcome:
    """Tell what was loaded, and what its columns mean; return if it replaced all."""
    others = ", which replace the others" * request.replace
    messages.tell(f"loaded {what} of dataset {quoted(request.dataset)}{others}{meant}")
    return "replaced" if request.replace else "loaded"


def _tell_columns(messages: Messages, former: Sequence[str], how: Layout) -> None:
    """Tell which columns are no attributes: those of an earlier file, and others."""
    if former:
        are = "is no attribute" if len(former) == 1 else "are no attributes"
        messages.tell(f"{listed(former)} {are} of them any longer")
    if how.left_out:
        messages.tell(
            f"omitted {listed(how.left_out)}: an attribute is a single text or number"
        )


@contextmanager
def _staged(
    database: Database,
    kind: Literal["queries", "documents", "known"],
    path: Path,
    request: Options,
    messages: Messages,
    streams: sources.Streams | None,
) -> Generator[tuple[Layout, Source, Source, Collected]]:
    """Stage the rows of a file, in a transaction that ends with the block.

    Gives how they were read, from what, the file as it was opened, and what takes
    messages until all is committed. What is to be replaced is removed. streams holds
    the file if it is already open. Raises NdcgSqlError if anything is wrong with the
    file or the name of the dataset, and for a warning if the request is strict.
    """
    check_names([("dataset", request.dataset)])
    held = Collected()
    with (
        database.transaction(),
        sources.opened(path, held, database.folder, streams) as source,
    ):
        try:
            how, read = layout(source, kind, request)
            stage(database, kind, read, how)
            check_staged(database, kind, read, how)
        except NdcgSqlError as error:
            file = argument_of(path, source, streams)
            add_proposal(error, f"load_{kind}", request, source, file)
            raise
        for note in doubts.comments(source, read.comments):
            held.tell(note)
        held.warn_all(doubts.rounded_ids(database, source, how))
        if request.replace:
            forget(database, kind, request.dataset)
        yield how, read, source, held
        check_strict(request.strict, held.warnings)
    held.pass_on(messages)


def is_unknown(database: Database, dataset: str) -> bool:
    """Return whether a dataset has no judgments and no runs."""
    rows = "from {} where dataset = $dataset limit 1"
    return not any(
        database.execute(rows.format(table), {"dataset": dataset})
        for table in ("runs", "judgment_sets")
    )


def _warn_unknown(messages: Messages, dataset: str) -> None:
    """Warn that a dataset has nothing that the file could describe."""
    messages.warn(
        f"dataset {quoted(dataset)} has no judgments and no runs yet;"
        " is its name misspelt?"
    )


def _store(
    database: Database,
    table: Literal["queries", "documents"],
    dataset: str,
    changed: Sequence[str],
    *,
    if_new: bool = False,
) -> None:
    """Store staged queries or documents; what is changed replaces what was stored.

    With if_new, it does so only where nothing is stored yet.
    """
    key, named = IDS[table], {"dataset": dataset}
    for fact in changed:
        new = f" and {table}.{fact} is null and staged.{fact} is not null" * if_new
        database.execute(
            f"update {table} set {fact} = staged.{fact} from staged"
            f" where {table}.dataset = $dataset and {table}.{key} = staged.{key}{new}",
            named,
        )
    facts = ", ".join(FACTS[table])
    database.execute(
        f"insert into {table} (dataset, {key}, {facts})"
        f" select $dataset, {key}, {facts} from staged"
        f" where {key} not in (select {key} from {table} where dataset = $dataset)",
        named,
    )


def _store_attributes(
    database: Database,
    table: Literal["queries", "documents"],
    dataset: str,
    how: Layout,
) -> list[str]:
    """Store the attributes of staged queries or documents, in place of earlier ones.

    A column that has another meaning in this file, such as the weight, is no attribute
    any longer. Return those that were.
    """
    key, stored = IDS[table], _ATTRIBUTES[table]
    of_staged = f"where dataset = $dataset and {key} in (select {key} from staged)"
    meant = [name for name in how.column_names.values() if name not in how.attributes]
    named: dict[str, Any] = {"dataset": dataset, "attributes": meant}
    rows = database.execute(
        f"select distinct attribute from {stored} {of_staged}"
        " and list_contains($attributes, attribute) order by attribute",
        named,
    )
    former = [attribute for (attribute,) in rows]
    database.execute(
        f"delete from {stored} {of_staged} and list_contains($attributes, attribute)",
        {**named, "attributes": [*former, *how.attributes]},
    )
    for attribute, place in how.attributes.items():
        # An empty field gives no value of the attribute.
        database.execute(
            f"insert into {stored} (dataset, {key}, attribute, attribute_value)"
            f" select $dataset, {key}, $attribute, fields[$field] from staged"
            " where coalesce(fields[$field], '') <> ''",
            {"dataset": dataset, "attribute": attribute, "field": place},
        )
    return former


def _attributes_of(how: Layout) -> str:
    """Return which columns of a file are attributes, for what load says."""
    if not how.attributes:
        return ""
    noun = "attribute" if len(how.attributes) == 1 else "attributes"
    return f"; {noun}: {', '.join(map(harmless, how.attributes))}"


def warn_unknown_rows(
    messages: Messages,
    unknown: Sequence[Sequence[Any]],
    noun: str,
    others: str = "",
) -> None:
    """Warn of rows whose queries are in no run and no judgment set of the dataset.

    unknown are the first of these queries, each with how many rows and queries there
    are in all; others says what the queries of the dataset are like.
    """
    if not unknown:
        return
    rows, count, _ = unknown[0]
    names = listed((query for *_, query in unknown), 5)
    more = ", ..." if count > len(unknown) else ""
    are = f"{noun} is" if rows == 1 else f"{noun}s are"
    what = "a query that is" if count == 1 else f"{count} queries that are"
    messages.warn(
        f"{rows} {are} of {what} in no run and no judgment set of the"
        f" dataset: {names}{more}" + (others and f"; {others}")
    )
