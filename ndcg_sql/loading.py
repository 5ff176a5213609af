"""Loading: file, staged rows, checks, tables; all of a command or nothing."""

import hashlib
import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Literal

from ndcg_sql import files, layouts, lists, progress
from ndcg_sql.clean import stage_clean
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.files import Source
from ndcg_sql.formats import Reading, format_of
from ndcg_sql.paths import default_name, shown, source_name
from ndcg_sql.replacing import namesake
from ndcg_sql.reports import choose_entry
from ndcg_sql.staging import check_staged, stage
from ndcg_sql.text import check_name, counted, harmless, now, quoted
from ndcg_sql.valuing import evaluate
from ndcg_sql.warehouse import Parameters, Warehouse

Ranked = Literal["run", "judgments"]
POSITION_RULES = ("score", "score32", "given")
_WORDS = {"run": "run", "judgments": "judgment set"}


@dataclass(frozen=True)
class Options(Reading):
    """What a user says about a file to be loaded.

    rows_of is the list whose rows a file of scores is about; groups is the
    file that says how many rows of a list belong to each query; base is the
    judgment set that a new one takes all judgments of.
    """

    dataset: str = "default"
    name: str | None = None
    rows_of: Path | None = None
    groups: Path | None = None
    labels: dict[str, float] = field(default_factory=dict[str, float])
    position_rule: str = "score"
    run_at: str | None = None
    tags: dict[str, str] = field(default_factory=dict[str, str])
    evaluate: bool = True
    base: str | None = None
    replace: bool = False


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
    a judgment set with every run of its dataset. What is to be replaced is
    removed. streams are those of the files that were opened before. Raises
    NdcgSqlError, and changes nothing, if anything is wrong with any of the files.
    """
    if options.groups and options.query is not None:
        raise NdcgSqlError(
            "--groups: the queries are numbered by it; leave --query out"
        )
    names = [("dataset", options.dataset), (_WORDS[kind], options.name)]
    names += [("tag", part) for tag in options.tags.items() for part in tag]
    for what, name in names:
        fault = check_name(what, name) if name is not None else None
        if fault:
            raise NdcgSqlError(fault)
    named = _named(kind, paths, options)
    told: list[str] = []
    with ExitStack() as stack:
        # A transaction begins once, and late: what it has written itself, DuckDB
        # reads on one thread.
        begin = cache(lambda: stack.enter_context(warehouse.transaction()))
        for path, name in progress.each(named, "loading", "files"):
            told.append(
                _load_one(warehouse, kind, path, name, options, tell, streams, begin)
            )
    for line in told:
        tell(line)


def _named(kind: Ranked, paths: list[Path], options: Options) -> list[tuple[Path, str]]:
    """Return each file with its name; raise NdcgSqlError if two have the same."""
    named = [(path, options.name or default_name(path)) for path in paths]
    first: dict[str, Path] = {}
    for path, name in named:
        other = first.setdefault(name, path)
        # A file that is named twice is there already when it is to be loaded again.
        if other != path:
            raise NdcgSqlError(
                f"{shown(other)} and {shown(path)}: both would be {_WORDS[kind]}"
                f" {quoted(name)}; load them one by one with --name NAME"
            )
    return named


def _load_one(
    warehouse: Warehouse,
    kind: Ranked,
    path: Path,
    name: str,
    options: Options,
    tell: Callable[[str], None],
    streams: files.Streams | None,
    begin: Callable[[], None],
) -> str:
    """Load one file; return what to tell the user.

    begin is called before anything is written.
    """
    with ExitStack() as opened:
        scratch = warehouse.folder
        source = opened.enter_context(files.opened(path, tell, scratch, streams))
        listed, grouping = (
            opened.enter_context(files.opened(other, tell, scratch, streams))
            if other
            else None
            for other in (options.rows_of, options.groups)
        )
        fault = check_name(_WORDS[kind], name)
        if fault:
            raise NdcgSqlError(f"{fault}; choose another: --name NAME")
        base = _base(warehouse, name, options)
        base_hash = base.content_hash if base else ""
        content_hash = _content_hash(kind, options, source, listed, grouping, base_hash)
        old = namesake(
            warehouse,
            _WORDS[kind],
            name,
            options.dataset,
            content_hash,
            options.replace,
            source.shown,
            lambda number: (
                _said_otherwise(warehouse, number, options) if kind == "run" else ""
            ),
        )
        if old.told:
            return old.told
        _stage(warehouse, kind, options, source, listed, grouping)
        begin()
        parameters: Parameters = {
            "policy": "extended" if base else None,
            "parent_kind": "judgments",
            "parent_ids": [base.id] if base else [],
            "dataset": options.dataset,
            "name": name,
            "source": source_name(path),
            "content_hash": content_hash,
            "loaded_at": now(),
        }
        old.remove(warehouse)
        told = (
            _store_run(warehouse, parameters, options)
            if kind == "run"
            else store_judgments(warehouse, parameters, options.evaluate)
        )
        built = ""
        if options.base is not None:
            more = warehouse.run("reports/judgments_beyond_base")[0][0]
            built = f", {more} more than {quoted(options.base)}"
        done = "replaced" if old.ids else "loaded"
        return f"{done} {_WORDS[kind]} {quoted(name)}{built}: {told}"


@dataclass(frozen=True)
class _Base:
    """The judgment set that a new one is built on."""

    id: int
    content_hash: str


def _base(warehouse: Warehouse, name: str, options: Options) -> _Base | None:
    """Put the judgments that a set is built on, if any, at hand."""
    if options.base is None:
        return None
    if warehouse.is_new:
        raise NdcgSqlError(
            f"--base {harmless(options.base)}: there are no judgments yet; leave it out"
        )
    entry = choose_entry(warehouse, "judgment set", options.base, options.dataset)
    if options.base == name:
        raise NdcgSqlError(
            f"--base {harmless(name)}: a judgment set is not built on itself; choose"
            " another: --name NAME"
        )
    warehouse.run("store/base_judgments", {"base_id": entry.id})
    known = {"dataset": options.dataset, "name": options.base}
    return _Base(*warehouse.run("reports/same_name_judgment_sets", known)[0])


def _said_otherwise(warehouse: Warehouse, run_id: int, options: Options) -> str:
    """Return what a user says of a run that is stored otherwise, or nothing.

    What is left out is as it is, but for what is to be put in its place.
    """
    ids = {"run_id": run_id}
    tags = "select tag, value from run_tags where run_id = $run_id"
    run_at = "select run_at from runs where run_id = $run_id"
    stored = {
        "--tag": dict(warehouse.execute(tags, ids)) or None,  # type: ignore[arg-type]
        "--run-at": warehouse.execute(run_at, ids)[0][0],
    }
    said = {
        "--tag": options.tags or None,
        "--run-at": options.run_at and datetime.fromisoformat(options.run_at),
    }
    for option, value in said.items():
        if value != stored[option] and (value is not None or options.replace):
            return option
    return ""


def _stage(
    warehouse: Warehouse,
    kind: Ranked,
    options: Options,
    source: Source,
    listed: Source | None,
    grouping: Source | None,
) -> None:
    """Stage a file, with the list and the groups that belong to it; check its rows."""
    groups = lists.read_groups(grouping) if grouping else None
    if listed:
        lists.stage_list(warehouse, listed, options, groups)
        how = layouts.scores(source)
    else:
        how, source = layouts.layout(
            source, kind, options, groups.sizes if groups else None
        )
    rule = options.position_rule
    # What is built on other judgments has lines to be told.
    quick = not options.labels and options.base is None
    if quick and stage_clean(warehouse, kind, source, how, rule):
        return
    stage(warehouse, kind, source, how, options.labels)
    if groups and not listed:
        lists.check_groups(warehouse, source, how, groups)
    if listed:
        lists.check_scores(warehouse, source, listed)
    # The faults of a file that has no scores come before the advice about them.
    scored = kind == "judgments" or "score" in how.fields
    check_staged(warehouse, kind, source, how, rule if scored else "given")
    if not scored and rule != "given":
        remedy = "say which column it is: --column score=NAME"
        if "rank" in how.fields:
            remedy = "if its ranks are to count, say --positions given"
        elif options.query is not None:
            remedy = "if its order is to count, say --positions given"
        raise NdcgSqlError(f"{source.shown}: no column for the score; {remedy}")
    if options.base is not None:
        check_staged(warehouse, kind, source, how, folders=("base",))
        warehouse.run("store/known_judgments")
        warehouse.run("store/staged_base_judgments")


def _content_hash(
    kind: Ranked,
    options: Options,
    source: Source,
    listed: Source | None,
    grouping: Source | None,
    base: str,
) -> str:
    """Return the hash of contents and of the options that change what is stored."""
    changing = {
        "columns": options.columns,
        "labels": options.labels,
        "position_rule": options.position_rule if kind == "run" else "",
        "query": options.query,
        "format": format_of(listed or source, "judgments" if listed else kind, options),
    }
    if base:
        changing["base"] = base
    contents = [s.content_hash if s else "" for s in (source, listed, grouping)]
    text = json.dumps([contents, changing], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _store_run(warehouse: Warehouse, parameters: Parameters, options: Options) -> str:
    """Store the staged rows as a run, and evaluate it."""
    run_id = warehouse.execute("select nextval('run_ids')")[0][0]
    parameters |= {
        "run_id": run_id,
        "position_rule": options.position_rule,
        "run_at": options.run_at,
    }
    for file in ("run_queries_of_staged", "positions", "runs"):
        warehouse.run(f"store/{file}", parameters)
    is_scored = options.position_rule != "given"
    if is_scored:
        warehouse.run(f"store/scored_by_{options.position_rule}")
    # Values are made of hits; a command of its own needs the ranking for no more.
    if not warehouse.is_scratch or not is_scored:
        order = "scores" if is_scored else "given"
        _store_all(warehouse, f"rankings_by_{order}", parameters)
    for tag, value in options.tags.items():
        warehouse.execute(
            "insert into run_tags values ($run_id, $tag, $value)",
            {"run_id": run_id, "tag": tag, "value": value},
        )
    queries, documents = warehouse.run("reports/counts_runs", {"id": run_id})[0]
    told = f"{counted(queries, 'query', 'queries')}, {counted(documents, 'document')}"
    newest = warehouse.run("reports/newest_judgment_set", parameters)
    if not options.evaluate:
        return told
    if not newest:
        return told + "; no judgments yet"
    judgment_set_id, judgment_set = newest[0]
    evaluate(warehouse, (run_id, judgment_set_id), is_scored)
    return (
        told
        + f"; evaluated with {quoted(judgment_set)}"
        + _disjoint(warehouse, parameters["name"], run_id, judgment_set_id)
    )


def store_judgments(
    warehouse: Warehouse, parameters: Parameters, evaluating: bool
) -> str:
    """Store the staged rows as a judgment set, and evaluate every run with it.

    Returns what to tell: counts, and that where there is another set, this one
    is used from now on.
    """
    others = warehouse.run("reports/newest_judgment_set", parameters)
    judgment_set_id = warehouse.execute("select nextval('judgment_set_ids')")[0][0]
    parameters["judgment_set_id"] = judgment_set_id
    _store_all(warehouse, "judgments", parameters)
    warehouse.run("store/judgment_sets", parameters)
    if parameters["parent_ids"]:
        warehouse.run("store/judgment_set_parents", parameters)
    ids = {"id": judgment_set_id}
    queries, judgments = warehouse.run("reports/counts_judgment_sets", ids)[0]
    told = f"{counted(queries, 'query', 'queries')}, {counted(judgments, 'judgment')}"
    more = (
        f"\njudgment set {quoted(parameters['name'])} is the newest now: report and"
        " others use it unless told --judgments NAME"
        if others
        else ""
    )
    runs = warehouse.run("reports/runs_of_dataset", parameters)
    if not evaluating or not runs:
        return told + more
    for run_id, run in progress.each(runs, "evaluating", "runs"):
        evaluate(warehouse, (run_id, judgment_set_id))
        more += _disjoint(warehouse, run, run_id, judgment_set_id)
    return told + f"; evaluated {counted(len(runs), 'run')}" + more


def _store_all(warehouse: Warehouse, file: str, parameters: Parameters) -> None:
    """Store the staged rows, and see to it that they are all there."""
    [(stored,)] = warehouse.run(f"store/{file}", parameters)
    [(staged,)] = warehouse.execute("select count(*) from staged")
    if stored != staged:
        raise NdcgSqlError(
            f"unexpected: {staged} rows were read, but {stored} stored; please report"
            " it"
        )


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
