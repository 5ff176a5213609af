"""Assessments: the grades of several assessors, stored unchanged."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.options import plain_grades, reading_of
from ndcg_sql.loading.replacing import namesake
from ndcg_sql.reading import sources
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.requests.loading import LoadAssessmentsRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name, shown
from ndcg_sql.text import check_name, counted, listed, now, quoted
from ndcg_sql.wording import Text, named, use


def _about(request: LoadAssessmentsRequest) -> dict[str, object]:
    """Return what is known of the assessors."""
    names = ("assessor_kind", "model", "prompt", "cost", "seconds")
    return {name: getattr(request, name) for name in names}


def load(
    database: Database,
    paths: Sequence[Path],
    request: LoadAssessmentsRequest,
    messages: Messages,
    streams: sources.Streams | None = None,
) -> None:
    """Load files of assessments, all or none; this does not make a judgment set.

    If anything is wrong with a file, raises NdcgSqlError and stores nothing.
    """
    given = [("dataset", request.dataset), ("assessments", request.name)]
    given += [("assessor", request.assessor), ("kind", request.assessor_kind)]
    given += [("model", request.model)]
    check_names([(what, name) for what, name in given if name is not None])
    reading_of(request)
    if request.name is not None and len(paths) > 1:
        raise NdcgSqlError(
            "names one file, but several are given", "omit it", where=named("name")
        )
    taken: dict[str, Path] = {}
    told: list[str] = []
    with database.transaction():
        for path in dict.fromkeys(paths):
            own = default_name(path)
            name = request.name or own
            if name in taken:
                raise NdcgSqlError(
                    f"{shown(taken[name])} and {shown(path)}: both would be assessments"
                    f" {quoted(name)}",
                    "load them one by one with " + use(name="NAME"),
                )
            taken[name] = path
            check_names([("assessments", name)])
            with sources.opened(path, messages, database.folder, streams) as source:
                assessor = request.assessor
                if request.assessor_from == "file":
                    check_names([("assessor", own)])
                    assessor = own
                named_so = (name, path, assessor)
                told.append(_load(database, source, named_so, request, streams))
    for line in told:
        messages.tell(line)


def _load(
    database: Database,
    source: sources.Source,
    named_so: tuple[str, Path, str | None],
    request: LoadAssessmentsRequest,
    streams: sources.Streams | None,
) -> str:
    """Load one file inside a transaction; return the message about it."""
    name, path, assessor = named_so
    reading, labels = reading_of(request), plain_grades(request.labels)
    said: list[object] = [reading.columns, reading.format_in, assessor]
    said += [request.assessor_columns, labels, reading.query, source.content_hash]
    # What is known of the assessors is stored, too.
    about = _about(request)
    if any(value is not None for value in about.values()):
        said.append(about)
    if request.decimal is not None:
        said.append(request.decimal)
    content_hash = hashlib.sha256(json.dumps(said).encode()).hexdigest()
    old = namesake(
        database,
        "assessments",
        name,
        request.dataset,
        content_hash,
        request.replace,
        source.shown,
    )
    if old.told:
        return old.told
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
    for column in request.assessor_columns or (None,):
        _stage(database, source, request, column, assessor)
        database.run("store/assessments", parameters)
    database.run("store/assessment_sets", parameters)
    counts = database.run("lookups/counts_assessment_sets", {"id": set_id})[0]
    ids = {"assessment_set_ids": [set_id]}
    assessors = [a for (a,) in database.run("lookups/assessors", ids)]
    check_names([("assessor", one) for one in assessors])
    return (
        f"{'replaced' if old.ids else 'loaded'} assessments {quoted(name)}:"
        f" {counted(counts[0], 'query', 'queries')},"
        f" {counted(counts[1], 'assessment')} of"
        f" {counted(len(assessors), 'assessor')}: {listed(assessors, 5)}"
    )


def check_names(names: list[tuple[str, str]]) -> None:
    """Raise NdcgSqlError for an invalid name."""
    for what, name in names:
        fault = check_name(what, name)
        if fault:
            raise NdcgSqlError(fault)


def _stage(
    database: Database,
    source: sources.Source,
    request: LoadAssessmentsRequest,
    column: str | None,
    assessor: str | None,
) -> None:
    """Stage the grades of all assessors, or of the assessor of a column."""
    reading = reading_of(request)
    if column is not None:
        reading = replace(reading, columns={**reading.columns, "grade": column})
        assessor = column
    how, source = layout(source, "assessments", reading)
    if request.assessor_from == "file" and "assessor" in how.fields:
        raise NdcgSqlError(
            f"{source.shown}: names its assessors",
            "omit " + use(assessor_from="file"),
        )
    if assessor is None and "assessor" not in how.fields:
        raise NdcgSqlError(
            f"{source.shown}: no column for the assessor",
            Text(
                "name it: ",
                use(columns={"assessor": "NAME"}),
                ", or name the columns with the grades of one assessor each: ",
                use(assessor_columns=["NAME"]),
                ", or the assessor of all rows: ",
                use(assessor="NAME"),
                "; if the file is called as the assessor: ",
                use(assessor_from="file"),
            ),
        )
    labels = plain_grades(request.labels)
    stage(database, "assessments", source, how, labels, assessor)
    if column is not None:
        database.run("store/blank_assessments")
    check_staged(database, "assessments", source, how)
