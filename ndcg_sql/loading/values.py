"""Values that another engine computed, as runs whose rankings stay there.

The warehouse stores which judged documents the engine found, and where; it computes
all values from them, and refuses the folder unless they are the engine's.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import Entry, check_dataset, choose_entry
from ndcg_sql.evaluation.fitting import left_out
from ndcg_sql.evaluation.question import choose_measures
from ndcg_sql.evaluation.registry import registered
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.evaluation.values import Pair, evaluate
from ndcg_sql.loading.replacing import ANOTHER_NAME, Namesake, namesake, said_otherwise
from ndcg_sql.loading.storing import store_tags
from ndcg_sql.reading.evaluated import Evaluated, read_manifest, stage
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name, shown
from ndcg_sql.text import check_name, counted, harmless, listed, now, quoted


@dataclass(frozen=True)
class Options:
    """A user's options. judgments is the set that the engine used: None, the newest."""

    dataset: str = "default"
    judgments: str | None = None
    name: str | None = None
    tags: dict[str, str] = field(default_factory=dict[str, str])
    run_at: str | None = None
    replace: bool = False


def load(
    database: Database, folder: Path, options: Options, messages: Messages
) -> None:
    """Load a folder of ndcg-sql spark: a run for each that it evaluated.

    Raises NdcgSqlError, and stores nothing, if anything is wrong with the folder, if
    the judgments are not those that the engine used, or if a value differs from that
    of the views by more than 1e-9.
    """
    evaluated = read_manifest(folder)
    told: list[str] = []
    with database.transaction():
        judgments = _judgments(database, options)
        whole = stage(database, evaluated)
        _check_judgments(database, evaluated, judgments)
        _check_hits(database, evaluated, judgments)
        pairs: dict[str, Pair] = {}
        runs = _named(database, evaluated, options)
        for own, name in progress.each(list(runs.items()), "evaluating", "runs"):
            old = _namesake(database, evaluated, name, (whole, own), judgments, options)
            if old.told:
                told.append(old.told)
                continue
            old.remove(database)
            hash_ = _hash(database, (whole, own), judgments)
            run_id = _store(database, evaluated, judgments, options, (own, name), hash_)
            pairs[own] = (run_id, judgments.id)
            queries, documents = database.run("lookups/counts_runs", {"id": run_id})[0]
            told.append(
                f"{'replaced' if old.ids else 'loaded'} run {quoted(name)}:"
                f" {counted(queries, 'query', 'queries')},"
                f" {counted(documents, 'document')}, evaluated by"
                f" {evaluated.evaluator} with {quoted(judgments.name)}; its rankings"
                " stay there"
            )
        if pairs:
            told.append(_compared(database, evaluated, pairs))
        lacking = left_out(database, [judgments.id]) if pairs else []
    for line in told:
        messages.tell(line)
    for line in lacking:
        messages.warn(line)


def _judgments(database: Database, options: Options) -> Entry:
    """Return the judgment set that the engine used, as the user says."""
    if not database.is_new:
        check_dataset(database, options.dataset)
        named = options.judgments
        if named is not None:
            return choose_entry(database, "judgment set", named, options.dataset)
        asked = {"dataset": options.dataset}
        for set_id, name in database.run("lookups/newest_judgment_set", asked):
            return Entry(set_id, options.dataset, name)
    raise NdcgSqlError(
        f"no judgments in dataset {quoted(options.dataset)}; load those that the values"
        " rest on first: ndcg-sql load judgments FILE"
    )


def _check_judgments(
    database: Database, evaluated: Evaluated, judgments: Entry
) -> None:
    """Raise NdcgSqlError if a judgment set has another size than the engine's."""
    asked = {"id": judgments.id}
    [(_, count)] = database.run("lookups/counts_judgment_sets", asked)
    if count != evaluated.judgments:
        raise NdcgSqlError(
            f"{shown(evaluated.folder)}: rests on"
            f" {counted(evaluated.judgments, 'judgment')}, but judgment set"
            f" {quoted(judgments.name)} has {count}; name the set that"
            f" {evaluated.engine} used: --judgments J"
        )


def _check_hits(database: Database, evaluated: Evaluated, judgments: Entry) -> None:
    """Raise NdcgSqlError if staged rows cannot be, or judgments are others."""
    asked: Parameters = {"judgment_set_id": judgments.id}
    faults = database.run("lookups/unfit_hits", asked)
    if faults:
        run, query_id, doc_id, reason = faults[0]
        where = ", ".join(harmless(str(part)) for part in (run, query_id, doc_id))
        raise NdcgSqlError(
            f"{shown(evaluated.folder)}: {counted(len(faults), 'row')} cannot be used"
            f" with judgment set {quoted(judgments.name)}; the first is ({where}):"
            f" {harmless(reason)}"
        )


