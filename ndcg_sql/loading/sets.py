"""Loading runs and judgment sets: all files of a command, or none."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import (
    BadRowsError,
    DiskFullError,
    LockedError,
    NdcgSqlError,
    Offer,
)
from ndcg_sql.evaluation.entries import KINDS, choose_entry
from ndcg_sql.loading import asking, doubts, subtopics
from ndcg_sql.loading.dividing import (
    Details,
    constants,
    details,
    free_pattern,
    what_divides,
)
from ndcg_sql.loading.files import (
    Rows,
    content_hash,
    hash_of_run,
    is_same,
    opened,
    stage_rows,
)
from ndcg_sql.loading.loaded import LoadedItem, Outcome
from ndcg_sql.loading.naming import Naming, is_pattern, naming
from ndcg_sql.loading.options import (
    REQUESTS,
    Options,
    Ranked,
    check_decimal,
    check_names,
)
from ndcg_sql.loading.replacing import (
    ANOTHER_NAME,
    Namesake,
    Otherwise,
    namesake,
    said_otherwise,
    same_name,
)
from ndcg_sql.loading.sheets import Sheet
from ndcg_sql.loading.storing import Stored, check_strict, store_judgments, store_run
from ndcg_sql.loading.unkept import advising
from ndcg_sql.reading.columns import NO_RUNS
from ndcg_sql.reading.proposals import proposed
from ndcg_sql.reading.sources import Source, Streams, origin
from ndcg_sql.requests import choices
from ndcg_sql.requests.shared import check_choice
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name, shown
from ndcg_sql.text import check_name, counted, now, quoted
from ndcg_sql.wording import Text, Wording, joined, named, use

__all__ = ["Options", "Ranked", "load"]

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

    count is the number of files; taken are the names that those loaded so far have
    given; ignored are their columns that nothing was read from, subtopic the one of
    them that may name subtopics, warned the warnings about them. command is the
    request that was made, if it lacks fields of what loads such files.
    """

    database: Database
    kind: Ranked
    options: Options
    messages: Messages
    streams: Streams | None
    count: int
    taken: dict[str, Path] = field(default_factory=dict[str, Path])
    ignored: dict[str, None] = field(default_factory=dict[str, None])
    subtopic: str | None = None
    warned: dict[Wording, None] = field(default_factory=dict[Wording, None])
    command: type | None = None

    def advising(self, *paths: Path) -> AbstractContextManager[None]:
        """Tell, inside, what is wrong with files by fields that the user can give."""
        if self.command is None:
            return nullcontext()
        return advising(self.command, REQUESTS[self.kind], self.options, *paths)


def load(
    database: Database,
    kind: Ranked,
    paths: list[Path],
    options: Options,
    messages: Messages,
    streams: Streams | None = None,
    command: type | None = None,
) -> list[LoadedItem]:
    """Load files as runs or judgment sets, in one transaction; return what they are.

    A file that names several runs becomes as many. Evaluates a new run with the
    newest judgment set of its dataset, and a new judgment set with every run of its
    dataset. Removes what is replaced. streams holds the files that are already
    open; command is the request that was made, if it loads other things, too. If
    anything is wrong with any of the files, raises NdcgSqlError, which reports every
    bad file, and changes nothing; with keep_going, the good files are loaded
    nevertheless, each in a transaction of its own.
    """
    _check(kind, options)
    # A file that is named twice is unchanged the second time.
    paths = list(dict.fromkeys(paths))
    work = _Load(
        database, kind, options, messages, streams, len(paths), command=command
    )
    each = iter(progress.files(paths))
    faults: list[NdcgSqlError] = []
    loaded: list[Stored] = []
    if options.keep_going:
        for path in each:
            loaded += _load_together(work, iter([path]), faults)
    else:
        loaded = _load_together(work, each, faults)
    if work.ignored and (options.keep_going or not faults):
        likely = ("subtopic", work.subtopic, "names subtopics")
        messages.tell(doubts.ignored_columns(work.ignored, *likely))
    if faults:
        with work.advising(*paths):
            raise _combined(faults, len(paths), options.keep_going)
    return [one.item for one in loaded if one.item]


def _load_together(
    work: _Load, paths: Iterator[Path], faults: list[NdcgSqlError]
) -> list[Stored]:
    """Load files in one transaction, or add what is wrong with each to faults."""
    loaded: list[Stored] = []
    new_faults: list[NdcgSqlError] = []
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
        new_faults.append(error)
    # After the first bad file, the transaction is over: the others are only checked.
    for path in paths:
        try:
            _load_file(work, path, None)
        except NdcgSqlError as error:
            new_faults.append(error)
    faults += new_faults
    if new_faults:
        return []
    for one in loaded:
        # Runs with the same judgments lack the same measures.
        new = [line for line in one.warnings if line not in work.warned]
        work.warned |= dict.fromkeys(new)
        replace(one, warnings=new).tell(work.messages)
    return loaded


