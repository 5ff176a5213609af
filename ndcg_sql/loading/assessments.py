"""Assessments: the grades of several assessors, stored unchanged."""

import hashlib
import json
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
from ndcg_sql.system.paths import default_name
from ndcg_sql.text import check_name, counted, listed, now, quoted
from ndcg_sql.wording import Text, use


def load(
    database: Database,
    path: Path,
    request: LoadAssessmentsRequest,
    messages: Messages,
    streams: sources.Streams | None = None,
) -> None:
    """Load a file of assessments; this does not make a judgment set.

    If anything is wrong with the file, raises NdcgSqlError and stores nothing.
    """
    reading, dataset = reading_of(request), request.dataset
    name = request.name or default_name(path)
    labels = plain_grades(request.labels)
    given = [("dataset", dataset), ("assessments", name)]
    if request.assessor is not None:
        given.append(("assessor", request.assessor))
    check_names(given)
    with (
        database.transaction(),
        sources.opened(path, messages, database.folder, streams) as source,
    ):
        said = [reading.columns, reading.format_in, request.assessor]
        said += [request.assessor_columns, labels, reading.query, source.content_hash]
        content_hash = hashlib.sha256(json.dumps(said).encode()).hexdigest()
        old = namesake(
            database,
            "assessments",
            name,
            dataset,
            content_hash,
            request.replace,
            source.shown,
        )
        if old.told:
            messages.tell(old.told)
            return
        old.remove(database)
        set_id = database.execute("select nextval('assessment_set_ids')")[0][0]
        parameters: Parameters = {
            "assessment_set_id": set_id,
            "dataset": dataset,
            "name": name,
            "source": sources.origin(path, streams),
            "content_hash": content_hash,
            "loaded_at": now(),
        }
        for column in request.assessor_columns or (None,):
            _stage(database, source, request, column)
            database.run("store/assessments", parameters)
        database.run("store/assessment_sets", parameters)
        counts = database.run("lookups/counts_assessment_sets", {"id": set_id})[0]
        ids = {"assessment_set_ids": [set_id]}
        assessors = [a for (a,) in database.run("lookups/assessors", ids)]
        check_names([("assessor", assessor) for assessor in assessors])
    messages.tell(
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
) -> None:
    """Stage the grades of all assessors, or of the assessor of a column."""
    reading = reading_of(request)
    if column is not None:
        reading = replace(reading, columns={**reading.columns, "grade": column})
    how, source = layout(source, "assessments", reading)
    assessor = column if column is not None else request.assessor
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
            ),
        )
    labels = plain_grades(request.labels)
    stage(database, "assessments", source, how, labels, assessor)
    if column is not None:
        database.run("store/blank_assessments")
    check_staged(database, "assessments", source, how)
