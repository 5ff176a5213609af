"""Loading runs and judgment sets: all files of a command, or none."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import BadRowsError, DiskFullError, LockedError, NdcgSqlError
from ndcg_sql.evaluation.entries import KINDS, choose_entry
from ndcg_sql.loading.files import (
    Rows,
    content_hash,
    hash_of_run,
    is_same,
    opened,
    stage_rows,
)
from ndcg_sql.loading.options import (
    DUPLICATES,
    NAMES_FROM,
    POSITION_RULES,
    Options,
    Ranked,
)
from ndcg_sql.loading.replacing import (
    ANOTHER_DATASET,
    ANOTHER_NAME,
    Namesake,
    namesake,
    said_otherwise,
)
from ndcg_sql.loading.storing import Loaded, store_judgments, store_run
from ndcg_sql.reading.columns import NO_RUNS
from ndcg_sql.reading.sources import Source, Streams, origin
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name, shown
from ndcg_sql.text import (
    check_name,
    counted,
    listed,
    now,
    quoted,
    shortened,
)
from ndcg_sql.wording import Text, Told, joined, named, use

__all__ = ["DUPLICATES", "POSITION_RULES", "Options", "Ranked", "load"]

# A run of at most as many bytes is loaded on one thread.
_LITTLE = 4 * 2**20


@dataclass(frozen=True)
class _Base:
    """The judgment set that a new one is built on."""

    id: int
    content_hash: str


@dataclass
class _Load:
    """The loading of the files of a command.

    taken are the names that the files loaded so far have given; ignored are their
    columns that nothing was read from, warned the warnings about them.
    """

    database: Database
    kind: Ranked
    options: Options
    messages: Messages
    streams: Streams | None
    taken: dict[str, Path] = field(default_factory=dict[str, Path])
    ignored: dict[str, None] = field(default_factory=dict[str, None])
    warned: dict[Told, None] = field(default_factory=dict[Told, None])


def load(
    database: Database,
    kind: Ranked,
    paths: list[Path],
    options: Options,
    messages: Messages,
    streams: Streams | None = None,
) -> None:
    """Load files as runs or judgment sets, in one transaction.

    A file that names several runs becomes as many. Evaluates a new run with the
    newest judgment set of its dataset, and a new judgment set with every run of its
    dataset. Removes what is replaced. streams holds the files that are already
    open. If anything is wrong with any of the files, raises NdcgSqlError, which
    reports every bad file, and changes nothing; with keep_going, the good files
    are loaded nevertheless, each in a transaction of its own.
    """
    _check(kind, options)
    work = _Load(database, kind, options, messages, streams)
    # A file that is named twice is unchanged the second time.
    paths = list(dict.fromkeys(paths))
    each = iter(progress.each(paths, "loading", "files"))
    faults: list[NdcgSqlError] = []
    if options.keep_going:
        for path in each:
            _load_together(work, iter([path]), faults)
    else:
        _load_together(work, each, faults)
    if work.ignored and (options.keep_going or not faults):
        messages.tell(f"ignored columns: {', '.join(map(shortened, work.ignored))}")
    if faults:
        raise _combined(faults, len(paths), options.keep_going)


def _load_together(
    work: _Load, paths: Iterator[Path], faults: list[NdcgSqlError]
) -> None:
    """Load files in one transaction, or add what is wrong with each to faults."""
    loaded: list[Loaded] = []
    found: list[NdcgSqlError] = []
    try:
        with ExitStack() as stack:
            # A transaction begins once, and late: DuckDB reads rows that it has
            # written itself on one thread.
            begin = cache(lambda: stack.enter_context(work.database.transaction()))
            for path in paths:
                loaded += _load_file(work, path, begin)
    except (DiskFullError, LockedError):
        # These are no fault of a file.
        raise
    except NdcgSqlError as error:
        found.append(error)
    # After the first bad file, the transaction is over: the others are only checked.
    for path in paths:
        try:
            _load_file(work, path, None)
        except NdcgSqlError as error:
            found.append(error)
    faults += found
    if not found:
        for one in loaded:
            # Runs with the same judgments lack the same measures.
            new = [line for line in one.warnings if line not in work.warned]
            work.warned |= dict.fromkeys(new)
            Loaded(one.line, new, one.note).tell(work.messages)


def _combined(faults: list[NdcgSqlError], count: int, keep_going: bool) -> NdcgSqlError:
    """Return one error for all bad files of a command."""
    if len(faults) == 1 and not (keep_going and count > 1):
        return faults[0]
    bad = f"{len(faults)} of {counted(count, 'file')}"
    good = count - len(faults)
    if keep_going:
        last: Told = f"not loaded: {bad}"
    else:
        last = f"{bad} cannot be loaded; nothing was loaded"
        if good:
            last += "; to load the others: " + use(keep_going=True)
    text = joined([*(fault.told for fault in faults), last], "\n")
    rows = [error for error in faults if isinstance(error, BadRowsError)]
    checks = frozenset[str]().union(*(error.checks for error in rows))
    return BadRowsError(text, checks, all(error.compared for error in rows))


def _check(kind: Ranked, options: Options) -> None:
    """Raise NdcgSqlError for options that are not valid."""
    if options.duplicates not in DUPLICATES:
        raise NdcgSqlError(
            f"not one of {', '.join(DUPLICATES)}",
            where=use(duplicates=options.duplicates),
        )
    if options.name_from not in NAMES_FROM:
        raise NdcgSqlError(
            f"not one of {', '.join(NAMES_FROM)}",
            where=use(name_from=options.name_from),
        )
    if options.position_rule not in POSITION_RULES:
        raise NdcgSqlError(
            f"not one of {', '.join(POSITION_RULES)}",
            where=use(position_rule=options.position_rule),
        )
    if options.name_from != "file" and options.name is not None:
        raise NdcgSqlError(
            named("name") + " already names the run",
            "omit one",
            where=named("name_from"),
        )
    if options.groups and options.query is not None:
        raise NdcgSqlError(
            "it numbers the queries", "omit " + named("query"), where=named("groups")
        )
    names = [("dataset", options.dataset), (KINDS[kind], options.name)]
    names += [("tag", part) for tag in options.tags.items() for part in tag]
    for what, name in names:
        fault = check_name(what, name) if name is not None else None
        if fault:
            raise NdcgSqlError(fault)


def _load_file(
    work: _Load, path: Path, begin: Callable[[], None] | None
) -> list[Loaded]:
    """Load one file; begin is called before anything is written.

    Without begin, the file is only checked.
    """
    database, options = work.database, work.options
    with ExitStack() as stack:
        given = (work.kind, path, options, work.messages, work.streams)
        files = stack.enter_context(opened(database, *given))
        source = files.source
        if work.kind == "run" and source.readable.stat().st_size <= _LITTLE:
            stack.enter_context(database.on_one_thread())
        name = options.name or options.names.get(path) or default_name(path)
        base = _base(database, name, options)
        whole = content_hash(
            work.kind, options, files, base.content_hash if base else None
        )
        # The same content again needs no reading. The rows of other content may be
        # the same, or give other names than the file's, which then need not be free.
        old = _namesake(work, path, name, whole, source, replacing=True)
        if (
            options.name_from == "file"
            and old.told
            and work.taken.get(name, path) == path
        ):
            work.taken[name] = path
            return [Loaded(old.told)]
        rows = stage_rows(database, work.kind, options, files)
        name = _name_of_rows(work, source, rows, name)
        if begin is not None:
            work.ignored |= dict.fromkeys(rows.ignored)
        hashes = _hashes(work, source, rows, name, whole)
        found = {
            one: _namesake(work, path, one, hash_, source, options.replace, rows)
            for one, hash_ in hashes.items()
        }
        if all(old.told for old in found.values()):
            return [Loaded(old.told) for old in found.values()]
        if begin is None:
            return []
        begin()
        if rows.runs:
            database.execute("drop table if exists temp.staged_runs")
            database.execute("alter table temp.staged rename to staged_runs")
        loaded = _introduced(source, rows)
        for one, old in found.items():
            if old.told:
                loaded.append(Loaded(old.told))
                continue
            if rows.runs:
                database.run("store/staged_of_run", {"run": one})
            dropped = rows.dropped.get(one if rows.runs else "", 0)
            entry = (path, one, hashes[one])
            loaded.append(_store(work, entry, base, old, rows, dropped))
        return loaded


def _name_of_rows(work: _Load, source: Source, rows: Rows, name: str) -> str:
    """Return the name of a file that is one run: the file's, or the run's own."""
    if work.options.name_from == "file" or rows.runs:
        return name
    if rows.run is None:
        raise NdcgSqlError(
            f"{source.shown}: names no run, as " + use(name_from="tag") + " expects",
            "omit it, or name the run: " + use(name="NAME"),
        )
    return rows.run


def _hashes(
    work: _Load, source: Source, rows: Rows, name: str, whole: str
) -> dict[str, str]:
    """Return the hash of each entry that the rows of a file become, by its name."""
    if not rows.runs:
        return {name: whole}
    if work.options.name is not None:
        raise NdcgSqlError(
            f"{source.shown}: contains {counted(len(rows.runs), 'run')}"
            f" ({listed(rows.runs, 5)}), named by column {quoted(rows.column)}",
            (named("name") + " names one run: omit it, or load all rows as one run: ")
            + use(run_column=NO_RUNS),
        )
    return {run: hash_of_run(whole, run) for run in rows.runs}


def _introduced(source: Source, rows: Rows) -> list[Loaded]:
    """Return the messages about what the rows of a file are, if they need any."""
    if rows.runs:
        runs = counted(len(rows.runs), "run")
        return [
            Loaded(f"{source.shown}: {runs}, named by column {quoted(rows.column)}")
        ]
    return [Loaded("", [rows.warning])] if rows.warning else []


def _store(
    work: _Load,
    entry: tuple[Path, str, str],
    base: _Base | None,
    old: Namesake,
    rows: Rows,
    dropped: int,
) -> Loaded:
    """Store the staged rows under a name, in place of what is to be replaced."""
    database, options = work.database, work.options
    path, name, hash_ = entry
    noted, kept = "", Text()
    if dropped:
        noted = f"; {counted(dropped, 'duplicate')} dropped ("
        kept = use(duplicates=options.duplicates) + ")"
    parameters: Parameters = {
        "policy": "extended" if base else None,
        "parent_kind": "judgments",
        "parent_ids": [base.id] if base else [],
        "dataset": options.dataset,
        "name": name,
        "source": origin(path, work.streams)
        + (f"{noted}duplicates: {options.duplicates})" if dropped else ""),
        "content_hash": hash_,
        "loaded_at": now(),
        "position_rule": rows.rule,
        "run_at": options.run_at,
    }
    old.remove(database)
    loaded = (
        store_run(database, parameters, options.tags, options.evaluate, rows.clean)
        if work.kind == "run"
        else store_judgments(database, parameters, options.evaluate)
    )
    built = ""
    if options.base is not None:
        more = database.run("lookups/judgments_beyond_base")[0][0]
        built = f", {more} more than {quoted(options.base)}"
    done = "replaced" if old.ids else "loaded"
    what = f"{done} {KINDS[work.kind]} {quoted(name)}{built}"
    line = Text(f"{what}: ", loaded.line, noted, kept)
    return Loaded(line, loaded.warnings, loaded.note)


def _base(database: Database, name: str, options: Options) -> _Base | None:
    """Stage the judgments of the base set, if any."""
    if options.base is None:
        return None
    if database.is_new:
        raise NdcgSqlError("no judgments yet", "omit it", where=use(base=options.base))
    entry = choose_entry(database, "judgment set", options.base, options.dataset)
    if options.base == name:
        raise NdcgSqlError(
            "a judgment set cannot be its own base", ANOTHER_NAME, where=use(base=name)
        )
    database.run("store/base_judgments", {"base_id": entry.id})
    known = {"dataset": options.dataset, "name": options.base}
    return _Base(*database.run("lookups/same_name_judgment_sets", known)[0])


def _namesake(
    work: _Load,
    path: Path,
    name: str,
    hash_: str,
    source: Source,
    replacing: bool,
    rows: Rows | None = None,
) -> Namesake:
    """Return the entry that already has the name of what a file becomes.

    Without rows, the file was not read yet, and may get other names. Raises
    NdcgSqlError if another file of the command got the name.
    """
    kind, options = work.kind, work.options
    is_divided = rows is not None and bool(rows.runs)
    remedy = ANOTHER_NAME
    if is_divided:
        remedy = ANOTHER_DATASET
    fault = check_name(KINDS[kind], name)
    if fault and rows:
        is_own = is_divided or options.name_from == "tag"
        raise NdcgSqlError(fault, f"rename it in {source.shown}" if is_own else remedy)

    def otherwise(run_id: int) -> str:
        if kind != "run":
            return ""
        return said_otherwise(
            work.database, run_id, options.tags, options.run_at, options.replace
        )

    def has_rows(number: int) -> bool:
        if rows is None or options.base is not None:
            return False
        return is_same(work.database, kind, number, name, rows)

    other = work.taken.get(name)
    if rows and other is not None and other != path:
        way = "load them one by one with " + use(name="NAME")
        raise NdcgSqlError(
            f"{shown(other)} and {shown(path)}: both would be {KINDS[kind]}"
            f" {quoted(name)}",
            "rename one in its file" if is_divided else way,
        )
    old = namesake(
        work.database,
        KINDS[kind],
        name,
        options.dataset,
        hash_,
        replacing,
        source.shown,
        otherwise,
        remedy,
        has_rows,
    )
    if rows:
        work.taken[name] = path
    return old
