"""Assessments: grades of several assessors, stored unchanged, and sets made of them."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import BadRowsError
from ndcg_sql.evaluation.assessments import chosen_assessments
from ndcg_sql.loading.loaded import LoadedItem, counts_of, hash_of
from ndcg_sql.loading.options import Options, check_names
from ndcg_sql.loading.replacing import NewEntry, remove_old, unchanged
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.storing import store_judgments
from ndcg_sql.loading.tasks import Task, check_decimal_marks
from ndcg_sql.loading.warnings import ignored_columns, sentence
from ndcg_sql.reading.columns import doubt
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Collected, Messages
from ndcg_sql.system.paths import default_name, shown
from ndcg_sql.text import counted, listed, quoted, separated
from ndcg_sql.wording import FILE, Blank, Text, call

# What is known of the assessors of a file.
_ABOUT = ("assessor_kind", "model", "prompt", "cost", "seconds")
# The fields that change what is stored of a file.
_CHANGING = (
    *("columns", "format_in", "assessor_columns", "query", "decimal", "encoding"),
    *("where", "labels"),
)
_ABOUT_STORED = (
    "select assessor_kind, model, prompt, judging_cost as cost,"
    " judging_seconds as seconds from assessment_sets where assessment_set_id = $id"
)
# What else the message of an adjudicated set counts.
_TIED = "({} without a majority: the lowest grade)"
_UNTIMED = "({} whose grades have no times: the set loaded last counts as the latest)"


def load(task: Task) -> list[LoadedItem]:
    """Load files of assessments, all or none; this does not make a judgment set."""
    database, options = task.database, task.options
    names = [("dataset", options.dataset), ("assessments", options.name)]
    names += [("assessor", options.assessor), ("kind", options.assessor_kind)]
    check_names([*names, ("model", options.model)])
    taken: dict[str, Path] = {}
    items: list[LoadedItem] = []
    with database.transaction():
        for path in progress.files(task.paths):
            name = task.name(path)
            if (other := taken.setdefault(name, path)) != path:
                files = {"other": shown(other), "path": shown(path)}
                raise refusal("name_twice", kind="assessments", entry=name, **files)
            check_names([("assessments", name)])
            with task.opened(path) as source, task.proposing(path, source):
                items.append(_load(task, path, source, name))
    task.held.pass_on(task.messages)
    return items


def _load(task: Task, path: Path, source: Source, name: str) -> LoadedItem:
    """Load one file inside a transaction; return what it is."""
    database, options, held = task.database, task.options, task.held
    assessor = options.assessor
    if options.assessor_from == "file":
        assessor = default_name(path)
        check_names([("assessor", assessor)])
    about = {field: getattr(options, field) for field in _ABOUT}
    read = {field: getattr(options, field) for field in _CHANGING}
    content = hash_of(source.content_hash, assessor, read)
    entry = NewEntry("assessments", options.dataset, name, content)
    entry = replace(entry, source=task.origin(path), columns=about)
    entry = entry.beside_old(database)
    of_old = {"id": entry.old.id if entry.old else None}
    stored = database.records(_ABOUT_STORED, of_old)
    fields = [name for row in stored for name in _ABOUT if about[name] != row[name]]
    if item := unchanged(held, entry, options.replace, source.shown, fields):
        return item
    remove_old(database, entry)
    [(set_id,)] = database.execute("select nextval('assessment_set_ids')")
    parameters = entry.parameters(set_id)
    *_, (how, note) = [
        _store(task, source, column, assessor, parameters)
        for column in options.assessor_columns or (None,)
    ]
    database.run("store/assessment_sets", parameters)
    queries, rows = counts_of(database, "assessments", set_id)
    ids = {"assessment_set_ids": [set_id]}
    assessors = [a for (a,) in database.run("lookups/assessors", ids)]
    check_names([("assessor", one) for one in assessors])
    held.tell(
        f"{entry.done}{counted(queries, 'query', 'queries')},"
        f" {counted(rows, 'assessment')} of"
        f" {counted(len(assessors), 'assessor')}: {listed(assessors, 5)}"
    )
    ignored = tuple(n for n in how.ignored if n not in options.assessor_columns)
    if ignored:
        held.note(ignored_columns(ignored) + (note and f"; {note}"))
    return LoadedItem("assessments", name, entry.outcome, rows, queries, ignored)


def _store(
    task: Task,
    source: Source,
    column: str | None,
    assessor: str | None,
    parameters: Parameters,
) -> tuple[Layout, str]:
    """Store the grades of all assessors, or of the assessor of a column.

    Return how they were read, and a note on a column that was ignored: its name may be
    that of times, but no value is one. If some are, it is damaged.
    """
    database, options = task.database, task.options
    columns, note = options.columns, ""
    if column is not None:
        columns, assessor = {**columns, "grade": column}, column
    how = layout(source, "assessments", replace(options, columns=columns))
    _check_named(how, options, assessor)
    if options.decimal is None:
        check_decimal_marks(database, how)
    stage(database, "assessments", how, options.labels, assessor)
    name = how.column_names.get("assessed_at")
    is_sure = "assessed_at" in columns
    if name and not is_sure and doubt(name, "assessments"):
        [(text,)] = database.run("lookups/odd_time")
        if text is not None:
            how = how.without("assessed_at")
            how = replace(how, ignored=(*how.ignored, name))
            database.execute("update staged set time_text = null")
            note = f"{quoted(name)} has no times, such as {quoted(text)}, which is"
            note += " not a time like 2026-01-31T23:59"
    if column is not None:
        # An empty field means that this assessor did not grade the document.
        database.execute("delete from staged where coalesce(grade_text, '') = ''")
    try:
        check_staged(database, "assessments", how)
    except BadRowsError as error:
        # With times, grades of one assessor would have an order.
        error.what = Text(error.what, note and f"\n{note}")
        raise
    database.run("store/assessments", parameters)
    return how, note


def _check_named(how: Layout, options: Options, assessor: str | None) -> None:
    """Raise NdcgSqlError if nothing names the assessors, or two things do."""
    file, is_named = how.source.shown, "assessor" in how.fields
    if not is_named and assessor is None:
        fields = {"columns": {"assessor": "NAME"}, "assessor_columns": ["NAME"]}
        raise refusal("no_assessor", file=file, **fields)
    if is_named and options.assessor_from == "file":
        raise refusal("assessors_beside_file", file=file)
    if is_named and options.assessor is not None:
        column = how.column_names.get("assessor", "assessor")
        about = {"column": column, "assessor": options.assessor}
        raise refusal("assessors_beside_name", file=file, **about)


def adjudicate(
    database: Database,
    messages: Messages,
    name: str,
    policy: str,
    *,
    assessments: Sequence[str],
    assessors: Sequence[str],
    dataset: str | None,
    evaluate: bool,
    replacing: bool,
) -> None:
    """Derive a judgment set from assessments by a policy; evaluate runs with it."""
    check_names([("judgment set", name)])
    held, lately, tied = Collected(), list[tuple[str, bool, int]](), 0
    with database.transaction():
        with chosen_assessments(database, assessments, assessors, dataset) as chosen:
            where, sets, who = chosen
            of_dataset: Parameters = {"dataset": where}
            by_policy = {**of_dataset, "policy": policy, "assessors": who}
            database.run("store/adjudicated", by_policy)
            if policy == "latest":
                _check_times(database, where)
                lately = database.run("lookups/lately_loaded", of_dataset)
            elif policy == "majority":
                [(tied,)] = database.run("lookups/without_majority", of_dataset)
        # Only trust depends on the order of assessors; every policy depends on which
        # grade of an assessor is the last, that is on the order of loading.
        is_trust = policy == "trust"
        content = [policy, who if is_trust else sorted(who)]
        content += database.run("lookups/staged_hash")[0]
        # The sources of a set are part of its content.
        of_sets = "select assessment_set_id, content_hash from assessment_sets"
        hashes = dict(database.execute(of_sets))
        content += sorted(hashes[entry.id] for entry in sets)
        how = f" by {policy} of {counted(len(who), 'assessor')}"
        untimed = sum(count for _, has_times, count in lately if not has_times)
        for count, text in ((tied, _TIED), (untimed, _UNTIMED)):
            how += f" {text.format(counted(count, 'document'))}" * bool(count)
        entry = NewEntry(
            "judgment set",
            where,
            name,
            hash_of(*content),
            source=f"assessments {separated(one.name for one in sets)}",
            verb="made",
            how=how,
            columns={"policy": f"trust: {separated(who)}" if is_trust else policy},
            parents=("assessments", [one.id for one in sets]),
        ).beside_old(database)
        if not unchanged(held, entry, replacing):
            store_judgments(database, held, entry, evaluating=evaluate)
            held.warn_all(
                sentence("undated", count=count, assessments=undated)
                for undated, has_times, count in lately
                if has_times
            )
    held.pass_on(messages)


def _check_times(database: Database, dataset: str) -> None:
    """Raise NdcgSqlError for a document whose latest grade no time tells."""
    untimed = database.run("lookups/untimed_assessments", {"dataset": dataset})
    for query, document, name, count in untimed:
        # They are known by the options of another command.
        times = {"columns": {"assessed_at": Blank("NAME")}, "replace": True}
        loading = call("load_assessments", FILE, dataset=dataset, name=name, **times)
        about = {"count": count, "query": query, "document": document}
        raise refusal("no_times", name=name, way=loading, **about)
