"""Loading runs and judgment sets: all files of a command, or none."""

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Literal

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import Kind, choose_entry
from ndcg_sql.loading.replacing import Namesake, namesake
from ndcg_sql.loading.storing import Loaded, store_judgments, store_run
from ndcg_sql.reading import layouts, learning_to_rank, sources
from ndcg_sql.reading.detection import format_of, layout
from ndcg_sql.reading.fast import stage_fast
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.reading.sources import Source, Streams
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name, shown, source_name
from ndcg_sql.text import check_name, harmless, now, quoted

Ranked = Literal["run", "judgments"]
POSITION_RULES = ("score", "score32", "given")
_WORDS: Mapping[Ranked, Kind] = {"run": "run", "judgments": "judgment set"}


@dataclass(frozen=True)
class Options(Reading):
    """A user's options for loading a file.

    rows_of is the list to whose rows a file of scores belongs; groups is the file
    with the number of rows of each query of a list; base is the judgment set whose
    judgments a new one includes.
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


@dataclass(frozen=True)
class _Files:
    """A file to be loaded, with the list and the groups that belong to it."""

    source: Source
    listed: Source | None
    grouping: Source | None


@dataclass(frozen=True)
class _Base:
    """The judgment set that a new one is built on."""

    id: int
    content_hash: str


def load(
    database: Database,
    kind: Ranked,
    paths: list[Path],
    options: Options,
    messages: Messages,
    streams: Streams | None = None,
) -> None:
    """Load files as runs or judgment sets, in one transaction.

    Evaluates a new run with the newest judgment set of its dataset, and a new
    judgment set with every run of its dataset. Removes what is replaced. streams
    holds the files that are already open. If anything is wrong with any of the
    files, raises NdcgSqlError and changes nothing.
    """
    if options.groups and options.query is not None:
        raise NdcgSqlError("--groups: it numbers the queries; omit --query")
    names = [("dataset", options.dataset), (_WORDS[kind], options.name)]
    names += [("tag", part) for tag in options.tags.items() for part in tag]
    for what, name in names:
        fault = check_name(what, name) if name is not None else None
        if fault:
            raise NdcgSqlError(fault)
    named = _named(kind, paths, options)
    loaded: list[Loaded] = []
    with ExitStack() as stack:
        # A transaction begins once, and late: DuckDB reads rows that it has written
        # itself on one thread.
        begin = cache(lambda: stack.enter_context(database.transaction()))
        for path, name in progress.each(named, "loading", "files"):
            loaded.append(
                _load_one(database, kind, path, name, options, messages, streams, begin)
            )
    for one in loaded:
        one.tell(messages)


def _named(kind: Ranked, paths: list[Path], options: Options) -> list[tuple[Path, str]]:
    """Return each file with its name; raise NdcgSqlError if two have the same."""
    named = [(path, options.name or default_name(path)) for path in paths]
    first: dict[str, Path] = {}
    for path, name in named:
        other = first.setdefault(name, path)
        # A file that is named twice is unchanged the second time.
        if other != path:
            raise NdcgSqlError(
                f"{shown(other)} and {shown(path)}: both would be {_WORDS[kind]}"
                f" {quoted(name)}; load them one by one with --name NAME"
            )
    return named


def _load_one(
    database: Database,
    kind: Ranked,
    path: Path,
    name: str,
    options: Options,
    messages: Messages,
    streams: Streams | None,
    begin: Callable[[], None],
) -> Loaded:
    """Load one file; begin is called before anything is written."""
    with ExitStack() as opened:

        def source_of(file: Path) -> Source:
            scratch = database.folder
            return opened.enter_context(
                sources.opened(file, messages, scratch, streams)
            )

        source = source_of(path)
        files = _Files(
            source,
            listed=source_of(options.rows_of) if options.rows_of else None,
            grouping=source_of(options.groups) if options.groups else None,
        )
        fault = check_name(_WORDS[kind], name)
        if fault:
            raise NdcgSqlError(f"{fault}; choose another name: --name NAME")
        base = _base(database, name, options)
        content_hash = _content_hash(kind, options, files, base)
        old = _namesake(database, kind, name, options, content_hash, source)
        if old.told:
            return Loaded(old.told)
        rule = _stage(database, kind, options, files)
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
            "position_rule": rule,
            "run_at": options.run_at,
        }
        old.remove(database)
        loaded = (
            store_run(database, parameters, options.tags, options.evaluate)
            if kind == "run"
            else store_judgments(database, parameters, options.evaluate)
        )
        built = ""
        if options.base is not None:
            more = database.run("lookups/judgments_beyond_base")[0][0]
            built = f", {more} more than {quoted(options.base)}"
        done = "replaced" if old.ids else "loaded"
        what = f"{done} {_WORDS[kind]} {quoted(name)}{built}"
        return Loaded(f"{what}: {loaded.line}", loaded.warnings)


def _base(database: Database, name: str, options: Options) -> _Base | None:
    """Stage the judgments of the base set, if any."""
    if options.base is None:
        return None
    if database.is_new:
        raise NdcgSqlError(
            f"--base {harmless(options.base)}: no judgments yet; omit it"
        )
    entry = choose_entry(database, "judgment set", options.base, options.dataset)
    if options.base == name:
        raise NdcgSqlError(
            f"--base {harmless(name)}: a judgment set cannot be its own base; choose"
            " another name: --name NAME"
        )
    database.run("store/base_judgments", {"base_id": entry.id})
    known = {"dataset": options.dataset, "name": options.base}
    return _Base(*database.run("lookups/same_name_judgment_sets", known)[0])


def _namesake(
    database: Database,
    kind: Ranked,
    name: str,
    options: Options,
    content_hash: str,
    source: Source,
) -> Namesake:
    """Return the entry that already has the name of a file to be stored."""

    def said_otherwise(run_id: int) -> str:
        return _said_otherwise(database, run_id, options) if kind == "run" else ""

    return namesake(
        database,
        _WORDS[kind],
        name,
        options.dataset,
        content_hash,
        options.replace,
        source.shown,
        said_otherwise,
    )


def _said_otherwise(database: Database, run_id: int, options: Options) -> str:
    """Return the option that differs from the stored run, or nothing.

    An omitted option does not differ, unless the run is to be replaced.
    """
    ids = {"run_id": run_id}
    tags = "select tag, tag_value from run_tags where run_id = $run_id"
    run_at = "select run_at from runs where run_id = $run_id"
    stored = {
        "--tag": dict(database.execute(tags, ids)) or None,  # type: ignore[arg-type]
        "--run-at": database.execute(run_at, ids)[0][0],
    }
    said = {
        "--tag": options.tags or None,
        "--run-at": options.run_at and datetime.fromisoformat(options.run_at),
    }
    for option, value in said.items():
        if value != stored[option] and (value is not None or options.replace):
            return option
    return ""


def _stage(database: Database, kind: Ranked, options: Options, files: _Files) -> str:
    """Stage a file, with the list and the groups that belong to it; check its rows.

    Returns the rule of positions: that of the options, but lists without scores are
    in the order of their ranking.
    """
    source, listed = files.source, files.listed
    groups = learning_to_rank.read_groups(files.grouping) if files.grouping else None
    if listed:
        learning_to_rank.stage_list(database, listed, options, groups)
        how = layouts.scores(source)
    else:
        how, source = layout(source, kind, options, groups.sizes if groups else None)
    rule = options.position_rule
    if how.is_ordered and rule == "score":
        rule = "given"
    # With a base, messages need the numbers of lines.
    quick = not options.labels and options.base is None
    if quick and stage_fast(database, kind, source, how, kind, rule):
        return rule
    stage(database, kind, source, how, options.labels)
    if groups and not listed:
        learning_to_rank.check_groups(database, source, how, groups)
    if listed:
        learning_to_rank.check_scores(database, source, listed)
    # Faults of rows are reported before a missing column of scores.
    scored = kind == "judgments" or "score" in how.fields
    check_staged(database, kind, source, how, rule if scored else "given")
    if not scored and rule != "given":
        remedy = "name it: --column score=NAME"
        if "rank" in how.fields:
            remedy = "to use its ranks: --positions given"
        elif options.query is not None:
            remedy = "to use its order: --positions given"
        raise NdcgSqlError(f"{source.shown}: no column for the score; {remedy}")
    if options.base is not None:
        check_staged(database, "base", source, how)
        database.run("store/known_judgments")
        database.run("store/staged_base_judgments")
    return rule


def _content_hash(
    kind: Ranked, options: Options, files: _Files, base: _Base | None
) -> str:
    """Return the hash of contents and of the options that change what is stored."""
    listed = files.listed
    form = format_of(listed or files.source, "judgments" if listed else kind, options)
    changing = {
        "columns": options.columns,
        "labels": options.labels,
        "position_rule": options.position_rule if kind == "run" else "",
        "query": options.query,
        "format": form.name,
    }
    if base:
        changing["base"] = base.content_hash
    held = (files.source, listed, files.grouping)
    contents = [source.content_hash if source else "" for source in held]
    text = json.dumps([contents, changing], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
