"""What describes the queries and documents of a dataset, or what queries know."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import check_dataset, into
from ndcg_sql.evaluation.values import store_anew, weigh
from ndcg_sql.loading import warnings
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.options import Options, check_names
from ndcg_sql.loading.sentences import refusal
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
from ndcg_sql.wording import FILE, call, use

Described = Literal["queries", "documents", "known"]


@dataclass(frozen=True)
class Kept:
    """What is kept of a kind: in which tables, the last of which has a row for each.

    data are the words for it; facts are columns of the last table that the file may
    have; needs are what measures need of it, as measure_needs calls it.
    """

    noun: tuple[str, str]
    data: str
    tables: tuple[str, ...]
    facts: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


KEPT: Mapping[Described, Kept] = {
    "queries": Kept(
        ("query", "queries"),
        "the texts, weights and attributes of ",
        ("query_attributes", "queries"),
        ("text", "weight"),
    ),
    "documents": Kept(
        ("document", "documents"),
        "the titles, urls and attributes of ",
        ("document_attributes", "documents"),
        ("title", "url"),
        ("documents", "attributes"),
    ),
    "known": Kept(
        ("known document", "known documents"),
        "",
        ("known_documents",),
        needs=("known",),
    ),
}


def load(
    database: Database,
    kind: Described,
    path: Path,
    request: Options,
    messages: Messages,
    streams: Streams | None = None,
) -> LoadedItem:
    """Load a file of queries, of documents, or of documents that queries know.

    Every further column of queries or documents is an attribute. For those of the file,
    its columns replace what was stored, but a document that is stored with another
    title or address is refused; others stay unchanged. Known rows of the same query and
    document are counted together, in place of what was stored of them. With replace,
    all that was stored of the kind in the dataset is removed first. Values that need it
    are stored anew. streams holds the file if it is already open. If anything is wrong
    with the file, or for a warning if the request is strict, raises NdcgSqlError and
    stores nothing.
    """
    dataset, held = request.dataset, Collected()
    check_names([("dataset", dataset)])
    with (
        database.transaction(),
        sources.opened(path, held, database.folder, streams) as source,
    ):
        file = argument_of(path, source, streams)
        try:
            how, read = layout(source, kind, request)
            stage(database, kind, read, how)
            check_staged(database, kind, read, how)
        except NdcgSqlError as error:
            add_proposal(error, f"load_{kind}", request, source, file)
            raise
        for note in warnings.comments(source, read.comments):
            held.tell(note)
        held.warn_all(warnings.rounded_ids(database, source, how))
        if request.replace:
            forget(database, kind, dataset)
        if kind == "known":
            rows, queries = _store_known(database, request, source, how, held, file)
        else:
            rows = _store(database, kind, request, read, how, held)
            queries = rows if kind == "queries" else None
        if KEPT[kind].needs:
            store_anew(database, dataset, KEPT[kind].needs)
        _warn_unknown(database, held, dataset, kind)
        warnings.check_strict(request.strict, held.warnings)
    held.pass_on(messages)
    outcome = "replaced" if request.replace else "loaded"
    ignored = how.ignored if kind == "known" else ()
    return LoadedItem(kind, None, outcome, rows, queries, ignored)


def _store(
    database: Database,
    kind: Literal["queries", "documents"],
    request: Options,
    read: Source,
    how: Layout,
    held: Collected,
) -> int:
    """Store the staged queries or documents; return how many they are."""
    dataset, kept = request.dataset, KEPT[kind]
    named = {"dataset": dataset}
    if kind == "documents":
        for line, document, column in database.run("lookups/changed_documents", named):
            about = {"place": f"{read.shown}:{line}", "document": document}
            raise refusal("other_document", dataset=dataset, column=column, **about)
    elif request.decimal is None and (
        doubt := check_decimal_marks(database, read, how)
    ):
        held.warn(doubt)
    noun = "document" if kind == "documents" else "query"
    held.warn_all(warnings.alike(database, noun, "staged", named))
    former = _store_rows(database, kind, dataset, how)
    if kind == "queries" and (request.replace or "weight" in how.fields):
        weigh(database, dataset)
    [(count,)] = database.execute("select count(*) from staged")
    parts = [_loaded(request, counted(count, *kept.noun))]
    if kind == "queries":
        for column in kept.facts:
            if (name := how.column_names.get(column, column)) != column:
                parts.append(f"{column}: {harmless(name)}")
    if how.attributes:
        attributes = "attribute" if len(how.attributes) == 1 else "attributes"
        parts.append(f"{attributes}: {', '.join(map(harmless, how.attributes))}")
    held.tell("; ".join(parts))
    if former:
        are = "is no attribute" if len(former) == 1 else "are no attributes"
        held.tell(f"{listed(former)} {are} of them any longer")
    _tell_left_out(how, held)
    columns = _likely(database, dataset, how) if kind == "queries" else {}
    if columns:
        pairs = columns.items()
        meanings = " and ".join(f"{quoted(name)} is the {role}" for role, name in pairs)
        held.tell(f"if {meanings} of a query: " + use(columns=columns))
    return count


def _loaded(request: Options, what: str) -> str:
    others = ", which replace the others" * request.replace
    return f"loaded {what} of dataset {quoted(request.dataset)}{others}"


def _tell_left_out(how: Layout, held: Collected) -> None:
    if how.left_out:
        what = f"omitted {listed(how.left_out)}"
        held.tell(f"{what}: an attribute is a single text or number")


def _store_rows(
    database: Database, table: Described, dataset: str, how: Layout
) -> list[str]:
    """Store staged queries or documents, with their facts and attributes.

    Facts of the file replace those of queries; those of documents stay. Its attributes
    replace earlier ones. A column that has another meaning in this file, such as the
    weight, is no attribute any longer. Return those that were.
    """
    kept, is_document = KEPT[table], table == "documents"
    key = "doc_id" if is_document else "query_id"
    named: dict[str, Any] = {"dataset": dataset}
    for fact in kept.facts:
        if fact in how.fields or is_document:
            is_new = f"{table}.{fact} is null and staged.{fact} is not null"
            which = is_new if is_document else "true"
            database.execute(
                f"update {table} set {fact} = staged.{fact} from staged"
                f" where {table}.dataset = $dataset and {table}.{key} = staged.{key}"
                f" and {which}",
                named,
            )
    facts = ", ".join(kept.facts)
    database.execute(
        f"insert into {table} (dataset, {key}, {facts})"
        f" select $dataset, {key}, {facts} from staged"
        f" where {key} not in (select {key} from {table} where dataset = $dataset)",
        named,
    )
    meant = [name for name in how.column_names.values() if name not in how.attributes]
    of_staged = (
        f"from {kept.tables[0]} where dataset = $dataset"
        f" and {key} in (select {key} from staged)"
        " and list_contains($attributes, attribute)"
    )
    select = f"select distinct attribute {of_staged} order by attribute"
    rows = database.execute(select, {**named, "attributes": meant})
    former: list[str] = [attribute for (attribute,) in rows]
    replaced = [*former, *how.attributes]
    database.execute(f"delete {of_staged}", {**named, "attributes": replaced})
    # An empty field gives no value of the attribute.
    database.execute(
        f"insert into {kept.tables[0]} (dataset, {key}, attribute, attribute_value)"
        f" select $dataset, {key}, attribute, fields[place] from staged, (select"
        " unnest($names) as attribute, unnest($places) as place) as attributes"
        " where coalesce(fields[place], '') <> ''",
        {**named, "names": [*how.attributes], "places": [*how.attributes.values()]},
    )
    return former


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


def _store_known(
    database: Database,
    request: Options,
    source: Source,
    how: Layout,
    held: Collected,
    file: object,
) -> tuple[int, int]:
    """Store the staged known documents; return how many they are, and the queries."""
    not_relevant = _not_relevant(database, source, how, request)
    for name in ("old_known_documents", "known_documents"):
        database.run(f"store/{name}", {"dataset": request.dataset})
    [(rows, pairs, queries)] = database.execute(
        "select count(*), count(distinct (query_id, doc_id)),"
        " count(distinct query_id) from staged"
    )
    of_queries = f"of {counted(queries, 'query', 'queries')}"
    held.tell(_loaded(request, f"{counted(pairs, 'known document')} {of_queries}"))
    _tell_left_out(how, held)
    if rows > pairs:
        repeat = "repeats" if rows - pairs == 1 else "repeat"
        held.tell(
            f"{counted(rows - pairs, 'row')} {repeat} a document of a query; its rows"
            " are counted together"
        )
    if how.ignored:
        held.tell(warnings.ignored_columns(how.ignored))
    if not_relevant:
        have = "row has" if not_relevant == 1 else "rows have"
        held.warn(
            f"{source.shown}: {not_relevant} {have} a grade of 0 or less; grades are"
            " not read here, so these documents are known, too; if the file has"
            " judgments: "
            + call("load_judgments", file or FILE, **into(request.dataset))
        )
    return pairs, queries


def _not_relevant(
    database: Database, source: Source, how: Layout, request: Options
) -> int:
    """Return how many rows say that a document is not relevant, or not judged.

    What is known has no grade: that of judgments, or of a rating, is not read.
    """
    place = how.fields.get("grade")
    if place is None and (names := [n for n in how.ignored if is_graded(n)]):
        how, _ = layout(source, "known", replace(request, wanted=(names[0],)))
        place = how.attributes[names[0]]
    if place is None:
        return 0
    [(count,)] = how.rows(database, "lookups/not_relevant", grade_field=place)
    return count


def _warn_unknown(
    database: Database, held: Messages, dataset: str, kind: Described
) -> None:
    """Warn of what the file describes that no run and no judgment set has.

    Of documents, it is enough if one that was stored before is in a run: new ones of a
    catalogue need not be.
    """
    if warnings.is_new(database, dataset):
        held.warn(warnings.sentence("new_dataset", dataset=dataset))
        return
    if kind != "documents":
        row = "row" if kind == "known" else None
        held.warn_all(warnings.unknown_queries(database, dataset, row))
    if kind != "queries":
        about: Parameters = {
            "dataset": dataset,
            "noun": KEPT[kind].noun[0],
            "with_stored": kind == "documents",
        }
        held.warn_all(
            warnings.each(database, "unknown_documents", about, dataset=dataset)
        )


def remove(
    database: Database, messages: Messages, kind: Described, dataset: str
) -> None:
    """Remove what was loaded of the queries or documents of a dataset."""
    kept = KEPT[kind]
    with database.transaction():
        check_dataset(database, dataset)
        count = forget(database, kind, dataset)
        if not count:
            way = call(f"load_{kind}", FILE, **into(dataset))
            about = {"nouns": kept.noun[1], "dataset": dataset}
            raise refusal("nothing_described", way=way, **about)
        if kind == "queries":
            weigh(database, dataset)
        if kept.needs:
            store_anew(database, dataset, kept.needs)
    what = f"{kept.data}{counted(count, *kept.noun)}"
    messages.tell(f"removed {what} of dataset {quoted(dataset)}")


def forget(database: Database, kind: Described, dataset: str) -> int:
    """Remove the rows of a dataset from the tables that describe a kind.

    Returns the number of queries or documents. Must be called inside a transaction.
    """
    number = count_of(database, kind, dataset)
    for table in KEPT[kind].tables:
        rows = f"delete from {table} where dataset = $dataset"
        database.execute(rows, {"dataset": dataset})
    return number


def count_of(database: Database, kind: Described, dataset: str) -> int:
    """Return how many queries or documents of a dataset a kind describes."""
    sql = f"select count(*) from {KEPT[kind].tables[-1]} where dataset = $dataset"
    [(number,)] = database.execute(sql, {"dataset": dataset})
    return number