def _combined(faults: list[NdcgSqlError], count: int, keep_going: bool) -> NdcgSqlError:
    """Return one error for all bad files of a command."""
    if len(faults) == 1 and not (keep_going and count > 1):
        return faults[0]
    if len(faults) == count and (combined := asking.together(faults)):
        return combined
    bad = f"{len(faults)} of {counted(count, 'file')}"
    good = count - len(faults)
    if keep_going:
        last: Wording = f"not loaded: {bad}"
    else:
        last = f"{bad} cannot be loaded; nothing was loaded"
        if good:
            last += "; to load the others: " + use(keep_going=True)
    text = joined([*(fault.message for fault in faults), last], "\n")
    rows = [error for error in faults if isinstance(error, BadRowsError)]
    checks = frozenset[str]().union(*(error.checks for error in rows))
    return BadRowsError(text, checks, all(error.compared for error in rows))


def _check(kind: Ranked, options: Options) -> None:
    check_choice("duplicates", options.duplicates, choices.Duplicates)
    check_decimal(options.decimal)
    check_choice("name_from", options.name_from, choices.NameFrom)
    check_choice("position_rule", options.position_rule, choices.PositionRule)
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
    names: list[tuple[str, str | None]] = [("dataset", options.dataset)]
    if kind == "run" and is_pattern(options.name):
        naming(options.name or "", "file", options.tags, options.run_at)
    else:
        names.append((KINDS[kind], options.name))
    names += [("tag", part) for tag in options.tags.items() for part in tag]
    check_names(names)


@dataclass(frozen=True)
class _Entry:
    """What a file, or a part of it, becomes; run is the name that its rows give."""

    name: str
    content_hash: str
    run: str = ""
    details: Details = field(default_factory=Details)


def _load_file(
    work: _Load, path: Path, begin: Callable[[], None] | None
) -> list[Stored]:
    """Load one file; begin is called before anything is written.

    Without begin, the file is only checked.
    """
    database, options = work.database, work.options
    with work.advising(path), ExitStack() as stack:
        files = stack.enter_context(
            opened(database, work.kind, path, options, work.messages, work.streams)
        )
        source = files.source
        file = asking.argument_of(path, source, work.streams)
        if work.kind == "run" and source.readable.stat().st_size <= _LITTLE:
            stack.enter_context(database.on_one_thread())
        name, names = _named(work.kind, options, path)
        base = _base(database, name, options)
        whole = content_hash(
            work.kind, options, files, base.content_hash if base else None
        )
        # The same content again needs no reading. The rows of other content may be
        # the same, or give other names than the file's, which then need not be free.
        is_named = options.name_from == "file" and not (names and names.columns)
        if is_named and not options.tag_columns and options.run_at_column is None:
            entry = _Entry(name, whole)
            old = _namesake(work, path, entry, source, replacing=True)
            if old.message and work.taken.get(name, path) == path:
                work.taken[name] = path
                return [Stored(old.message, item=old.unchanged)]

        def prepared(chosen: Options) -> tuple[Rows, dict[str, _Entry]]:
            """Stage the rows; return the entries that they become, by name."""
            chosen_name, names = _named(work.kind, chosen, path)
            rows = stage_rows(database, work.kind, chosen, files, names)
            return rows, _entries(work, chosen, source, rows, chosen_name, whole)

        try:
            rows, entries = prepared(options)
            if progress.is_shown() and not database.is_scratch:
                [(count,)] = database.execute("select count(*) from staged")
                progress.counted(count, "rows")
        except NdcgSqlError as error:
            # What evaluates files alone is another command.
            raise asking.all_at_once(
                REQUESTS[work.kind],
                options,
                None if database.is_scratch else file,
                error,
                lambda chosen: prepared(chosen)[0],
                source.shown,
                is_alone=work.count == 1,
                constants=lambda chosen, rows: (
                    constants(Sheet(database, work.kind, source, rows.how, chosen))
                    if not database.is_scratch
                    else {}
                ),
            ) from None
        warnings = tuple(asking.naming_in(one, file) for one in rows.warnings)
        rows = replace(rows, warnings=warnings)
        # The rows of a clean run are not staged for a single command.
        if not (rows.clean and database.is_scratch):
            rounded = doubts.rounded_ids(database, source, rows.how)
            rows = replace(rows, warnings=(*rows.warnings, *rounded))
        if begin is not None:
            work.ignored |= dict.fromkeys(rows.how.ignored)
            if work.kind == "judgments" and not rows.has_subtopics:
                likely = proposed("subtopic", rows.how.ignored)
                work.subtopic = work.subtopic or likely
        namesakes = {
            one: _namesake(work, path, entry, source, options.replace, rows)
            for one, entry in entries.items()
        }
        if all(old.message for old in namesakes.values()):
            return [
                Stored(old.message, item=old.unchanged) for old in namesakes.values()
            ]
        if begin is None:
            return []
        begin()
        if rows.runs:
            database.execute("drop table if exists temp.staged_runs")
            database.execute("alter table temp.staged rename to staged_runs")
        loaded = _introduced(source, rows, options)
        for one, old in namesakes.items():
            if old.message:
                loaded.append(Stored(old.message, item=old.unchanged))
                continue
            if rows.runs:
                database.execute(
                    "create or replace temp table staged as from staged_runs"
                    " where run = $run",
                    {"run": entries[one].run},
                )
            loaded.append(_store(work, path, entries[one], base, old, rows))
        return loaded


