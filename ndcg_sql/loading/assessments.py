"""Assessments: the grades of several assessors, stored unchanged."""

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.replacing import namesake
from ndcg_sql.reading import sources
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name
from ndcg_sql.text import check_name, counted, listed, now, quoted
from ndcg_sql.wording import Text, named, use


@dataclass(frozen=True)
class Assessors:
    """The assessors of a file that does not name them.

    name is the assessor of all rows; columns are those with the grades of one
    assessor each, who has the column's name.
    """

    name: str | None = None
    columns: tuple[str, ...] = ()
    labels: dict[str, float] = field(default_factory=dict[str, float])


def check_assessors(who: Assessors, columns: Collection[str]) -> None:
    """Raise NdcgSqlError if assessors are named twice; columns are named, too."""
    for twice in who.columns:
        if who.columns.count(twice) > 1:
            raise NdcgSqlError("given twice", where=use(assessor_columns=[twice]))
    if who.columns and (who.name is not None or {"assessor", "grade"} & set(columns)):
        raise NdcgSqlError(
            "already names the assessor and the grade",
            "omit "
            + (named("assessor") + ", " + named("columns") + " assessor and ")
            + (named("columns") + " grade"),
            where=named("assessor_columns"),
        )
    if who.name is not None and "assessor" in columns:
        raise NdcgSqlError(
            named("columns") + " assessor already names them",
            "omit one of the two",
            where=named("assessor"),
        )


def load(
    database: Database,
    path: Path,
    dataset: str,
    name: str | None,
    reading: Reading,
    who: Assessors,
    replacing: bool,
    messages: Messages,
    streams: sources.Streams | None = None,
) -> None:
    """Load a file of assessments; this does not make a judgment set.

    If anything is wrong with the file, raises NdcgSqlError and stores nothing.
    """
    name = name or default_name(path)
    given = [("dataset", dataset), ("assessments", name)]
    if who.name is not None:
        given.append(("assessor", who.name))
    check_names(given)
    with (
        database.transaction(),
        sources.opened(path, messages, database.folder, streams) as source,
    ):
        said = [reading.columns, reading.format_in, who.name, who.columns, who.labels]
        said += [reading.query, source.content_hash]
        content_hash = hashlib.sha256(json.dumps(said).encode()).hexdigest()
        entry = ("assessments", name, dataset, content_hash, replacing, source.shown)
        old = namesake(database, *entry)
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
        for column in who.columns or (None,):
            _stage(database, source, reading, who, column)
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
    reading: Reading,
    who: Assessors,
    column: str | None,
) -> None:
    """Stage the grades of all assessors, or of the assessor of a column."""
    if column is not None:
        reading = replace(reading, columns={**reading.columns, "grade": column})
    how, source = layout(source, "assessments", reading)
    assessor = column if column is not None else who.name
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
    stage(database, "assessments", source, how, who.labels, assessor)
    if column is not None:
        database.run("store/blank_assessments")
    check_staged(database, "assessments", source, how)
