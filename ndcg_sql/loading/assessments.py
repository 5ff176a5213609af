"""Assessments: grades of several assessors, stored unchanged, and sets made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import BadRowsError
from ndcg_sql.evaluation.assessments import chosen_assessments
from ndcg_sql.loading.loaded import LoadedItem, Stored, counts_of, hash_of
from ndcg_sql.loading.options import Options, check_names
from ndcg_sql.loading.replacing import NewEntry, namesake
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.sheets import check_decimal_marks
from ndcg_sql.loading.storing import store_judgments
from ndcg_sql.loading.tasks import Task
from ndcg_sql.loading.warnings import ignored_columns, sentence
from ndcg_sql.reading.columns import is_usual_at_last
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name, shown
from ndcg_sql.text import counted, listed, quoted, separated
from ndcg_sql.wording import FILE, Blank, Wording, call

# What is known of the assessors of a file.
_ABOUT = ("assessor_kind", "model", "prompt", "cost", "seconds")
# The fields that change what is stored of a file.
_CHANGING = (
    *("columns", "format_in", "assessor_columns", "query", "decimal", "encoding"),
    "where",
)
_ABOUT_STORED = (
    "select assessor_kind, model, prompt, judging_cost as cost,"
    " judging_seconds as seconds, content_hash from assessment_sets"
    " where assessment_set_id = $id"
)
# What else the message of an adjudicated set counts.
_TIED = "({} without a majority: the lowest grade)"
_UNTIMED = "({} whose grades have no times: the set loaded last counts as the latest)"


def load(task: Task) -> list[LoadedItem]:
    """Load files of assessments, all or none; this does not make a judgment set.

    Return what they are. If anything is wrong with a file, raises NdcgSqlError and
    stores nothing.
    """
    database, options = task.database, task.options
    names = [("dataset", options.dataset), ("assessments", options.name)]
    names += [("assessor", options.assessor), ("kind", options.assessor_kind)]
    check_names([*names, ("model", options.model)])
    taken: dict[str, Path] = {}
    loaded: list[Stored] = []
    with database.transaction():
        for path in progress.files(task.paths):
            name = task.name(path)
            if (other := taken.setdefault(name, path)) != path:
                files = {"other": shown(other), "path": shown(path)}
                raise refusal("name_twice", kind="assessments", entry=name, **files)
            check_names([("assessments", name)])
            with task.opened(path) as source, task.proposing(path, source):
                loaded.append(_load(task, path, source, name))
    for one in loaded:
        replace(one, note="").tell(task.messages)
    # Files of several assessors have the same columns.
    for note in dict.fromkeys(one.note for one in loaded if one.note):
        task.messages.tell(note)
    return [item for one in loaded for item in one.items]


def _load(task: Task, path: Path, source: Source, name: str) -> Stored:
    """Load one file inside a transaction; return what it is."""
    database, options, assessor = task.database, task.options, task.options.assessor
    if options.assessor_from == "file":
        assessor = default_name(path)
        check_names([("assessor", assessor)])
    about = {field: getattr(options, field) for field in _ABOUT}

    def hash_with(details: Mapping[str, object]) -> str:
        """Return the hash of the file, how it is read, and what is known of it."""
        read = {name: getattr(options, name) for name in _CHANGING}
        content = [assessor, read, options.labels, {**details}]
        return hash_of(source.content_hash, *content)

    def stored(set_id: int) -> dict[str, object]:
        [row] = database.records(_ABOUT_STORED, {"id": set_id})
        return row

    def differing(set_id: int) -> list[str]:
        return [field for field in _ABOUT if about[field] != stored(set_id)[field]]

    def has_rows(set_id: int) -> bool:
        details = stored(set_id)
        return details.pop("content_hash") == hash_with(details)

    entry = NewEntry("assessments", options.dataset, name, hash_with(about))
    entry = replace(entry, source=task.origin(path), columns=about)
    checked = options.replace, source.shown, differing, has_rows
    old = namesake(database, entry, *checked)
    if old.unchanged:
        return old.unchanged
    old.remove(database)
    [(set_id,)] = database.execute("select nextval('assessment_set_ids')")
    parameters = entry.parameters(set_id)
    note: Wording = ""
    ignored: tuple[str, ...] = ()
    for column in options.assessor_columns or (None,):
        how, odd = _stage(database, source, options, column, assessor)
        database.run("store/assessments", parameters)
        ignored = tuple(n for n in how.ignored if n not in options.assessor_columns)
        note = ignored_columns(ignored) if ignored else ""
        if odd is not None:
            note += (
                f"; {quoted(odd[0])} has no times, such as {quoted(odd[1])}, which is"
                " not a time like 2026-01-31T23:59"
            )
    database.run("store/assessment_sets", parameters)
    queries, rows = counts_of(database, "assessments", set_id)
    ids = {"assessment_set_ids": [set_id]}
    assessors = [a for (a,) in database.run("lookups/assessors", ids)]
    check_names([("assessor", one) for one in assessors])
    line = (
        f"{old.done}{counted(queries, 'query', 'queries')},"
        f" {counted(rows, 'assessment')} of"
        f" {counted(len(assessors), 'assessor')}: {listed(assessors, 5)}"
    )
    item = LoadedItem("assessments", name, old.outcome, rows, queries, ignored)
    return Stored(line, note=note, item=item)


def _stage(
    database: Database,
    source: Source,
    request: Options,
    column: str | None,
    assessor: str | None,
) -> tuple[Layout, tuple[str, str] | None]:
    """Stage the grades of all assessors, or of the assessor of a column.

    Return how they were read, and the column that was ignored as it has no times, with
    the first of its values.
    """
    reading = request
    if column is not None:
        reading = replace(request, columns={**request.columns, "grade": column})
        assessor = column
    how, source = layout(source, "assessments", reading)
    _check_named(source, how, request, assessor)
    if request.decimal is None:
        check_decimal_marks(database, source, how)
    labels = request.labels
    stage(database, "assessments", source, how, labels, assessor)
    odd = None if "assessed_at" in reading.columns else _odd_times(database, how)
    timed = how
    if odd is not None:
        how = how.without("assessed_at")
        how = replace(how, ignored=(*how.ignored, odd[0]))
        database.execute("update staged set time_text = null")
    if column is not None:
        # An empty field means that this assessor did not grade the document.
        database.execute("delete from staged where coalesce(grade_text, '') = ''")
    try:
        check_staged(database, "assessments", source, how)
    except BadRowsError as error:
        if odd is not None and "assessment_twice" in error.checks:
            # The times may tell which grade is the later one: they are needed.
            stage(database, "assessments", source, timed, labels, assessor)
            check_staged(database, "assessments", source, timed)
        raise
    return how, odd


def _check_named(
    source: Source, how: Layout, request: Options, assessor: str | None
) -> None:
    """Raise NdcgSqlError if nothing names the assessors, or two things do."""
    file = source.shown
    if "assessor" not in how.fields:
        if assessor is None:
            columns = {"assessor": "NAME"}
            ways = {"columns": columns, "assessor_columns": ["NAME"]}
            raise refusal("no_assessor", file=file, **ways)
    elif request.assessor_from == "file":
        raise refusal("assessors_beside_file", file=file)
    elif request.assessor is not None:
        column = how.column_names.get("assessor", "assessor")
        about = {"column": column, "assessor": request.assessor}
        raise refusal("assessors_beside_name", file=file, **about)


def _odd_times(database: Database, how: Layout) -> tuple[str, str] | None:
    """Return the column of staged times if its name is no sure one, and none is a time.

    The first of its values is beside it. A column of which only some values are times
    is damaged.
    """
    name = how.column_names.get("assessed_at")
    if name is None or not is_usual_at_last(name, "assessments"):
        return None
    [(text,)] = database.run("lookups/odd_time")
    return None if text is None else (name, text)


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
    """Derive a judgment set from assessments by a policy; evaluate runs with it.

    Raises NdcgSqlError and stores nothing where a name is not known or is taken.
    """
    check_names([("judgment set", name)])
    lately: list[tuple[str, bool, int]] = []
    tied = 0
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
        of_assessors = counted(len(who), "assessor")
        how = f" by {policy} of {of_assessors}"
        untimed = sum(count for _, has_times, count in lately if not has_times)
        for count, text in ((tied, _TIED), (untimed, _UNTIMED)):
            if count:
                how += f" {text.format(counted(count, 'document'))}"
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
        )
        old = namesake(database, entry, replacing)
        made = old.unchanged or store_judgments(database, old, evaluate)
    undated = [
        sentence("undated", count=count, assessments=undated)
        for undated, has_times, count in lately
        if has_times and not old.unchanged
    ]
    replace(made, warnings=[*made.warnings, *undated]).tell(messages)


def _check_times(database: Database, dataset: str) -> None:
    """Raise NdcgSqlError for a document whose latest grade no time tells."""
    untimed = database.run("lookups/untimed_assessments", {"dataset": dataset})
    for query, document, name, count in untimed:
        # They are known by the options of another command.
        times = {"columns": {"assessed_at": Blank("NAME")}, "replace": True}
        about = {"dataset": dataset, "name": name, **times}
        way = call("load_assessments", FILE, **about)
        example = {"count": count, "query": query, "document": document}
        raise refusal("no_times", name=name, way=way, **example)