def _named(
    database: Database, evaluated: Evaluated, options: Options
) -> Mapping[str, str]:
    """Return the names that the engine's runs get."""
    rows = database.execute("select distinct run from staged_run_queries order by run")
    runs: list[str] = [run for (run,) in rows]
    if not runs:
        raise NdcgSqlError(f"{shown(evaluated.folder)}: no rankings were evaluated")
    names = {run: run for run in runs}
    if evaluated.run_column is None:
        names = {runs[0]: default_name(evaluated.folder)}
    if options.name is not None:
        if len(runs) > 1:
            raise NdcgSqlError(
                f"--name: names one run, but {shown(evaluated.folder)} has"
                f" {len(runs)}: {listed(runs)}"
            )
        names = {runs[0]: options.name}
    told = [("run", name) for name in names.values()]
    told += [("tag", part) for tag in options.tags.items() for part in tag]
    for what, name in told:
        fault = check_name(what, name)
        if fault:
            raise NdcgSqlError(fault)
    return names


def _hash(database: Database, content: tuple[str, str], judgments: Entry) -> str:
    """Return the hash of a run's content, and of the judgments that it rests on."""
    sql = "select content_hash from judgment_sets where judgment_set_id = $id"
    [(own,)] = database.execute(sql, {"id": judgments.id})
    return hashlib.sha256(json.dumps([*content, own]).encode()).hexdigest()


def _namesake(
    database: Database,
    evaluated: Evaluated,
    name: str,
    content: tuple[str, str],
    judgments: Entry,
    options: Options,
) -> Namesake:
    """Return the run that already has a name."""

    def otherwise(run_id: int) -> str:
        given = (options.tags, options.run_at, options.replace)
        return said_otherwise(database, run_id, *given)

    remedy = ANOTHER_NAME
    if evaluated.run_column is not None:
        remedy = "load it into another dataset: --dataset D"
    return namesake(
        database,
        "run",
        name,
        options.dataset,
        _hash(database, content, judgments),
        options.replace,
        shown(evaluated.folder),
        otherwise,
        remedy,
    )


def _store(
    database: Database,
    evaluated: Evaluated,
    judgments: Entry,
    options: Options,
    named: tuple[str, str],
    content_hash: str,
) -> int:
    """Store a run with what the engine found of it, and its values; return its id."""
    own, name = named
    run_id = database.execute("select nextval('run_ids')")[0][0]
    parameters: Parameters = {
        "run_id": run_id,
        "judgment_set_id": judgments.id,
        "run": own,
        "name": name,
        "dataset": options.dataset,
        "position_rule": evaluated.position_rule,
        "source": f"{evaluated.folder.name}, values of {evaluated.evaluator}",
        "content_hash": content_hash,
        "run_at": options.run_at,
        "loaded_at": now(),
        "engine": evaluated.engine,
        "dialect": evaluated.dialect,
        "ndcg_sql_version": evaluated.version,
    }
    for file in (
        *("external_evaluations", "external_run_queries", "external_hits"),
        *("run_queries", "positions", "runs"),
    ):
        database.run(f"store/{file}", parameters)
    store_tags(database, run_id, options.tags)
    evaluate(database, (run_id, judgments.id))
    return run_id


def _compared(
    database: Database, evaluated: Evaluated, pairs: Mapping[str, Pair]
) -> str:
    """Compare the engine's values with those of the views; return a message.

    Raises NdcgSqlError if one differs.
    """
    measures = choose_measures(database, evaluated.measures)
    names = [measure.name for measure in measures]
    asked: Parameters = {
        "runs": list(pairs),
        "run_ids": [run_id for run_id, _ in pairs.values()],
        "measures": names,
    }
    with known_values(database, measures, list(pairs.values())):
        unequal = database.run("lookups/unequal_values", asked)
        [(count,)] = database.run("lookups/compared_values", asked)
    if unequal:
        run, measure, query_id, theirs, ours = unequal[0]
        raise NdcgSqlError(
            f"{shown(evaluated.folder)}: {counted(len(unequal), 'value')} of {count}"
            f" differ: {measure} of run {quoted(run)}, query {quoted(query_id)}, is"
            f" {theirs} there, but {ours} here; evaluate again with this version, or"
            " name the judgments that were used: --judgments J"
        )
    told = f"compared {counted(count, 'value')} with the views: equal to 1e-9"
    others = [name for name in names if name not in registered(database)]
    if others:
        told += f"; not registered: {listed(others)}; to keep their values: ndcg-sql"
        told += f" measures add {' '.join(others)}"
    return told
