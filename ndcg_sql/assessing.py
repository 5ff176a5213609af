"""Assessments: what several assessors said, kept as they said it, and sets of it."""

import hashlib
import json
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from ndcg_sql import files, sqlfiles
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.formats import Reading
from ndcg_sql.layouts import layout
from ndcg_sql.loading import store_judgments
from ndcg_sql.paths import default_name, source_name
from ndcg_sql.replacing import namesake
from ndcg_sql.reports import Entry, assessment_sets, check_dataset, choose_entry
from ndcg_sql.staging import check_staged, stage
from ndcg_sql.text import check_name, counted, listed, nearest, now, quoted
from ndcg_sql.warehouse import Parameters, Warehouse

Tell = Callable[[str], None]
POLICIES = ("mean", "median", "majority", "max", "latest", "trust")


@dataclass(frozen=True)
class Assessors:
    """Who judged, as far as the file does not say.

    name is the assessor of all rows; columns are those that hold the grades of
    one assessor each, who is called as the column is.
    """

    name: str | None = None
    columns: tuple[str, ...] = ()
    labels: dict[str, float] = field(default_factory=dict[str, float])


def load(
    warehouse: Warehouse,
    path: Path,
    dataset: str,
    name: str | None,
    reading: Reading,
    who: Assessors,
    replacing: bool,
    tell: Tell,
    streams: files.Streams | None = None,
) -> None:
    """Load a file of assessments, as they are; they make no judgment set yet.

    Raises NdcgSqlError, and stores nothing, if anything is wrong with the file.
    """
    name = name or default_name(path)
    given = [("dataset", dataset), ("assessments", name)]
    if who.name is not None:
        given.append(("assessor", who.name))
    _check_names(given)
    with (
        warehouse.transaction(),
        files.opened(path, tell, warehouse.folder, streams) as source,
    ):
        said = [reading.columns, reading.format_in, who.name, who.columns, who.labels]
        said += [reading.query, source.content_hash]
        content_hash = hashlib.sha256(json.dumps(said).encode()).hexdigest()
        named = ("assessments", name, dataset, content_hash, replacing, source.shown)
        old = namesake(warehouse, *named)
        if old.told:
            tell(old.told)
            return
        old.remove(warehouse)
        set_id = warehouse.execute("select nextval('assessment_set_ids')")[0][0]
        parameters: Parameters = {
            "assessment_set_id": set_id,
            "dataset": dataset,
            "name": name,
            "source": source_name(path),
            "content_hash": content_hash,
            "loaded_at": now(),
        }
        for column in who.columns or (None,):
            _stage(warehouse, source, reading, who, column)
            warehouse.run("store/assessments", parameters)
        warehouse.run("store/assessment_sets", parameters)
        counts = warehouse.run("reports/counts_assessment_sets", {"id": set_id})[0]
        ids = {"assessment_set_ids": [set_id]}
        assessors = [a for (a,) in warehouse.run("reports/assessors", ids)]
        _check_names([("assessor", assessor) for assessor in assessors])
    tell(
        f"{'replaced' if old.ids else 'loaded'} assessments {quoted(name)}:"
        f" {counted(counts[0], 'query', 'queries')},"
        f" {counted(counts[1], 'assessment')} of"
        f" {counted(len(assessors), 'assessor')}: {listed(assessors, 5)}"
    )


def _check_names(named: list[tuple[str, str]]) -> None:
    """Raise NdcgSqlError where a name is none."""
    for what, name in named:
        fault = check_name(what, name)
        if fault:
            raise NdcgSqlError(fault)


def _stage(
    warehouse: Warehouse,
    source: files.Source,
    reading: Reading,
    who: Assessors,
    column: str | None,
) -> None:
    """Stage the grades of the assessors, or of the one who has a column."""
    if column is not None:
        reading = replace(reading, columns={**reading.columns, "grade": column})
    how, source = layout(source, "assessments", reading)
    assessor = column if column is not None else who.name
    if assessor is None and "assessor" not in how.fields:
        raise NdcgSqlError(
            f"{source.shown}: it does not say who judged; say which column does:"
            " --column assessor=NAME, or which ones hold the grades of one assessor"
            " each: --assessor-column NAME, or who judged all of it: --assessor NAME"
        )
    stage(warehouse, "assessments", source, how, who.labels, assessor)
    if column is not None:
        warehouse.run("store/blank_assessments")
    check_staged(warehouse, "assessments", source, how)