def _named(kind: Ranked, options: Options, path: Path) -> tuple[str, Naming | None]:
    """Return the name of a file that is one run, and the pattern of names, if any."""
    file_name = options.names.get(path) or default_name(path)
    if options.prefix is not None:
        return options.prefix + file_name, None
    if kind != "run" or options.name is None or not is_pattern(options.name):
        return options.name or file_name, None
    names = naming(options.name, file_name, options.tags, options.run_at)
    return names.text, names


def _entries(
    work: _Load,
    options: Options,
    source: Source,
    rows: Rows,
    name: str,
    whole: str,
) -> dict[str, _Entry]:
    """Return what the rows of a file become, by name."""
    sheet = Sheet(work.database, work.kind, source, rows.how, options)
    said = details(sheet, bool(rows.runs))
    if not rows.runs:
        name = _name_of_rows(work, source, rows, name)
        of_rows = next(iter(said.values()), Details())
        return {name: _Entry(name, whole, details=of_rows)}
    if options.name is not None and not is_pattern(options.name):
        pattern = options.name + "-{run}"
        fact = Text(use(name=options.name), f" names one run, not {len(rows.runs)}")
        raise NdcgSqlError(
            what_divides(source, rows.runs, rows.namer),
            Text(
                named("name"),
                " names one run: name each by a pattern, such as ",
                use(name=pattern),
                ", or load all rows as one run: ",
                use(run_column=NO_RUNS),
            ),
            offer=Offer(fact, {"name": pattern}),
        )
    prefix = options.prefix or ""
    return {
        run: _Entry(
            run,
            hash_of_run(whole, run.removeprefix(prefix)),
            run,
            said.get(run.removeprefix(prefix), Details()),
        )
        for run in rows.runs
    }


def _name_of_rows(work: _Load, source: Source, rows: Rows, name: str) -> str:
    """Return the name of a file that is one run: the file's, or the run's own."""
    options = work.options
    by_rows = options.name_from == "tag"
    if is_pattern(options.name) and work.kind == "run":
        by_rows = not name
    if not by_rows:
        return name
    if rows.run is None:
        setting = use(name=options.name) if options.name else use(name_from="tag")
        raise NdcgSqlError(
            f"{source.shown}: names no run, as " + setting + " expects",
            "omit it, or name the run: " + use(name="NAME"),
        )
    return (options.prefix or "") + rows.run


def _introduced(source: Source, rows: Rows, options: Options) -> list[Stored]:
    """Return the messages about what the rows of a file are, if they need any.

    If the user is strict, raises NdcgSqlError for a warning.
    """
    check_strict(options.strict, rows.warnings)
    introduced = [Stored("", rows.warnings)] if rows.warnings else []
    if rows.runs:
        runs = counted(len(rows.runs), "run")
        introduced.append(Stored(f"{source.shown}: {runs}, named by {rows.namer}"))
    return introduced


