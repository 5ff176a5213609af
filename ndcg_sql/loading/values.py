"""Values that another engine computed, as runs whose rankings stay there.

The warehouse stores which judged documents the engine found, and where; it computes
all values from them, and refuses the folder unless they are the engine's.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import (
    Entry,
    check_dataset,
    choose_entry,
    entries,
    having_rankings,
)
from ndcg_sql.evaluation.fitting import left_out
from ndcg_sql.evaluation.question import choose_measures
from ndcg_sql.evaluation.registry import registered
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.evaluation.values import evaluate
from ndcg_sql.loading.loaded import LoadedItem, counts_of
from ndcg_sql.loading.options import check_names, time_of
from ndcg_sql.loading.replacing import (
    ANOTHER_NAME,
    Labels,
    Namesake,
    Otherwise,
    namesake,
    said_otherwise,
)
from ndcg_sql.loading.storing import store_tags
from ndcg_sql.measures.names import Measure
from ndcg_sql.reading.evaluated import WRITE_AGAIN, Evaluated, read_manifest, staged
from ndcg_sql.requests.loading import LoadValuesRequest
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name, shown
from ndcg_sql.text import counted, listed, now, quoted
from ndcg_sql.wording import Blank, Wording, call, named, use

# What is filled for a run, each after those that it reads.
_FILLED = (
    "external_evaluations",
    "external_run_queries",
    "external_hits",
    "run_queries",
    "positions",
    "runs",
)


class _Run(NamedTuple):
    """A run: its names there and here, the hash of its content, what it replaces."""

    name_there: str
    name: str
    content_hash: str
    old: Namesake


@dataclass(frozen=True)
class _Load:
    """The loading of a folder."""

    database: Database
    evaluated: Evaluated
    measures: Sequence[Measure]
    judgments: Entry
    options: LoadValuesRequest

    @property
    def run_at(self) -> str | None:
        """When the system produced the runs, as SQL reads it."""
        return time_of(self.options.run_at)

    @property
    def shown(self) -> str:
        """The folder, for a message."""
        return shown(self.evaluated.folder)


def load(
    database: Database, messages: Messages, request: LoadValuesRequest
) -> list[LoadedItem]:
    """Load a folder that ndcg_sql.spark wrote: a run for each that it evaluated.

    Raises NdcgSqlError, and stores nothing, if anything is wrong with the folder, if
    the judgments are not those that the engine used, or if a value differs from that
    of the views by more than 1e-9.
    """
    evaluated = read_manifest(request.folder)
    measures = choose_measures(database, evaluated.measures)
    judgments = _judgments(database, request)
    work = _Load(database, evaluated, measures, judgments, request)
    lacking: Sequence[Wording] = ()
    with staged(database, evaluated):
        _check_judgments(work)
        _check_hits(work)
        runs = _runs(work)
        lines: list[Wording] = [run.old.message for run in runs if run.old.message]
        items = [run.old.unchanged for run in runs if run.old.unchanged]
        new = [run for run in runs if not run.old.message]
        if new:
            here = {one.id for one in having_rankings(entries(database, "run"))}
            # A transaction begins late: DuckDB reads its own rows on one thread.
            with database.transaction():
                ids: dict[str, int] = {}
                for run in progress.each(new, "evaluating", "runs"):
                    was_here = not here.isdisjoint(run.old.ids)
                    old = run.old.remove(database)
                    labels = old.labels(request.tags, work.run_at)
                    ids[run.name_there] = _store(work, run, labels)
                    item = _item(work, run, ids[run.name_there])
                    items.append(item)
                    lines.append(_stored_line(work, item, was_here) + labels.said)
                    lines += [labels.note] if labels.note else []
                earlier = [run.name_there for run in runs if run not in new]
                lines += _compared(work, ids, earlier)
                lacking = left_out(database, [work.judgments.id])
    for line in lines:
        messages.tell(line)
    for line in lacking:
        messages.warn(line)
    return items


def _judgments(database: Database, options: LoadValuesRequest) -> Entry:
    check_dataset(database, options.dataset)
    if options.judgments is not None:
        name, dataset = options.judgments, options.dataset
        return choose_entry(database, "judgment set", name, dataset)
    parameters = {"dataset": options.dataset}
    for set_id, name in database.run("lookups/newest_judgment_set", parameters):
        return Entry(set_id, options.dataset, name)
    raise NdcgSqlError(
        f"no judgments in dataset {quoted(options.dataset)}",
        "load those that the values rest on first: "
        + call("load_judgments", Blank("FILE"), dataset=options.dataset),
    )


def _check_judgments(work: _Load) -> None:
    parameters = {"judgment_set_id": work.judgments.id}
    for unlike in work.database.run("lookups/unlike_judgments", parameters):
        query_id, doc_id, theirs, ours, count = unlike
        raise NdcgSqlError(
            f"{work.shown}: not evaluated with judgment set"
            f" {quoted(work.judgments.name)}, which differs in"
            f" {counted(count, 'judgment')}; query {quoted(query_id)}, document"
            f" {quoted(doc_id)}: {_grade(theirs)} in the folder, {_grade(ours)} in the"
            " set",
            "name the set that was used: " + use(judgments="J"),
        )


def _grade(grade: str | None) -> str:
    return "not judged" if grade is None else f"grade {grade}"


def _check_hits(work: _Load) -> None:
    parameters = {"judgment_set_id": work.judgments.id}
    for unfit in work.database.run("lookups/unfit_hits", parameters):
        run, query_id, doc_id, fault, count = unfit
        where = f"run {quoted(run)}, query {quoted(query_id)}"
        where += "" if doc_id is None else f", document {quoted(doc_id)}"
        raise NdcgSqlError(
            f"{work.shown}: {counted(count, 'row')} cannot be used; the first is"
            f" {where}: {fault}",
            WRITE_AGAIN,
        )


def _runs(work: _Load) -> list[_Run]:
    """Return the runs of a folder; raise NdcgSqlError for a name that is taken."""
    database, options = work.database, work.options
    rows = database.run("lookups/external_content")
    contents: dict[str, list[object]] = {there: content for there, *content in rows}
    names_there = list(contents)
    if not names_there:
        raise NdcgSqlError(f"{work.shown}: no rankings were evaluated")
    is_named = work.evaluated.run_column is not None
    if len(names_there) > 1 and (options.name is not None or not is_named):
        namer = named("name") + ": names" if is_named else "the manifest names"
        raise NdcgSqlError(
            namer + f" one run, but {work.shown} has {len(names_there)}:"
            f" {listed(names_there, 5)}"
        )
    names = {there: there for there in names_there}
    if options.name is not None or not is_named:
        names = {names_there[0]: options.name or default_name(work.evaluated.place)}
    named_so = [("run", name) for name in names.values()]
    named_so += [("tag", part) for tag in options.tags.items() for part in tag]
    check_names(named_so)
    sql = "select content_hash from judgment_sets where judgment_set_id = $id"
    [(judgments_hash,)] = database.execute(sql, {"id": work.judgments.id})
    runs: list[_Run] = []
    for there, name in names.items():
        text = json.dumps([contents[there], judgments_hash])
        hash_ = hashlib.sha256(text.encode()).hexdigest()
        runs.append(_Run(there, name, hash_, _namesake(work, name, hash_)))
    return runs


def _namesake(work: _Load, name: str, content_hash: str) -> Namesake:
    options = work.options

    def otherwise(run_id: int) -> Otherwise:
        return said_otherwise(work.database, run_id, options.tags, work.run_at)

    is_divided = work.evaluated.run_column is not None
    another_dataset = "load it into another dataset: " + use(dataset="D")
    return namesake(
        work.database,
        "run",
        name,
        options.dataset,
        content_hash,
        options.replace,
        work.shown,
        otherwise,
        another_dataset if is_divided else ANOTHER_NAME,
    )


def _store(work: _Load, run: _Run, labels: Labels) -> int:
    database, evaluated = work.database, work.evaluated
    run_id = database.execute("select nextval('run_ids')")[0][0]
    parameters: Parameters = {
        "run_id": run_id,
        "judgment_set_id": work.judgments.id,
        "run": run.name_there,
        "name": run.name,
        "dataset": work.options.dataset,
        "position_rule": evaluated.position_rule,
        "source": f"{evaluated.place.name}, values of {evaluated.evaluator}",
        "content_hash": run.content_hash,
        "run_at": labels.run_at,
        "loaded_at": now(),
        "engine": evaluated.engine,
        "dialect": evaluated.dialect,
        "ndcg_sql_version": evaluated.version,
    }
    for table in _FILLED:
        database.run(f"store/{table}", parameters)
    store_tags(database, run_id, labels.tags)
    evaluate(database, (run_id, work.judgments.id))
    return run_id


def _item(work: _Load, run: _Run, run_id: int) -> LoadedItem:
    queries, documents = counts_of(work.database, "run", run_id)
    done = "replaced" if run.old.ids else "loaded"
    return LoadedItem("run", run.name, done, documents, queries)


def _stored_line(work: _Load, item: LoadedItem, was_here: bool) -> str:
    """Return the message on a run that was stored; was_here: in place of rankings."""
    queries = counted(item.queries or 0, "query", "queries")
    return (
        f"{item.outcome} run {quoted(item.name or '')}:"
        f" {queries}, {counted(item.rows, 'document')};"
        f" evaluated by {work.evaluated.evaluator} with {quoted(work.judgments.name)};"
        f" its rankings are {'no longer' if was_here else 'not'} in the warehouse"
    )


def _compared(
    work: _Load, ids: Mapping[str, int], earlier: Sequence[str]
) -> list[Wording]:
    """Compare the engine's values with those of the views; return messages.

    ids are those of the new runs; earlier are runs that were loaded before. Raises
    NdcgSqlError if a value differs.
    """
    database = work.database
    names = [measure.name for measure in work.measures]
    parameters: Parameters = {
        "runs": list(ids),
        "run_ids": list(ids.values()),
        "known_runs": list(earlier),
        "measures": names,
    }
    pairs = [(run_id, work.judgments.id) for run_id in ids.values()]
    with known_values(database, work.measures, pairs):
        unequal = database.run("lookups/unequal_values", parameters)
        [(count,)] = database.execute(
            "select count(*) from stored_values where list_contains($run_ids, run_id)"
            " and list_contains($measures, measure)",
            parameters,
        )
    for run, measure, query_id, theirs, ours, different in unequal:
        raise NdcgSqlError(
            f"{work.shown}: {counted(different, 'value')} differ; the first is"
            f" {measure} of run {quoted(run)}, query {quoted(query_id)}: {theirs}"
            f" in the folder, {ours} here; evaluate again with this version of ndcg-sql"
        )
    lines: list[Wording] = [
        f"all {counted(count, 'value')} agree with the warehouse's to 1e-9"
    ]
    others = [name for name in names if name not in registered(database)]
    if others:
        lines.append(
            f"not registered, so not kept: the values of {listed(others)}; to keep"
            " them: " + call("add_measures", *others)
        )
    return lines