@contextmanager
def chosen_assessments(
    warehouse: Warehouse,
    names: Sequence[str],
    assessors: Sequence[str],
    dataset: str | None,
) -> Generator[tuple[str, list[Entry], list[str]]]:
    """See to it that inside, views know the assessments that a user names alone.

    Gives the dataset, the sets and the assessors; all of them if none is named.
    Raises NdcgSqlError where one is not known.
    """
    check_dataset(warehouse, dataset)
    known = [s for s in assessment_sets(warehouse) if dataset in (None, s.dataset)]
    sets = [choose_entry(warehouse, "assessments", n, dataset) for n in names] or known
    if not sets:
        where = f"in dataset {quoted(dataset)}" if dataset else "in the warehouse"
        raise NdcgSqlError(
            f"no assessments {where}; ndcg-sql load assessments FILE brings them in"
        )
    datasets = list(dict.fromkeys(entry.dataset for entry in sets))
    if len(datasets) > 1:
        raise NdcgSqlError(
            f"there are assessments in several datasets; say which: --dataset, one of"
            f" {listed(datasets)}"
        )
    ids: Parameters = {"assessment_set_ids": [entry.id for entry in sets]}
    there = [name for (name,) in warehouse.run("reports/assessors", ids)]
    for name in assessors:
        if name not in there:
            hint = nearest(name, there) or "leave it out to have all"
            raise NdcgSqlError(f"no assessor {quoted(name)}; {hint}")
        if assessors.count(name) > 1:
            raise NdcgSqlError(f"assessor {quoted(name)} is named twice")
    ids["assessors"] = list(assessors) or there
    some = sqlfiles.read("reports/chosen_assessments")
    with warehouse.temporary("assessments", some, ids):
        yield datasets[0], sets, ids["assessors"]


def adjudicate(
    warehouse: Warehouse,
    name: str,
    policy: str,
    names: Sequence[str],
    assessors: Sequence[str],
    dataset: str | None,
    evaluate: bool,
    replacing: bool,
    tell: Tell,
) -> None:
    """Make a judgment set of assessments by a policy, and evaluate runs with it.

    Raises NdcgSqlError, and stores nothing, where that makes no sense.
    """
    if policy not in POLICIES:
        raise NdcgSqlError(f"--policy {policy}: not one of {', '.join(POLICIES)}")
    if policy == "trust" and not assessors:
        raise NdcgSqlError(
            "--policy trust: say whom, the most trusted first: --assessor NAME"
        )
    _check_names([("judgment set", name)])
    with warehouse.transaction():
        with chosen_assessments(warehouse, names, assessors, dataset) as chosen:
            where, sets, who = chosen
            warehouse.run(
                "store/adjudicated",
                {"policy": policy, "dataset": where, "assessors": who},
            )
        # The order matters to trust alone; which grade of an assessor is the last,
        # to every policy, and it is a matter of the order of loading.
        said = [policy, who if policy == "trust" else sorted(who)]
        said += warehouse.run("reports/staged_hash")[0]
        # What a set is made of is a part of it.
        of_sets = "select assessment_set_id, content_hash from assessment_sets"
        hashes = dict(warehouse.execute(of_sets))  # type: ignore[arg-type]
        said += sorted(hashes[entry.id] for entry in sets)
        content_hash = hashlib.sha256(json.dumps(said).encode()).hexdigest()
        named = ("judgment set", name, where, content_hash, replacing)
        old = namesake(warehouse, *named)
        if old.told:
            tell(old.told)
            return
        old.remove(warehouse)
        shown = ", ".join(entry.name for entry in sets)
        parameters: Parameters = {
            "dataset": where,
            "name": name,
            "source": f"assessments {shown}",
            "content_hash": content_hash,
            "loaded_at": now(),
            "policy": f"trust: {', '.join(who)}" if policy == "trust" else policy,
            "parent_kind": "assessments",
            "parent_ids": [entry.id for entry in sets],
        }
        told = store_judgments(warehouse, parameters, evaluate)
    done = "replaced" if old.ids else "made"
    tell(
        f"{done} judgment set {quoted(name)} by {policy} of"
        f" {counted(len(who), 'assessor')}: {told}"
    )