def _store(
    work: _Load,
    path: Path,
    entry: _Entry,
    base: _Base | None,
    old: Namesake,
    rows: Rows,
) -> Stored:
    """Store the staged rows under a name, in place of what is to be replaced."""
    database, options = work.database, work.options
    name = entry.name
    dropped = rows.dropped.get(entry.run, 0)
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
        "content_hash": entry.content_hash,
        "loaded_at": now(),
        "position_rule": rows.rule,
    }
    replaced = old.remove(database)
    labels = replaced.labels(
        {**options.tags, **entry.details.tags},
        entry.details.run_at or options.run_at,
    )
    parameters["run_at"] = labels.run_at
    loaded = (
        store_run(
            database,
            parameters,
            labels.tags,
            options.evaluate,
            options.strict,
            rows.clean,
            replaced.sets,
            # What ranks say of equal scores was told when they were read.
            is_order_known=options.is_rule_chosen or "rank" in rows.how.fields,
        )
        if work.kind == "run"
        else store_judgments(
            database,
            parameters,
            options.evaluate,
            options.strict,
            rows.has_subtopics,
        )
    )
    built = ""
    if base is not None and options.base is not None:
        others = doubts.other_scale(database, name, base.id, options.base)
        check_strict(options.strict, others)
        others += doubts.beyond_base(database, options.base, parameters)
        loaded = replace(loaded, warnings=[*loaded.warnings, *others])
        # A negative grade counts as unjudged.
        judged = "(select count(*) from staged where grade >= 0)"
        of_base = "(select count(*) from base_judgments where grade >= 0)"
        [(more,)] = database.execute(f"select {judged} - {of_base}")
        built = f", {more} more than {quoted(options.base)}"
    done: Outcome = "replaced" if old.ids else "loaded"
    what = f"{done} {KINDS[work.kind]} {quoted(name)}{built}"
    line = Text(f"{what}: ", loaded.line, noted, kept, labels.said)
    queries, stored = loaded.counts
    item = LoadedItem(KINDS[work.kind], name, done, stored, queries, rows.how.ignored)
    return replace(loaded, line=line, note=loaded.note or labels.note, item=item)


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
    subtopics.check_base(database, options.base, entry.id)
    database.execute(
        "create or replace temp table base_judgments as"
        " select query_id, doc_id, grade, label from judgments"
        " where judgment_set_id = $id",
        {"id": entry.id},
    )
    return _Base(*same_name(database, "judgment set", options.dataset, options.base)[0])


def _namesake(
    work: _Load,
    path: Path,
    entry: _Entry,
    source: Source,
    replacing: bool,
    rows: Rows | None = None,
) -> Namesake:
    """Return the entry that already has the name of what a file becomes.

    Without rows, the file was not read yet, and may get other names. Raises
    NdcgSqlError if another file of the command got the name.
    """
    kind, options, name = work.kind, work.options, entry.name
    is_divided = rows is not None and bool(rows.runs)
    fault = check_name(KINDS[kind], name)
    if fault and rows:
        is_in_file = is_divided or options.name_from == "tag"
        raise NdcgSqlError(
            fault, f"rename it in {source.shown}" if is_in_file else ANOTHER_NAME
        )

    def otherwise(run_id: int) -> Otherwise:
        if kind != "run":
            return Otherwise()
        tags = {**options.tags, **entry.details.tags}
        run_at = entry.details.run_at or options.run_at
        return said_otherwise(work.database, run_id, tags, run_at)

    def has_rows(number: int) -> bool:
        if rows is None or options.base is not None:
            return False
        return is_same(work.database, kind, number, entry.run, rows)

    def remedy() -> Wording:
        return _another_name(work, path, source, rows) if rows else ANOTHER_NAME

    other = work.taken.get(name)
    if rows and other is not None and other != path:
        way = "load them one by one with " + use(name="NAME")
        if is_divided:
            way = "name each by its file, too: " + use(name="{file}-{run}")
        raise NdcgSqlError(
            f"{shown(other)} and {shown(path)}: both would be {KINDS[kind]}"
            f" {quoted(name)}",
            way,
        )
    old = namesake(
        work.database,
        KINDS[kind],
        name,
        options.dataset,
        entry.content_hash,
        replacing,
        source.shown,
        otherwise,
        remedy,
        has_rows,
    )
    if rows:
        work.taken[name] = path
    return old


def _another_name(work: _Load, path: Path, source: Source, rows: Rows) -> Wording:
    """Return how to load a file whose names are taken, under others."""
    options = work.options
    if work.kind != "run":
        return ANOTHER_NAME
    file_name = options.names.get(path) or default_name(path)
    sheet = Sheet(work.database, work.kind, source, rows.how, options)
    if pattern := free_pattern(sheet, rows.runs, file_name):
        return Text("name it by a pattern, such as: ", use(name=pattern))
    if work.count > 1 or rows.runs:
        prefixed = use(prefix=now()[:10] + "/")
        return Text("put something in front of its name, such as: ", prefixed)
    return ANOTHER_NAME
