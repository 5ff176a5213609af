"""Loading runs and judgment sets: all files of a command, or none."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import BadRowsError, DiskFullError, LockedError, NdcgSqlError
from ndcg_sql.evaluation.entries import KINDS, choose_entry
from ndcg_sql.loading import doubts, subtopics
from ndcg_sql.loading.files import content_hash, opened, stage_rows
from ndcg_sql.loading.loaded import LoadedItem, Outcome, same_name
from ndcg_sql.loading.naming import is_pattern, naming
from ndcg_sql.loading.new_entries import (
    NewEntry,
    Work,
    name_of,
    namesake_of,
    new_entries,
)
from ndcg_sql.loading.options import (
    Options,
    Ranked,
    check_decimal,
    check_names,
)
from ndcg_sql.loading.query_attributes import store_attributes
from ndcg_sql.loading.replacing import ANOTHER_NAME, Namesake
from ndcg_sql.loading.sheets import Files, Rows
from ndcg_sql.loading.storing import Stored, check_strict, store_judgments, store_run
from ndcg_sql.reading.proposals.refusals import add_proposal, argument_of, naming_in
from ndcg_sql.reading.sources import Source, Streams, origin
from ndcg_sql.requests import choices
from ndcg_sql.requests.shared import check_choice, not_with
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, now, quoted
from ndcg_sql.wording import Text, joined, named, use

__all__ = ["Options", "Ranked", "load"]

# A run of at most as many bytes is loaded on one thread.
_LITTLE = 4 * 2**20


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
    command: str | None = None,
) -> list[LoadedItem]:
    """Load files as runs or judgment sets, in one transaction; return what they are.

    A file that names several runs becomes as many. Evaluates a new run with the
    newest judgment set of its dataset, and a new judgment set with every run of its
    dataset. Removes what is replaced. streams holds the files that are already
    open; command is the method that was called, if it loads other things, too. If
    anything is wrong with any of the files, raises NdcgSqlError, which reports every
    bad file, and changes nothing.
    """
    _check(kind, options)
    # A file that is named twice is unchanged the second time.
    paths = list(dict.fromkeys(paths))
    work = Work(database, kind, options, messages, streams, len(paths), command=command)
    loaded, faults = _load_together(work, iter(progress.files(paths)))
    if faults:
        raise _combined(faults, len(paths))
    for one in loaded:
        # Runs with the same judgments lack the same measures.
        new = [line for line in one.warnings if line not in work.warned]
        work.warned |= dict.fromkeys(new)
        replace(one, warnings=new).tell(work.messages)
    if work.ignored:
        ignored = doubts.ignored_columns(work.ignored)
        of_queries = Text("; to keep one of queries: ", use(attributes=["NAME"]))
        messages.tell(Text(ignored, of_queries if kind == "judgments" else ""))
    return [one.item for one in loaded if one.item]


def _load_together(
    work: Work, paths: Iterator[Path]
) -> tuple[list[Stored], list[NdcgSqlError]]:
    """Load files in one transaction; return what they are, and what is wrong."""
    loaded: list[Stored] = []
    faults: list[NdcgSqlError] = []
    try:
        with ExitStack() as stack:
            # A transaction begins once, and late: DuckDB reads rows that it has
            # written itself on one thread.
            begin = cache(lambda: stack.enter_context(work.database.transaction()))
            for path in paths:
                loaded += _load_file(work, path, begin)
            warnings = [warning for one in loaded for warning in one.warnings]
            check_strict(work.options.strict, warnings)
    except (DiskFullError, LockedError):
        # These are no fault of a file.
        raise
    except NdcgSqlError as error:
        faults.append(error)
    # After the first bad file, the transaction is over: the others are only checked.
    for path in paths:
        try:
            _load_file(work, path, None)
        except NdcgSqlError as error:
            faults.append(error)
    return loaded, faults


def _combined(faults: list[NdcgSqlError], count: int) -> NdcgSqlError:
    """Return one error for all bad files of a command."""
    if len(faults) == 1:
        return faults[0]
    bad = f"{len(faults)} of {counted(count, 'file')} cannot be loaded"
    last = f"{bad}; nothing was loaded"
    text = joined([*(fault.message for fault in faults), last], "\n")
    rows = [error for error in faults if isinstance(error, BadRowsError)]
    checks = frozenset[str]().union(*(error.checks for error in rows))
    return BadRowsError(
        *(text, checks, all(error.compared for error in rows)),
        scored=all(error.scored for error in rows),
    )


def _check(kind: Ranked, options: Options) -> None:
    check_choice("duplicates", options.duplicates, choices.Duplicates)
    if options.unit is not None and options.unit_before is not None:
        raise not_with("unit", "unit_before")
    for name in ("unit", "unit_before"):
        if getattr(options, name) == "":
            raise NdcgSqlError("is empty", "omit it", where=named(name))
    check_decimal(options.decimal)
    check_choice("name_from", options.name_from, choices.NameFrom)
    check_choice("position_rule", options.position_rule, choices.PositionRule)
    if options.name_from != "file" and options.name is not None:
        raise NdcgSqlError(
            named("name") + " already names the run",
            "omit one",
            where=named("name_from"),
        )
    names: list[tuple[str, str | None]] = [("dataset", options.dataset)]
    if kind == "run" and is_pattern(options.name):
        naming(options.name or "", "file", options.tags, options.run_at)
    else:
        names.append((KINDS[kind], options.name))
    names += [("tag", part) for tag in options.tags.items() for part in tag]
    names += [("attribute", name) for name in options.attributes]
    check_names(names)


def _load_file(
    work: Work, path: Path, begin: Callable[[], None] | None
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
        if work.kind == "run" and source.readable.stat().st_size <= _LITTLE:
            stack.enter_context(database.on_one_thread())
        base = _base(database, path, options)
        base_hash = base.content_hash if base else None
        whole = content_hash(work.kind, options, files, base_hash)
        unchanged = _unchanged(work, path, source, whole)
        if unchanged and not options.attributes:
            return [unchanged]
        rows, entries = _staged(work, path, files, whole)
        if begin is not None:
            work.ignored |= dict.fromkeys(rows.how.ignored)
        namesakes = {
            name: namesake_of(work, path, entry, source, options.replace, rows)
            for name, entry in entries.items()
        }
        same = {
            name: Stored(old.message, item=old.unchanged)
            for name, old in namesakes.items()
            if old.message
        }
        if len(same) == len(entries) and not options.attributes:
            return [*same.values()]
        if begin is None:
            return []
        begin()
        if rows.runs:
            database.execute("drop table if exists temp.staged_runs")
            database.execute("alter table temp.staged rename to staged_runs")
        named = options.attributes
        attributes = store_attributes(database, options.dataset, named) if named else []
        return [
            *_introduced(source, rows),
            *(
                same.get(name) or _store(work, path, entries[name], base, old, rows)
                for name, old in namesakes.items()
            ),
            *attributes,
        ]


def _unchanged(work: Work, path: Path, source: Source, whole: str) -> Stored | None:
    """Return the message that a file is loaded already, found without reading it.

    whole is the hash of its content. Rows of other content may be the same, or give
    other names than the file's, which then need not be free.
    """
    options = work.options
    name, names = name_of(work.kind, options, path)
    by_rows = options.name_from != "file" or (names and names.columns)
    if by_rows or options.tag_columns or options.run_at_column is not None:
        return None
    old = namesake_of(work, path, NewEntry(name, whole), source, replacing=True)
    if not old.message or work.taken.get(name, path) != path:
        return None
    work.taken[name] = path
    return Stored(old.message, item=old.unchanged)


def _staged(
    work: Work, path: Path, files: Files, whole: str
) -> tuple[Rows, dict[str, NewEntry]]:
    """Stage the rows of a file; return them, and the entries that they become by name.

    Raises NdcgSqlError, which tells all that the file needs at once.
    """
    database, source = work.database, files.source
    is_kept = not database.is_scratch
    file = argument_of(path, source, work.streams)
    name, names = name_of(work.kind, work.options, path)
    try:
        rows = stage_rows(database, work.kind, work.options, files, names)
        entries = new_entries(work, work.options, source, rows, name, whole)
    except NdcgSqlError as error:
        add_proposal(
            *(error, f"load_{work.kind}", work.options, source),
            # What evaluates files alone is another command.
            file if is_kept else None,
            is_alone=work.count == 1,
        )
        raise
    if progress.is_shown() and is_kept:
        [(count,)] = database.execute("select count(*) from staged")
        progress.counted(count, "rows")
    warnings = [naming_in(one, file) for one in rows.warnings]
    # The rows of a clean run are not staged for a single command.
    if is_kept or not rows.clean:
        warnings += doubts.rounded_ids(database, source, rows.how)
    return replace(rows, warnings=tuple(warnings)), entries


def _introduced(source: Source, rows: Rows) -> list[Stored]:
    """Return the messages about what the rows of a file are, if they need any."""
    notes = doubts.comments(source, rows.comments)
    introduced = [Stored("", rows.warnings, notes=notes)]
    if rows.runs:
        runs = counted(len(rows.runs), "run")
        introduced.append(Stored(f"{source.shown}: {runs}, named by {rows.namer}"))
    return introduced


def _store(
    work: Work,
    path: Path,
    entry: NewEntry,
    base: _Base | None,
    old: Namesake,
    rows: Rows,
) -> Stored:
    """Store the staged rows under a name, in place of what is to be replaced."""
    database, options = work.database, work.options
    if rows.runs:
        database.execute(
            "create or replace temp table staged as from staged_runs where run = $run",
            {"run": entry.run},
        )
    name = entry.name
    dropped = _dropped(entry, rows, options)
    parameters: Parameters = {
        "policy": "extended" if base else None,
        "parent_kind": "judgments",
        "parent_ids": [base.id] if base else [],
        "dataset": options.dataset,
        "name": name,
        "source": "; ".join((origin(path, work.streams), *dropped)),
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
            rows.clean,
            replaced.sets,
            empty=rows.empty_of(entry.run),
            completed=replaced.id,
            # What ranks say of equal scores was told when they were read.
            is_order_known=options.is_rule_chosen or "rank" in rows.how.fields,
        )
        if work.kind == "run"
        else store_judgments(
            database,
            parameters,
            options.evaluate,
            rows.has_subtopics,
            is_strict=options.strict,
        )
    )
    built = ""
    if base is not None and options.base is not None:
        others = doubts.other_scale(database, name, base.id, options.base)
        others += doubts.beyond_base(database, options.base, parameters)
        loaded = replace(loaded, warnings=[*loaded.warnings, *others])
        # A negative grade counts as unjudged.
        judged = "(select count(*) from staged where grade >= 0)"
        of_base = "(select count(*) from base_judgments where grade >= 0)"
        [(more,)] = database.execute(f"select {judged} - {of_base}")
        built = f", {more} more than {quoted(options.base)}"
    done: Outcome = "replaced" if old.ids and not old.completes else "loaded"
    what = f"{done} {KINDS[work.kind]} {quoted(name)}{built}"
    gone = f"; its loaded values of {', '.join(replaced.forgotten)} are removed"
    said = joined((loaded.line, *dropped.values()), "; ")
    forgotten = labels.said + gone * bool(replaced.forgotten)
    line = Text(f"{what}: ", said, forgotten)
    queries, stored = loaded.counts
    item = LoadedItem(KINDS[work.kind], name, done, stored, queries, rows.how.ignored)
    # What evaluates files alone does not tell the line.
    notes = dropped.values() if database.is_scratch else ()
    notes = [Text(f"{KINDS[work.kind]} {quoted(name)}: ", one) for one in notes]
    note = loaded.note or labels.note
    return replace(loaded, line=line, note=note, item=item, notes=notes)


def _dropped(entry: NewEntry, rows: Rows, options: Options) -> dict[str, Text]:
    """Return which rows were dropped, for messages by what the warehouse says."""
    unit = "unit" if options.unit else "unit_before"
    reasons = (
        ("duplicate", rows.dropped, "duplicates"),
        ("chunk", rows.chunks, unit),
    )
    dropped: dict[str, Text] = {}
    for what, counts, name in reasons:
        if count := counts.get(entry.run, 0):
            value = getattr(options, name)
            text = f"{counted(count, what)} dropped ("
            dropped[f"{text}{name}: {value})"] = Text(text, use(**{name: value}), ")")
    return dropped


def _base(database: Database, path: Path, options: Options) -> _Base | None:
    """Stage the judgments of the base set of a file, if any."""
    if options.base is None:
        return None
    name, _ = name_of("judgments", options, path)
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
