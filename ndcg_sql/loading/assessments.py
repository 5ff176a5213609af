"""Assessments: the grades of several assessors, stored unchanged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import BadRowsError, NdcgSqlError
from ndcg_sql.loading.loaded import LoadedItem, Outcome, counts_of, hash_of
from ndcg_sql.loading.options import Options, check_names
from ndcg_sql.loading.replacing import namesake
from ndcg_sql.loading.sheets import check_decimal_marks
from ndcg_sql.loading.storing import Stored
from ndcg_sql.loading.warnings import ignored_columns
from ndcg_sql.reading import sources
from ndcg_sql.reading.columns import is_usual_at_last
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.proposals.refusals import add_proposal, argument_of
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name, shown
from ndcg_sql.text import counted, listed, now, quoted
from ndcg_sql.wording import Text, Wording, use

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


@dataclass(frozen=True)
class _Odd:
    """A column that has the name of times, but none of whose values is one."""

    column: str
    # The first of its values.
    text: str


def load(
    database: Database,
    paths: Sequence[Path],
    request: Options,
    messages: Messages,
    streams: sources.Streams | None = None,
) -> list[LoadedItem]:
    """Load files of assessments, all or none; this does not make a judgment set.

    Return what they are. If anything is wrong with a file, raises NdcgSqlError and
    stores nothing.
    """
    names = [("dataset", request.dataset), ("assessments", request.name)]
    names += [("assessor", request.assessor), ("kind", request.assessor_kind)]
    names += [("model", request.model)]
    check_names(names)
    paths = list(dict.fromkeys(paths))
    taken: dict[str, Path] = {}
    loaded: list[Stored] = []
    with database.transaction():
        for path in progress.files(paths):
            name = request.name or default_name(path)
            other = taken.setdefault(name, path)
            if other != path:
                raise NdcgSqlError(
                    f"{shown(other)} and {shown(path)}: both would be assessments"
                    f" {quoted(name)}",
                    "load them one by one with " + use(name="NAME"),
                )
            check_names([("assessments", name)])
            with sources.opened(path, messages, database.folder, streams) as source:
                file = argument_of(path, source, streams)
                try:
                    loaded.append(_load(database, source, path, name, request, streams))
                except NdcgSqlError as error:
                    method = "load_assessments"
                    is_alone = len(paths) == 1
                    add_proposal(error, method, request, source, file, is_alone)
                    raise
    for one in loaded:
        replace(one, note="").tell(messages)
    # Files of several assessors have the same columns.
    for note in dict.fromkeys(one.note for one in loaded if one.note):
        messages.tell(note)
    return [one.item for one in loaded if one.item]


def _load(
    database: Database,
    source: Source,
    path: Path,
    name: str,
    request: Options,
    streams: sources.Streams | None,
) -> Stored:
    """Load one file inside a transaction; return what it is."""
    assessor = request.assessor
    if request.assessor_from == "file":
        assessor = default_name(path)
        check_names([("assessor", assessor)])
    about = {field: getattr(request, field) for field in _ABOUT}
    content_hash = _content_hash(source, request, assessor, about)

    def differing(set_id: int) -> list[str]:
        [stored] = database.records(_ABOUT_STORED, {"id": set_id})
        return [field for field in _ABOUT if about[field] != stored[field]]

    def has_rows(set_id: int) -> bool:
        [stored] = database.records(_ABOUT_STORED, {"id": set_id})
        old_hash = stored.pop("content_hash")
        return old_hash == _content_hash(source, request, assessor, stored)

    old = namesake(
        database,
        "assessments",
        name,
        request.dataset,
        content_hash,
        request.replace,
        source.shown,
        differing,
        has_rows,
    )
    if old.message:
        return Stored(old.message, item=old.unchanged)
    old.remove(database)
    set_id = database.execute("select nextval('assessment_set_ids')")[0][0]
    parameters: Parameters = {
        "assessment_set_id": set_id,
        "dataset": request.dataset,
        "name": name,
        "source": sources.origin(path, streams),
        "content_hash": content_hash,
        "loaded_at": now(),
        **about,
    }
    note: Wording = ""
    ignored: tuple[str, ...] = ()
    for column in request.assessor_columns or (None,):
        how, odd = _stage(database, source, request, column, assessor)
        database.run("store/assessments", parameters)
        ignored = tuple(n for n in how.ignored if n not in request.assessor_columns)
        note = ignored_columns(ignored) if ignored else ""
        if odd is not None:
            note += (
                f"; {quoted(odd.column)} has no times, such as {quoted(odd.text)},"
                " which is not a time like 2026-01-31T23:59"
            )
    database.run("store/assessment_sets", parameters)
    queries, rows = counts_of(database, "assessments", set_id)
    ids = {"assessment_set_ids": [set_id]}
    assessors = [a for (a,) in database.run("lookups/assessors", ids)]
    check_names([("assessor", one) for one in assessors])
    done: Outcome = "replaced" if old.ids else "loaded"
    line = (
        f"{done} assessments {quoted(name)}: {counted(queries, 'query', 'queries')},"
        f" {counted(rows, 'assessment')} of"
        f" {counted(len(assessors), 'assessor')}: {listed(assessors, 5)}"
    )
    item = LoadedItem("assessments", name, done, rows, queries, ignored)
    return Stored(line, note=note, item=item)


def _content_hash(
    source: Source,
    request: Options,
    assessor: str | None,
    about: Mapping[str, object],
) -> str:
    """Return the hash of a file, how it is read, and what is known of assessors."""
    read = {name: getattr(request, name) for name in _CHANGING}
    # What is known of the assessors is stored, too.
    said = [assessor, read, request.labels, {**about}]
    return hash_of(source.content_hash, *said)


def _stage(
    database: Database,
    source: Source,
    request: Options,
    column: str | None,
    assessor: str | None,
) -> tuple[Layout, _Odd | None]:
    """Stage the grades of all assessors, or of the assessor of a column.

    Return how they were read, and the column that was ignored as it has no times.
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
        how = replace(how, ignored=(*how.ignored, odd.column))
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
    source: Source,
    how: Layout,
    request: Options,
    assessor: str | None,
) -> None:
    """Raise NdcgSqlError if nothing names the assessors, or two things do."""
    if "assessor" not in how.fields:
        if assessor is not None:
            return
        raise NdcgSqlError(
            f"{source.shown}: no column for the assessor",
            Text(
                "name it: ",
                use(columns={"assessor": "NAME"}),
                ", or name the columns with the grades of one assessor each: ",
                use(assessor_columns=["NAME"]),
                ", or the assessor of all rows: ",
                use(assessor="NAME"),
                "; if the file is named after the assessor: ",
                use(assessor_from="file"),
            ),
            needs=("columns", "assessor", "assessor_columns", "kind"),
        )
    if request.assessor_from == "file":
        what = f"{source.shown}: names its assessors"
        raise NdcgSqlError(what, "omit " + use(assessor_from="file"))
    if request.assessor is not None:
        name = how.column_names.get("assessor", "assessor")
        raise NdcgSqlError(
            f"{source.shown}: column {quoted(name)} names its assessors",
            Text(
                "omit ",
                use(assessor=request.assessor),
                ", or rename the column if it has another meaning",
            ),
        )


def _odd_times(database: Database, how: Layout) -> _Odd | None:
    """Return the column of staged times if its name is no sure one, and none is a time.

    A column of which only some values are times is damaged.
    """
    name = how.column_names.get("assessed_at")
    if name is None or not is_usual_at_last(name, "assessments"):
        return None
    [(text,)] = database.run("lookups/odd_time")
    return None if text is None else _Odd(name, text)
