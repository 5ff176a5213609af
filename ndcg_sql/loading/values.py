"""Values that another engine computed, as runs whose rankings stay there.

The warehouse stores which judged documents the engine found, and where; it computes
all values from them, and refuses the folder unless they are the engine's.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
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


def load(
    database: Database, messages: Messages, request: LoadValuesRequest
) -> list[LoadedItem]:
    """Load a folder that ndcg_sql.spark wrote: a run for each that it evaluated.

    Raises NdcgSqlError, and stores nothing, if anything is wrong with the folder, if
    the judgments are not those that the engine used, or if a value differs from that
    of the views by more than 1e-9.
    """
    evaluated = read_manifest(request.folder)
    where = shown(evaluated.folder)
    measures = choose_measures(database, evaluated.measures)
    judgments = _judgments(database, request)
    run_at = time_of(request.run_at)
    lacking: Sequence[Wording] = ()
    with staged(database, evaluated):
        _check_rows(database, where, judgments)
        runs = _runs(database, evaluated, judgments, request, run_at)
        lines: list[Wording] = [run.old.message for run in runs if run.old.message]
        items = [run.old.unchanged for run in runs if run.old.unchanged]
        new = [run for run in runs if not run.old.message]
        if new:
            here = {one.id for one in having_rankings(entries(database, "run"))}
            # A transaction begins late: DuckDB reads its own rows on one thread.
            with database.transaction():
                ids: dict[str, int] = {}
                for run in progress.each(new, "evaluating", "runs"):
                    is_here_no_longer = not here.isdisjoint(run.old.ids)
                    labels = run.old.remove(database).labels(request.tags, run_at)
                    run_id = _store(
                        database, evaluated, judgments, request, run, labels
                    )
                    ids[run.name_there] = run_id
                    queries, documents = counts_of(database, "run", run_id)
                    done = "replaced" if run.old.ids else "loaded"
                    items.append(LoadedItem("run", run.name, done, documents, queries))
                    line = (
                        f"{done} run {quoted(run.name)}:"
                        f" {counted(queries, 'query', 'queries')},"
                        f" {counted(documents, 'document')}; evaluated by"
                        f" {evaluated.evaluator} with {quoted(judgments.name)};"
                        " its rankings are"
                        f" {'no longer' if is_here_no_longer else 'not'} in the"
                        " warehouse"
                    )
                    lines.append(line + labels.said)
                    lines += [labels.note] if labels.note else []
                earlier = [run.name_there for run in runs if run not in new]
                lines += _compared(database, where, measures, judgments, ids, earlier)
                lacking = left_out(database, [judgments.id])
    for line in lines:
        messages.tell(line)
    messages.warn_all(lacking)
    return items


def _judgments(database: Database, request: LoadValuesRequest) -> Entry:
    """Return the judgment set that the values were computed with."""
    name, dataset = request.judgments, request.dataset
    check_dataset(database, dataset)
    if name is not None:
        return choose_entry(database, "judgment set", name, dataset)
    for newest in database.run("lookups/newest_judgment_set", {"dataset": dataset}):
        return Entry(newest[0], dataset, newest[1])
    raise NdcgSqlError(
        f"no judgments in dataset {quoted(dataset)}",
        "load those that the values rest on first: "
        + call("load_judgments", Blank("FILE"), dataset=dataset),
    )


def _check_rows(database: Database, where: str, judgments: Entry) -> None:
    """Raise NdcgSqlError for other judgments than these, and for hits of others."""
    parameters = {"judgment_set_id": judgments.id}
    for unlike in database.run("lookups/unlike_judgments", parameters):
        query_id, doc_id, *grades, count = unlike
        theirs, ours = (
            "not judged" if grade is None else f"grade {grade}" for grade in grades
        )
        raise NdcgSqlError(
            f"{where}: not evaluated with judgment set {quoted(judgments.name)}, which"
            f" differs in {counted(count, 'judgment')}; query {quoted(query_id)},"
            f" document {quoted(doc_id)}: {theirs} in the folder, {ours} in the set",
            "name the set that was used: " + use(judgments="J"),
        )
    for run, query_id, doc_id, fault, count in database.run(
        "lookups/unfit_hits", parameters
    ):
        document = "" if doc_id is None else f", document {quoted(doc_id)}"
        raise NdcgSqlError(
            f"{where}: {counted(count, 'row')} cannot be used; the first is run"
            f" {quoted(run)}, query {quoted(query_id)}{document}: {fault}",
            WRITE_AGAIN,
        )


def _runs(
    database: Database,
    evaluated: Evaluated,
    judgments: Entry,
    request: LoadValuesRequest,
    run_at: str | None,
) -> list[_Run]:
    """Return the runs of a folder; raise NdcgSqlError for a name that is taken."""
    where = shown(evaluated.folder)
    rows = database.run("lookups/external_content")
    contents: dict[str, list[object]] = {there: content for there, *content in rows}
    names = {there: there for there in contents}
    if not names:
        raise NdcgSqlError(f"{where}: no rankings were evaluated")
    is_divided = evaluated.run_column is not None
    if request.name is not None or not is_divided:
        if len(names) > 1:
            namer = named("name") + ": names" if is_divided else "the manifest names"
            raise NdcgSqlError(
                namer + f" one run, but {where} has {len(names)}: {listed(names, 5)}"
            )
        names = dict.fromkeys(names, request.name or default_name(evaluated.place))
    named_so = [("run", name) for name in names.values()]
    named_so += [("tag", part) for tag in request.tags.items() for part in tag]
    check_names(named_so)
    another = ANOTHER_NAME
    if is_divided:
        another = "load it into another dataset: " + use(dataset="D")
    sql = "select content_hash from judgment_sets where judgment_set_id = $id"
    [(judgments_hash,)] = database.execute(sql, {"id": judgments.id})
    runs: list[_Run] = []
    for there, name in names.items():
        text = json.dumps([contents[there], judgments_hash])
        content_hash = hashlib.sha256(text.encode()).hexdigest()
        old = namesake(
            database,
            "run",
            name,
            request.dataset,
            content_hash,
            request.replace,
            where,
            lambda run_id: said_otherwise(database, run_id, request.tags, run_at),
            another,
        )
        runs.append(_Run(there, name, content_hash, old))
    return runs


def _store(
    database: Database,
    evaluated: Evaluated,
    judgments: Entry,
    request: LoadValuesRequest,
    run: _Run,
    labels: Labels,
) -> int:
    """Store a run, and evaluate it from its hits; return its id."""
    run_id = database.execute("select nextval('run_ids')")[0][0]
    parameters: Parameters = {
        "run_id": run_id,
        "judgment_set_id": judgments.id,
        "run": run.name_there,
        "name": run.name,
        "dataset": request.dataset,
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
    evaluate(database, (run_id, judgments.id))
    return run_id


def _compared(
    database: Database,
    where: str,
    measures: Sequence[Measure],
    judgments: Entry,
    ids: Mapping[str, int],
    earlier: Sequence[str],
) -> list[Wording]:
    """Compare the engine's values with those of the views; return messages.

    ids are those of the new runs; earlier are runs that were loaded before. Raises
    NdcgSqlError if a value differs.
    """
    names = [measure.name for measure in measures]
    parameters: Parameters = {
        "runs": list(ids),
        "run_ids": list(ids.values()),
        "known_runs": list(earlier),
        "measures": names,
    }
    pairs = [(run_id, judgments.id) for run_id in ids.values()]
    with known_values(database, measures, pairs):
        unequal = database.run("lookups/unequal_values", parameters)
        [(count,)] = database.execute(
            "select count(*) from stored_values where list_contains($run_ids, run_id)"
            " and list_contains($measures, measure)",
            parameters,
        )
    for run, measure, query_id, theirs, ours, different in unequal:
        raise NdcgSqlError(
            f"{where}: {counted(different, 'value')} differ; the first is"
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
