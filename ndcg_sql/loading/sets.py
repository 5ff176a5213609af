"""Loading runs and judgment sets: all files of a command, or none."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import KINDS, choose_entry
from ndcg_sql.loading import warnings
from ndcg_sql.loading.files import content_hash, is_same, opened, stage_rows
from ndcg_sql.loading.judged_columns import store_attributes
from ndcg_sql.loading.loaded import LoadedItem, Stored
from ndcg_sql.loading.naming import NewEntry, is_pattern, name_of, naming, new_entries
from ndcg_sql.loading.options import Options, Ranked, check_decimal, check_names
from ndcg_sql.loading.replacing import Namesake, changed_labels, namesake, same_name
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.sheets import Files, Rows, Sheet
from ndcg_sql.loading.storing import store_judgments, store_run
from ndcg_sql.reading.proposals.refusals import add_proposal, argument_of, naming_in
from ndcg_sql.reading.sources import Source, Streams, origin
from ndcg_sql.requests import choices
from ndcg_sql.requests.shared import check_choice, not_with
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import shown
from ndcg_sql.text import check_name, counted, now, quoted
from ndcg_sql.wording import Text, Wording, joined, named, use

__all__ = ["Options", "Ranked", "load"]

# A run of at most as many bytes is loaded on one thread.
_LITTLE = 4 * 2**20


@dataclass
class _Loading:
    """The loading of the files of a command.

    taken are the names that the files loaded so far have given; ignored are their
    columns that nothing was read from.
    """

    database: Database
    kind: Ranked
    options: Options
    messages: Messages
    streams: Streams | None
    is_alone: bool
    taken: dict[str, Path] = field(default_factory=dict[str, Path])
    ignored: dict[str, None] = field(default_factory=dict[str, None])

    def load_file(self, path: Path, begin: Callable[[], None]) -> list[Stored]:
        """Load one file; begin is called before anything is written."""
        database, options = self.database, self.options
        with ExitStack() as stack:
            opening = database, self.kind, path, options, self.messages, self.streams
            files = stack.enter_context(opened(*opening))
            source = files.source
            if self.kind == "run" and source.readable.stat().st_size <= _LITTLE:
                # A second thread costs more than little work saves.
                stack.enter_context(database.setting("threads", "1"))
            base = _base(database, path, options)
            whole = content_hash(self.kind, options, files, base and base[1])
            unchanged = self._unchanged(path, source, whole)
            if unchanged and not options.attributes:
                return [unchanged]
            rows, entries = self._staged(path, files, whole)
            self.ignored |= dict.fromkeys(rows.how.ignored)
            old = {
                name: self._namesake(path, entry, source, rows)
                for name, entry in entries.items()
            }
            same = [one.unchanged for one in old.values() if one.unchanged]
            if len(same) == len(entries) and not options.attributes:
                return same
            begin()
            if rows.runs:
                database.execute("drop table if exists temp.staged_runs")
                database.execute("alter table temp.staged rename to staged_runs")
            attributes: list[Stored] = []
            if options.attributes:
                names = options.attributes
                attributes = store_attributes(database, options.dataset, names)
            notes = warnings.comments(source, rows.comments)
            loaded = [Stored("", rows.warnings, notes=notes)]
            if rows.runs:
                runs = counted(len(rows.runs), "run")
                named_by = f"{source.shown}: {runs}, named by {rows.namer}"
                loaded.append(Stored(named_by))
            for name, entry in entries.items():
                stored = old[name].unchanged
                stored = stored or self._store(path, entry, base, old[name], rows)
                loaded.append(stored)
            return loaded + attributes

    def _unchanged(self, path: Path, source: Source, whole: str) -> Stored | None:
        """Return the message that a file is loaded already, found without reading it.

        whole is the hash of its content. Rows of other content may be the same, or give
        other names than the file's, which then need not be free.
        """
        options = self.options
        name, names = name_of(self.kind, options, path)
        by_rows = options.name_from != "file" or (names and names.columns)
        if by_rows or options.tag_columns or options.run_at_column is not None:
            return None
        old = self._namesake(path, NewEntry(name, whole), source)
        if old.unchanged and self.taken.setdefault(name, path) == path:
            return old.unchanged
        return None

    def _namesake(
        self, path: Path, entry: NewEntry, source: Source, rows: Rows | None = None
    ) -> Namesake:
        """Return the entry that already has the name of what a file becomes.

        Without rows, the file was not read yet, and may get other names. Raises
        NdcgSqlError if another file of the command got the name.
        """
        database, options, kind = self.database, self.options, KINDS[self.kind]
        if rows is not None:
            self._check_name(path, entry.name, source, bool(rows.runs))

        def differing(run_id: int) -> list[str]:
            if self.kind != "run":
                return []
            return changed_labels(database, run_id, *self._labels(entry))

        def has_rows(number: int) -> bool:
            if rows is None or options.base is not None:
                return False
            return is_same(database, self.kind, number, entry.run, rows)

        return namesake(
            database,
            kind,
            entry.name,
            options.dataset,
            entry.content_hash,
            options.replace or rows is None,
            source.shown,
            differing,
            has_rows,
        )

    def _labels(self, entry: NewEntry) -> tuple[dict[str, str], str | None]:
        """Return the tags and the time that the user, or the file, says of a run."""
        options = self.options
        return {**options.tags, **entry.tags}, entry.run_at or options.run_at

    def _check_name(
        self, path: Path, name: str, source: Source, is_divided: bool
    ) -> None:
        """Raise NdcgSqlError for a name that is none, or is that of another file."""
        kind = KINDS[self.kind]
        if fault := check_name(kind, name):
            if is_divided or self.options.name_from == "tag":
                raise refusal("bad_name_in_file", fault=fault, file=source.shown)
            raise refusal("bad_name", fault=fault)
        other = self.taken.setdefault(name, path)
        if other != path:
            files = {"other": shown(other), "path": shown(path)}
            about = {"kind": kind, "entry": name, **files}
            if is_divided:
                raise refusal("names_of_runs_twice", name="{file}-{run}", **about)
            raise refusal("name_twice", **about)

    def _staged(
        self, path: Path, files: Files, whole: str
    ) -> tuple[Rows, dict[str, NewEntry]]:
        """Stage the rows of a file; return them, and what they become by name.

        Raises NdcgSqlError, which tells all that the file needs at once.
        """
        database, source, options = self.database, files.source, self.options
        is_kept = not database.is_scratch
        file = argument_of(path, source, self.streams)
        name, names = name_of(self.kind, options, path)
        try:
            rows = stage_rows(database, self.kind, options, files, names)
            sheet = Sheet(database, self.kind, source, rows.how, options)
            entries = new_entries(sheet, rows, name, whole)
        except NdcgSqlError as error:
            # What evaluates files alone is another command.
            argument = file if is_kept else None
            method = f"load_{self.kind}"
            add_proposal(error, method, options, source, argument, self.is_alone)
            raise
        if progress.is_shown() and is_kept:
            [(count,)] = database.execute("select count(*) from staged")
            progress.counted(count, "rows")
        doubts = [*rows.warnings]
        # The rows of a clean run are not staged for a single command.
        if is_kept or not rows.clean:
            doubts += warnings.rounded_ids(database, source, rows.how)
        doubts = [naming_in(one, file) for one in doubts]
        return replace(rows, warnings=tuple(doubts)), entries

    def _store(
        self,
        path: Path,
        entry: NewEntry,
        base: tuple[int, str] | None,
        old: Namesake,
        rows: Rows,
    ) -> Stored:
        """Store the staged rows under a name, in place of what is to be replaced."""
        database, options, name = self.database, self.options, entry.name
        if rows.runs:
            of_run = "from staged_runs where run = $run"
            make = f"create or replace temp table staged as {of_run}"
            database.execute(make, {"run": entry.run})
        dropped = _dropped(entry, rows, options)
        tags, run_at = self._labels(entry)
        parameters: Parameters = {
            "policy": "extended" if base else None,
            "parent_kind": "judgments",
            "parent_ids": [base[0]] if base else [],
            "dataset": options.dataset,
            "name": name,
            "source": "; ".join((origin(path, self.streams), *dropped)),
            "content_hash": entry.content_hash,
            "loaded_at": now(),
            "position_rule": rows.rule,
            "run_at": run_at,
        }
        doubts: list[Wording] = []
        built = ""
        if self.kind == "run":
            loaded = store_run(
                database,
                parameters,
                old,
                tags,
                options.evaluate,
                rows.clean,
                empty=rows.empty_of(entry.run),
                dropped=[*dropped.values()],
                # What ranks say of equal scores was told when they were read.
                is_order_known=options.is_rule_chosen or "rank" in rows.how.fields,
            )
            line = loaded.line
        else:
            evaluating, has_subtopics = options.evaluate, rows.has_subtopics
            judged = database, parameters, old, evaluating, has_subtopics
            loaded = store_judgments(*judged)
            line = joined((loaded.line, *dropped.values()), "; ")
        if base is not None and options.base is not None:
            values = {"judgment_set": name, "base": options.base}
            ids = {"base_id": base[0]}
            doubts = warnings.each(database, "two_scales", ids, **values)
            # A negative grade counts as unjudged.
            count = "(select count(*) from {} where grade >= 0)".format
            more = f"select {count('staged')} - {count('base_judgments')}"
            built = f", {database.execute(more)[0][0]} more than {quoted(options.base)}"
        kind = KINDS[self.kind]
        what = f"{old.outcome} {kind} {quoted(name)}{built}: "
        # What evaluates files alone does not tell the line.
        notes = dropped.values() if database.is_scratch else ()
        return replace(
            loaded,
            line=what + Text(line),
            warnings=[*loaded.warnings, *doubts],
            item=loaded.item and replace(loaded.item, ignored=rows.how.ignored),
            notes=[Text(f"{kind} {quoted(name)}: ", one) for one in notes],
        )


def load(
    database: Database,
    kind: Ranked,
    paths: list[Path],
    options: Options,
    messages: Messages,
    streams: Streams | None = None,
) -> list[LoadedItem]:
    """Load files as runs or judgment sets, in one transaction; return what they are.

    A file that names several runs becomes as many. Evaluates a new run with the
    newest judgment set of its dataset, and a new judgment set with every run of its
    dataset. Removes what is replaced. streams holds the files that are already
    open. If anything is wrong with any of the files, raises NdcgSqlError, and changes
    nothing.
    """
    _check(kind, options)
    # A file that is named twice is unchanged the second time.
    paths = list(dict.fromkeys(paths))
    loading = _Loading(database, kind, options, messages, streams, len(paths) == 1)
    loaded: list[Stored] = []
    with ExitStack() as stack:
        # A transaction begins once, and late: DuckDB reads rows that it has
        # written itself on one thread.
        begin = cache(lambda: stack.enter_context(database.transaction()))
        for path in progress.files(paths):
            loaded += loading.load_file(path, begin)
        every = [warning for one in loaded for warning in one.warnings]
        warnings.check_strict(options.strict, every)
    doubts: set[Wording] = set()
    for one in loaded:
        # Runs with the same judgments lack the same measures.
        new = [line for line in one.warnings if line not in doubts]
        doubts.update(new)
        replace(one, warnings=new).tell(messages)
    if loading.ignored:
        ignored = warnings.ignored_columns(loading.ignored)
        of_queries = Text("; to keep one of queries: ", use(attributes=["NAME"]))
        messages.tell(Text(ignored, of_queries if kind == "judgments" else ""))
    return [item for one in loaded for item in one.items]


def _check(kind: Ranked, options: Options) -> None:
    check_choice("duplicates", options.duplicates, choices.Duplicates)
    if options.unit is not None and options.unit_before is not None:
        raise not_with("unit", "unit_before")
    for name in ("unit", "unit_before"):
        if getattr(options, name) == "":
            raise refusal("empty_field", field=named(name))
    check_decimal(options.decimal)
    check_choice("name_from", options.name_from, choices.NameFrom)
    check_choice("position_rule", options.position_rule, choices.PositionRule)
    if options.name_from != "file" and options.name is not None:
        raise refusal("name_beside_name_from")
    names: list[tuple[str, str | None]] = [("dataset", options.dataset)]
    if kind == "run" and is_pattern(options.name):
        naming(options.name or "", "file", options.tags, options.run_at)
    else:
        names.append((KINDS[kind], options.name))
    names += [("tag", part) for tag in options.tags.items() for part in tag]
    names += [("attribute", name) for name in options.attributes]
    check_names(names)


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


def _base(database: Database, path: Path, options: Options) -> tuple[int, str] | None:
    """Stage the judgments of the base set of a file, if any.

    Return its id and the hash of its content.
    """
    if options.base is None:
        return None
    name, _ = name_of("judgments", options, path)
    if database.is_new:
        raise refusal("no_base", base=options.base)
    entry = choose_entry(database, "judgment set", options.base, options.dataset)
    if options.base == name:
        raise refusal("own_base", base=name)
    sql = "from subtopic_judgments where judgment_set_id = $id limit 1"
    if database.execute(sql, {"id": entry.id}):
        raise refusal("subtopics_extended", base=options.base)
    database.execute(
        "create or replace temp table base_judgments as"
        " select query_id, doc_id, grade, label from judgments"
        " where judgment_set_id = $id",
        {"id": entry.id},
    )
    return same_name(database, "judgment set", options.dataset, options.base)[0]
