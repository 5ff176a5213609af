"""Loading: file, staged rows, checks, tables; all of a command or nothing."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from ndcg_sql import files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.formats import layout
from ndcg_sql.paths import default_name, source_name
from ndcg_sql.staging import check_staged, scratch_folder, stage
from ndcg_sql.text import check_name, counted, quoted
from ndcg_sql.valuing import evaluate
from ndcg_sql.warehouse import Parameters, Warehouse, now

Ranked = Literal["run", "judgments"]
_TABLES = {"run": "runs", "judgments": "judgment_sets"}
_WORDS = {"run": "run", "judgments": "judgment set"}


@dataclass(frozen=True)
class Options:
    """What a user says about a file to be loaded."""

    dataset: str = "default"
    name: str | None = None
    columns: dict[str, str] = field(default_factory=dict[str, str])
    labels: dict[str, float] = field(default_factory=dict[str, float])
    position_rule: str = "score"
    run_at: str | None = None
    tags: dict[str, str] = field(default_factory=dict[str, str])
    format_in: str | None = None
    evaluate: bool = True


def load(
    warehouse: Warehouse,
    kind: Ranked,
    paths: list[Path],
    options: Options,
    tell: Callable[[str], None],
    streams: files.Streams | None = None,
) -> None:
    """Load files as runs or judgment sets, in one transaction.

    Evaluates what is new: a run with the newest judgment set of its dataset,
    a judgment set with every run of its dataset. streams are those of the
    files that were opened before. Raises NdcgSqlError, and stores nothing, if
    anything is wrong with any of the files.
    """
    names = [("dataset", options.dataset), (_WORDS[kind], options.name)]
    names += [("tag", part) for tag in options.tags.items() for part in tag]
    for what, name in names:
        fault = check_name(what, name) if name is not None else None
        if fault:
            raise NdcgSqlError(fault)
    told: list[str] = []
    with warehouse.transaction():
        for path in paths:
            told.append(_load_one(warehouse, kind, path, options, tell, streams))
    for line in told:
        tell(line)


def _load_one(
    warehouse: Warehouse,
    kind: Ranked,
    path: Path,
    options: Options,
    tell: Callable[[str], None],
    streams: files.Streams | None,
) -> str:
    """Load one file inside a transaction; return what to tell the user."""
    name = options.name or default_name(path)
    with files.opened(path, tell, scratch_folder(warehouse), streams) as source:
        fault = check_name(_WORDS[kind], name)
        if fault:
            raise NdcgSqlError(f"{fault}; choose another: --name NAME")
        content_hash = _content_hash(source.content_hash, kind, options)
        same = warehouse.run(
            f"reports/same_name_{_TABLES[kind]}",
            {"dataset": options.dataset, "name": name},
        )
        what = f"{_WORDS[kind]} {quoted(name)} of dataset {quoted(options.dataset)}"
        if same and same[0][0] == content_hash:
            return f"{what} is already there with this content; nothing to do"
        if same:
            raise NdcgSqlError(
                f"{source.shown}: {what} is already there with other content;"
                " choose another: --name NAME"
            )
        how, source = layout(source, kind, options.columns, options.format_in)
        _check_scores(source.shown, kind, how.fields, options)
        stage(warehouse, kind, source, how, options.labels)
        check_staged(warehouse, kind, source, how, options.position_rule)
        parameters: Parameters = {
            "dataset": options.dataset,
            "name": name,
            "source": source_name(path),
            "content_hash": content_hash,
            "loaded_at": now(),
        }
        store = _store_run if kind == "run" else _store_judgments
        return store(warehouse, parameters, options)


def _content_hash(content: str, kind: Ranked, options: Options) -> str:
    """Return the hash of content and of the options that change what is stored."""
    changing = {
        "columns": options.columns,
        "labels": options.labels,
        "position_rule": options.position_rule if kind == "run" else "",
    }
    text = json.dumps([content, changing], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _check_scores(
    shown: str, kind: Ranked, fields: dict[str, int], options: Options
) -> None:
    """Refuse a run without scores, unless its positions are given."""
    if kind == "run" and options.position_rule != "given" and "score" not in fields:
        remedy = (
            "if its ranks are to count, say --positions given"
            if "rank" in fields
            else "say which column it is: --column score=NAME"
        )
        raise NdcgSqlError(f"{shown}: no column for the score; {remedy}")


def _store_run(warehouse: Warehouse, parameters: Parameters, options: Options) -> str:
    """Store the staged rows as a run, and evaluate it."""
    run_id = warehouse.execute("select nextval('run_ids')")[0][0]
    parameters |= {
        "run_id": run_id,
        "position_rule": options.position_rule,
        "run_at": options.run_at,
    }
    warehouse.run(f"store/rankings_by_{options.position_rule}", parameters)
    warehouse.run("store/positions", parameters)
    warehouse.run("store/runs", parameters)
    for tag, value in options.tags.items():
        warehouse.execute(
            "insert into run_tags values ($run_id, $tag, $value)",
            {"run_id": run_id, "tag": tag, "value": value},
        )
    warehouse.run("store/run_queries", parameters)
    queries, documents = _read_back(warehouse, "runs", run_id)
    told = (
        f"loaded run {quoted(parameters['name'])}:"
        f" {counted(queries, 'query', 'queries')}, {counted(documents, 'document')}"
    )
    newest = warehouse.run("reports/newest_judgment_set", parameters)
    if not options.evaluate:
        return told
    if not newest:
        return told + "; no judgments yet"
    judgment_set_id, judgment_set = newest[0]
    evaluate(warehouse, (run_id, judgment_set_id))
    return (
        told
        + f"; evaluated with {quoted(judgment_set)}"
        + _disjoint(warehouse, parameters["name"], run_id, judgment_set_id)
    )


def _store_judgments(
    warehouse: Warehouse, parameters: Parameters, options: Options
) -> str:
    """Store the staged rows as a judgment set, and evaluate every run with it."""
    judgment_set_id = warehouse.execute("select nextval('judgment_set_ids')")[0][0]
    parameters["judgment_set_id"] = judgment_set_id
    warehouse.run("store/judgments", parameters)
    warehouse.run("store/judgment_sets", parameters)
    queries, judgments = _read_back(warehouse, "judgment_sets", judgment_set_id)
    told = (
        f"loaded judgment set {quoted(parameters['name'])}:"
        f" {counted(queries, 'query', 'queries')}, {counted(judgments, 'judgment')}"
    )
    runs = warehouse.run("reports/runs_of_dataset", parameters)
    if not options.evaluate or not runs:
        return told
    warnings = ""
    for run_id, run in runs:
        evaluate(warehouse, (run_id, judgment_set_id))
        warnings += _disjoint(warehouse, run, run_id, judgment_set_id)
    return told + f"; evaluated {counted(len(runs), 'run')}" + warnings


def _read_back(warehouse: Warehouse, table: str, new_id: int) -> tuple[int, int]:
    """Return the stored counts, after comparing them with what was staged."""
    stored = warehouse.run(f"reports/counts_{table}", {"id": new_id})[0]
    staged = warehouse.execute("select count(distinct query_id), count(*) from staged")
    if stored != staged[0]:
        raise NdcgSqlError(
            f"unexpected: {staged[0][1]} rows were read, but {stored[1]} stored;"
            " please report it"
        )
    return stored[0], stored[1]


def _disjoint(
    warehouse: Warehouse, name: str, run_id: int, judgment_set_id: int
) -> str:
    """Return a warning if a run and a judgment set share no query."""
    ids = {"run_id": run_id, "judgment_set_id": judgment_set_id}
    shared = warehouse.run("reports/first_queries", ids)
    return "".join(
        f"\nwarning: run {quoted(name)} and its judgments have no query in common;"
        f" the run has {quoted(run_query)}, for example, and the judgments have"
        f" {quoted(judged_query)}"
        for answered, run_query, judged_query in shared
        if answered == 0
    )
