"""What describes the queries and documents of a dataset, or what queries know."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import into
from ndcg_sql.evaluation.values import store_anew, weigh
from ndcg_sql.loading import warnings
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.options import Options, check_names
from ndcg_sql.loading.removing import NEEDS, Described, forget
from ndcg_sql.loading.sheets import check_decimal_marks
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


@dataclass(frozen=True)
class _Table:
    """What a table has of queries or documents: its key, its facts, its attributes."""

    key: str
    facts: tuple[str, ...]
    attributes: str


_TABLES: Mapping[str, _Table] = {
    "queries": _Table("query_id", ("text", "weight"), "query_attributes"),
    "documents": _Table("doc_id", ("title", "url"), "document_attributes"),
}


@dataclass(frozen=True)
class _Staged:
    """The staged rows of a file: how they were read, from what, and the messages."""

    how: Layout
    source: Source
    read: Source
    held: Collected


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
    with _staged(database, "queries", path, request, messages, streams) as staged:
        how, held = staged.how, staged.held
        if request.decimal is None:
            doubt = check_decimal_marks(database, staged.read, how)
            held.warn_all([doubt] if doubt else [])
        held.warn_all(warnings.alike(database, "query", "staged", {"dataset": dataset}))
        former = _store(database, "queries", dataset, how)
        if request.replace or "weight" in how.fields:
            weigh(database, dataset)
        count = database.execute("select count(*) from staged")[0][0]
        meant = "".join(
            f"; {column}: {harmless(name)}"
            for column in ("text", "weight")
            if (name := how.column_names.get(column, column)) != column
        )
        _tell(
            held,
            "queries",
            request,
            counted(count, "query", "queries"),
            how,
            former,
            meant,
        )
        if columns := _likely(database, dataset, how):
            meanings = " and ".join(
                f"{quoted(name)} is the {column}" for column, name in columns.items()
            )
            held.tell(f"if {meanings} of a query: " + use(columns=columns))
        _warn_unknown(database, held, dataset, None)
    return _item("queries", request, count, count)


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
    named = {"dataset": request.dataset}
    with _staged(database, "documents", path, request, messages, streams) as staged:
        held = staged.held
        for line, document, column in database.run("lookups/changed_documents", named):
            raise NdcgSqlError(
                f"{staged.read.shown}:{line}: document {quoted(document)} is stored"
                f" with another {column}",
                f"to replace the documents of dataset {quoted(request.dataset)}: "
                + use(replace=True),
            )
        held.warn_all(warnings.alike(database, "document", "staged", named))
        former = _store(database, "documents", request.dataset, staged.how)
        store_anew(database, request.dataset, NEEDS["documents"])
        count = database.execute("select count(*) from staged")[0][0]
        _tell(
            held, "documents", request, counted(count, "document"), staged.how, former
        )
        _warn_unknown(database, held, request.dataset, "document")
    return _item("documents", request, count)


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
    with _staged(database, "known", path, request, messages, streams) as staged:
        how, held = staged.how, staged.held
        not_relevant = _not_relevant(database, staged, request)
        for file in ("old_known_documents", "known_documents"):
            database.run(f"store/{file}", named)
        store_anew(database, request.dataset, NEEDS["known"])
        [(rows, pairs, queries)] = database.execute(
            "select count(*), count(distinct (query_id, doc_id)),"
            " count(distinct query_id) from staged"
        )
        of_queries = f"of {counted(queries, 'query', 'queries')}"
        what = f"{counted(pairs, 'known document')} {of_queries}"
        _tell(held, "known", request, what, how)
        if rows > pairs:
            repeat = "repeats" if rows - pairs == 1 else "repeat"
            held.tell(
                f"{counted(rows - pairs, 'row')} {repeat} a document of a query; its"
                " rows are counted together"
            )
        if how.ignored:
            held.tell(warnings.ignored_columns(how.ignored))
        if not_relevant:
            file = argument_of(path, staged.source, streams)
            have = "row has" if not_relevant == 1 else "rows have"
            held.warn(
                f"{staged.read.shown}: {not_relevant} {have} a grade of 0 or less;"
                " grades are not read here, so these documents are known, too; if the"
                " file has judgments: "
                + call("load_judgments", file or Blank("FILE"), **into(request.dataset))
            )
        _warn_unknown(database, held, request.dataset, "known document")
    return _item("known", request, pairs, queries, how.ignored)


def _not_relevant(database: Database, staged: _Staged, request: Options) -> int:
    """Return how many rows say that a document is not relevant, or not judged.

    What is known has no grade: that of judgments, or of a rating, is not read.
    """
    how = staged.how
    place = how.fields.get("grade")
    if place is None and (names := [n for n in how.ignored if is_graded(n)]):
        reading = replace(request, wanted=(names[0],))
        how, _ = layout(staged.source, "known", reading)
        place = how.attributes[names[0]]
    if place is None:
        return 0
    [(count,)] = how.rows(database, "lookups/not_relevant", grade_field=place)
    return count


def _item(
    kind: Described,
    request: Options,
    rows: int,
    queries: int | None = None,
    ignored: tuple[str, ...] = (),
) -> LoadedItem:
    outcome = "replaced" if request.replace else "loaded"
    return LoadedItem(kind, None, outcome, rows, queries, ignored)


def _tell(
    messages: Messages,
    kind: Described,
    request: Options,
    what: str,
    how: Layout,
    former: Sequence[str] = (),
    meant: str = "",
) -> None:
    """Tell what was loaded, what its columns mean, and which are no attributes.

    former are those of an earlier file that no longer are.
    """
    others = ", which replace the others" * request.replace
    if how.attributes and kind != "known":
        noun = "attribute" if len(how.attributes) == 1 else "attributes"
        meant += f"; {noun}: {', '.join(map(harmless, how.attributes))}"
    messages.tell(f"loaded {what} of dataset {quoted(request.dataset)}{others}{meant}")
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
    kind: Described,
    path: Path,
    request: Options,
    messages: Messages,
    streams: Streams | None,
) -> Generator[_Staged]:
    """Stage the rows of a file, in a transaction that ends with the block.

    What is to be replaced is removed. streams holds the file if it is already open.
    Messages are kept until all is committed. Raises NdcgSqlError if anything is wrong
    with the file or the name of the dataset, and for a warning if the request is
    strict.
    """
    check_names([("dataset", request.dataset)])
    held, reading = Collected(), request
    with (
        database.transaction(),
        sources.opened(path, held, database.folder, streams) as source,
    ):
        try:
            how, read = layout(source, kind, reading)
            stage(database, kind, read, how)
            check_staged(database, kind, read, how)
        except NdcgSqlError as error:
            file = argument_of(path, source, streams)
            add_proposal(error, f"load_{kind}", request, source, file)
            raise
        for note in warnings.comments(source, read.comments):
            held.tell(note)
        held.warn_all(warnings.rounded_ids(database, source, how))
        if request.replace:
            forget(database, kind, request.dataset)
        yield _Staged(how, source, read, held)
        warnings.check_strict(request.strict, held.warnings)
    held.pass_on(messages)


def _warn_unknown(
    database: Database, held: Messages, dataset: str, noun: str | None
) -> None:
    """Warn of what the file describes that no run and no judgment set has.

    noun is what its documents are called, if it has any. Of documents, it is enough if
    one that was stored before is in a run: new ones of a catalogue need not be.
    """
    if warnings.is_new(database, dataset):
        held.warn(warnings.sentence("new_dataset", dataset=dataset))
        return
    if noun != "document":
        row = "row" if noun else None
        held.warn_all(warnings.unknown_queries(database, dataset, row))
    if noun:
        about = {"dataset": dataset, "noun": noun, "with_stored": noun == "document"}
        held.warn_all(
            warnings.each(database, "unknown_documents", about, dataset=dataset)
        )


def _store(database: Database, table: str, dataset: str, how: Layout) -> list[str]:
    """Store staged queries or documents, with their facts and attributes.

    Facts of the file replace those of queries; those of documents stay. Its attributes
    replace earlier ones. A column that has another meaning in this file, such as the
    weight, is no attribute any longer. Return those that were.
    """
    about = _TABLES[table]
    key, named = about.key, {"dataset": dataset}
    for fact in about.facts:
        if fact in how.fields or table == "documents":
            new = f" and {table}.{fact} is null and staged.{fact} is not null"
            database.execute(
                f"update {table} set {fact} = staged.{fact} from staged"
                f" where {table}.dataset = $dataset and {table}.{key} = staged.{key}"
                + new
                * (table == "documents"),
                named,
            )
    facts = ", ".join(about.facts)
    database.execute(
        f"insert into {table} (dataset, {key}, {facts})"
        f" select $dataset, {key}, {facts} from staged"
        f" where {key} not in (select {key} from {table} where dataset = $dataset)",
        named,
    )
    meant = [name for name in how.column_names.values() if name not in how.attributes]
    of_staged = (
        f"from {about.attributes} where dataset = $dataset"
        f" and {key} in (select {key} from staged)"
        " and list_contains($attributes, attribute)"
    )
    attributes: dict[str, Any] = {**named, "attributes": meant}
    select = f"select distinct attribute {of_staged} order by attribute"
    former = [attribute for (attribute,) in database.execute(select, attributes)]
    attributes["attributes"] = [*former, *how.attributes]
    database.execute(f"delete {of_staged}", attributes)
    # An empty field gives no value of the attribute.
    database.execute(
        f"insert into {about.attributes} (dataset, {key}, attribute, attribute_value)"
        f" select $dataset, {key}, attribute, fields[place] from staged, (select"
        " unnest($names) as attribute, unnest($places) as place) as attributes"
        " where coalesce(fields[place], '') <> ''",
        {**named, "names": [*how.attributes], "places": [*how.attributes.values()]},
    )
    return former
