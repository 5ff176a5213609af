"""What describes the queries and documents of a dataset, or what queries know."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.entries import check_dataset, into
from ndcg_sql.evaluation.values import store_anew, weigh
from ndcg_sql.loading import warnings
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.options import Options, check_names
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.tasks import Task, check_decimal_marks
from ndcg_sql.reading.columns import is_graded, likely
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, harmless, listed, quoted
from ndcg_sql.wording import FILE, Wording, call, use

Described = Literal["queries", "documents", "known"]


@dataclass(frozen=True)
class Kept:
    """What is kept of a kind: in which tables, the last of which has a row for each.

    data are the words for it; nouns are those of its ids; counts select how many rows,
    things and queries are staged; facts are columns of the last table that the file may
    have; needs are what measures need of it, as measure_needs calls it.
    """

    noun: tuple[str, str]
    data: str
    nouns: tuple[warnings.Noun, ...]
    tables: tuple[str, ...]
    counts: str
    facts: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


KEPT: Mapping[Described, Kept] = {
    "queries": Kept(
        ("query", "queries"),
        "the texts, weights and attributes of ",
        ("query",),
        ("query_attributes", "queries"),
        "select count(*), count(*), count(*) from staged",
        ("text", "weight"),
    ),
    "documents": Kept(
        ("document", "documents"),
        "the titles, urls and attributes of ",
        ("document",),
        ("document_attributes", "documents"),
        "select count(*), count(*), null from staged",
        ("title", "url"),
        ("documents", "attributes"),
    ),
    "known": Kept(
        ("known document", "known documents"),
        "",
        ("query", "document"),
        ("known_documents",),
        "select count(*), count(distinct (query_id, doc_id)), count(distinct query_id)"
        " from staged",
        needs=("known",),
    ),
}


def load(task: Task) -> list[LoadedItem]:
    """Load a file of queries, of documents, or of documents that queries know.

    Every further column of queries or documents is an attribute. For those of the file,
    its columns replace what was stored, but a document that is stored with another
    title or address is refused; others stay unchanged. Known rows of the same query and
    document are counted together. With replace, all that was stored of the kind in the
    dataset is removed first. If anything is wrong, stores nothing.
    """
    database, options, path = task.database, task.options, task.paths[0]
    kind, dataset, held = cast("Described", task.kind), options.dataset, task.held
    kept, named, is_known = KEPT[kind], {"dataset": dataset}, kind == "known"
    check_names([("dataset", dataset)])
    with database.transaction(), task.opened(path, held) as source:
        with task.proposing(path, source):
            how = layout(source, kind, options)
            stage(database, kind, how)
            check_staged(database, kind, how)
        for note in warnings.comments(how.source):
            held.tell(note)
        held.warn_all(warnings.rounded_ids(database, how))
        if options.replace:
            forget(database, kind, dataset)
        if kind == "documents":
            changed = database.run("lookups/changed_documents", named)
            for line, document, column in changed:
                about = {"place": f"{source.shown}:{line}", "document": document}
                raise refusal("other_document", dataset=dataset, column=column, **about)
        elif kind == "queries" and options.decimal is None:
            held.warn_all(filter(None, [check_decimal_marks(database, how)]))
        [(lines, rows, queries)] = database.execute(kept.counts)
        what = f"loaded {counted(rows, *kept.noun)}"
        alike = [
            doubt
            for noun in kept.nouns
            for doubt in warnings.alike(database, noun, "staged", named)
        ]
        held.warn_all(alike)
        if is_known:
            for name in ("old_known_documents", "known_documents"):
                database.run(f"store/{name}", named)
            parts = [what + f" of {counted(queries, 'query', 'queries')}"]
        else:
            _store(database, kind, dataset, how)
            parts = [what]
        if kind == "queries" and (options.replace or "weight" in how.fields):
            weigh(database, dataset)
        if kept.needs:
            store_anew(database, dataset, kept.needs)
        parts[0] += f" of dataset {quoted(dataset)}"
        parts[0] += ", which replace the others" * options.replace
        for column in kept.facts if kind == "queries" else ():
            if (name := how.column_names.get(column, column)) != column:
                parts.append(f"{column}: {harmless(name)}")
        if how.attributes and not is_known:
            attributes = "attribute" if len(how.attributes) == 1 else "attributes"
            parts.append(f"{attributes}: {', '.join(map(harmless, how.attributes))}")
        held.tell("; ".join(parts))
        if how.left_out:
            single = "an attribute is a single text or number"
            held.tell(f"omitted {listed(how.left_out)}: {single}")
        if is_known and lines > rows:
            repeating = counted(lines - rows, "row")
            held.tell(f"{repeating} added to others of the same query and document")
        if is_known and how.ignored:
            held.tell(warnings.ignored_columns(how.ignored))
        if columns := _likely(database, dataset, how) if kind == "queries" else {}:
            pairs = [f"{quoted(name)} is the {role}" for role, name in columns.items()]
            held.tell(f"if {' and '.join(pairs)} of a query: " + use(columns=columns))
        if is_known and (count := _not_relevant(database, source, how, options)):
            have = "row has" if count == 1 else "rows have"
            file = task.argument(path, source) or FILE
            held.warn(
                f"{source.shown}: {count} {have} a grade of 0 or less; grades"
                " are not read here, so these documents are known, too; if the file has"
                " judgments: " + call("load_judgments", file, **into(dataset))
            )
        if not (is_known and alike):
            held.warn_all(_unknown(database, dataset, kind))
        warnings.check_strict(options.strict, held.warnings)
    held.pass_on(task.messages)
    outcome = "replaced" if options.replace else "loaded"
    ignored = how.ignored if is_known else ()
    return [LoadedItem(kind, None, outcome, rows, queries, ignored)]


def _store(database: Database, table: Described, dataset: str, how: Layout) -> None:
    """Store staged queries or documents, with their facts and attributes.

    Facts of the file replace those of queries; those of documents stay. Its attributes
    replace earlier ones. A column that has another meaning in this file, such as the
    weight, is no attribute any longer.
    """
    kept, is_document = KEPT[table], table == "documents"
    key = "doc_id" if is_document else "query_id"
    named: Parameters = {"dataset": dataset}
    for fact in kept.facts:
        if fact in how.fields or is_document:
            which = f"{table}.{fact} is distinct from staged.{fact}"
            which += f" and staged.{fact} is not null" * is_document
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
    database.execute(
        f"delete from {kept.tables[0]} where dataset = $dataset"
        f" and {key} in (select {key} from staged)"
        " and list_contains($replaced, attribute)",
        {**named, "replaced": [*how.column_names.values(), *how.attributes]},
    )
    # An empty field gives no value of the attribute.
    database.execute(
        f"insert into {kept.tables[0]} (dataset, {key}, attribute, attribute_value)"
        f" select $dataset, {key}, attribute, fields[place] from staged, (select"
        " unnest($names) as attribute, unnest($places) as place) as attributes"
        " where coalesce(fields[place], '') <> ''",
        {**named, "names": [*how.attributes], "places": [*how.attributes.values()]},
    )


def _likely(database: Database, dataset: str, how: Layout) -> dict[str, str]:
    """Return the attributes that are likely to be the text and the weight."""
    attributes = {"dataset": dataset, "attributes": [*how.attributes]}
    rows = database.run("lookups/likely_texts", attributes)
    weights = [name for name, _, may_be_weight in rows if may_be_weight]
    texts = [n for n, may_be_text, _ in rows if may_be_text and n not in weights]
    names = {"text": texts, "weight": weights}
    chosen = {role: likely(role, names[role], "queries") for role in names}
    return {role: n for role, n in chosen.items() if n and role not in how.fields}


def _not_relevant(
    database: Database, source: Source, how: Layout, request: Options
) -> int:
    """Return how many rows say that a document is not relevant, or not judged."""
    place = how.fields.get("grade")
    if place is None and (names := [n for n in how.ignored if is_graded(n)]):
        how = layout(source, "known", replace(request, wanted=(names[0],)))
        place = how.attributes[names[0]]
    if place is None:
        return 0
    [(count,)] = how.rows(database, "lookups/not_relevant", grade_field=place)
    return count


def _unknown(database: Database, dataset: str, kind: Described) -> list[Wording]:
    """Return warnings of what no run and no judgment set has.

    Of documents, it is enough if one that was stored before is in a run: new ones of a
    catalogue need not be.
    """
    if warnings.is_new(database, dataset):
        return [warnings.sentence("new_dataset", dataset=dataset)]
    doubts: list[Wording] = []
    if kind != "documents":
        row = "row" if kind == "known" else None
        doubts += warnings.unknown_queries(database, dataset, row)
    if kind != "queries":
        about: Parameters = {"dataset": dataset, "with_stored": kind == "documents"}
        about["noun"] = KEPT[kind].noun[0]
        doubts += warnings.each(database, "unknown_documents", about, dataset=dataset)
    return doubts


def remove(
    database: Database, messages: Messages, kind: Described, dataset: str
) -> None:
    """Remove what was loaded of the queries or documents of a dataset."""
    kept = KEPT[kind]
    with database.transaction():
        check_dataset(database, dataset)
        count = forget(database, kind, dataset)
        if not count:
            loading = call(f"load_{kind}", FILE, **into(dataset))
            about = {"nouns": kept.noun[1], "dataset": dataset}
            raise refusal("nothing_described", way=loading, **about)
        if kind == "queries":
            weigh(database, dataset)
        if kept.needs:
            store_anew(database, dataset, kept.needs)
    what = f"{kept.data}{counted(count, *kept.noun)}"
    messages.tell(f"removed {what} of dataset {quoted(dataset)}")


def forget(database: Database, kind: Described, dataset: str) -> int:
    """Remove what describes a kind in a dataset, in a transaction; return its count."""
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
