"""Loading runs and judgment sets: all files of a command, or none."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import cast

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.entries import KINDS, choose_entry
from ndcg_sql.loading import warnings
from ndcg_sql.loading.files import content_hash, opened, stage_rows
from ndcg_sql.loading.judged_columns import store_attributes
from ndcg_sql.loading.loaded import LoadedItem, Stored
from ndcg_sql.loading.naming import (
    is_pattern,
    name_of,
    naming,
    new_entries,
    new_entry,
)
from ndcg_sql.loading.options import Options, Ranked, check_decimal, check_names
from ndcg_sql.loading.replacing import (
    Namesake,
    NewEntry,
    changed_labels,
    namesake,
    same_name,
)
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.sheets import Rows, Sheet
from ndcg_sql.loading.storing import store_judgments, store_run
from ndcg_sql.loading.tasks import Task
from ndcg_sql.reading.proposals.refusals import naming_in
from ndcg_sql.reading.sources import Source, Streams
from ndcg_sql.requests import choices
from ndcg_sql.requests.shared import check_choice, not_with
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import shown
from ndcg_sql.text import check_name, counted, quoted, sql_text
from ndcg_sql.wording import Text, Wording, joined, named, use

__all__ = ["Options", "Ranked", "load"]

# A run of at most as many bytes is loaded on one thread.
_LITTLE = 4 * 2**20


@dataclass(frozen=True)
class _Loading(Task):
    """The loading of runs or judgment sets.

    taken are the names that the files loaded so far have given; ignored are their
    columns that nothing was read from.
    """

    taken: dict[str, Path] = field(default_factory=dict[str, Path])
    ignored: dict[str, None] = field(default_factory=dict[str, None])

    @property
    def ranked(self) -> Ranked:
        """Its kind."""
        return cast("Ranked", self.kind)

    def load_file(self, path: Path, begin: Callable[[], None]) -> list[Stored]:
        """Load one file; begin is called before anything is written."""
        database, options, kind = self.database, self.options, self.ranked
        with ExitStack() as stack:
            opening = database, kind, path, options, self.messages, self.streams
            source = stack.enter_context(opened(*opening))
            if kind == "run" and source.readable.stat().st_size <= _LITTLE:
                # A second thread costs more than little work saves.
                stack.enter_context(database.setting("threads", "1"))
            base = _base(database, path, options)
            name, names = name_of(kind, options, path)
            hashed = content_hash(kind, options, source, base and base[1])
            whole = new_entry(kind, options, name, hashed)
            by_rows = options.name_from != "file" or (names and names.columns)
            labels = options.tag_columns or options.run_at_column is not None
            if not (by_rows or labels or options.attributes):
                # Rows of other content may be the same, or give other names than the
                # file's, which then need not be free.
                old = self._namesake(whole, source)
                if old.unchanged and self.taken.setdefault(name, path) == path:
                    return [old.unchanged]
            with self.proposing(path, source):
                rows = stage_rows(database, kind, options, source, names)
                sheet = Sheet(database, kind, source, rows.how, options)
                entries = new_entries(sheet, rows, whole)
            doubts = self._doubts(path, source, rows)
            self.ignored.update(dict.fromkeys(rows.how.ignored))
            for entry in entries:
                self._check_name(path, entry.name, source, bool(rows.runs))
            old = [self._namesake(entry, source, rows) for entry in entries]
            same = [one.unchanged for one in old if one.unchanged]
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
            loaded = [Stored("", doubts, notes=notes)]
            if rows.runs:
                runs = counted(len(rows.runs), "run")
                named_by = f"{source.shown}: {runs}, named by {rows.namer}"
                loaded.append(Stored(named_by))
            loaded += [
                one.unchanged or self._store(path, base, one, rows) for one in old
            ]
            return loaded + attributes

    def _doubts(self, path: Path, source: Source, rows: Rows) -> list[Text]:
        """Return the warnings of staged rows, after their number was shown."""
        database, is_kept = self.database, not self.database.is_scratch
        if progress.is_shown() and is_kept:
            [(count,)] = database.execute("select count(*) from staged")
            progress.counted(count, "rows")
        doubts = [*rows.warnings]
        # The rows of a clean run are not staged for a single command.
        if is_kept or not rows.clean:
            doubts += warnings.rounded_ids(database, source, rows.how)
        return [naming_in(one, self.argument(path, source)) for one in doubts]

    def _namesake(
        self, entry: NewEntry, source: Source, rows: Rows | None = None
    ) -> Namesake:
        """Return the entry that already has the name of what a file becomes.

        Without rows, the file was not read yet, and may get other names.
        """
        database, options = self.database, self.options

        def differing(number: int) -> list[str]:
            return changed_labels(database, entry, number)

        def has_rows(number: int) -> bool:
            if rows is None or options.base is not None:
                return False
            return _is_same(database, number, entry, rows)

        replacing = options.replace or rows is None
        about = entry, replacing, source.shown
        return namesake(database, *about, differing, has_rows)

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

    def _store(
        self, path: Path, base: tuple[int, str] | None, old: Namesake, rows: Rows
    ) -> Stored:
        """Store the staged rows under a name, in place of what is to be replaced."""
        database, options, entry = self.database, self.options, old.entry
        if rows.runs:
            of_run = "from staged_runs where run = $run"
            make = f"create or replace temp table staged as {of_run}"
            database.execute(make, {"run": entry.run})
        dropped = _dropped(entry, rows, options)
        origin = "; ".join((self.origin(path), *dropped))
        columns: Parameters = {"position_rule": rows.rule}
        doubts: list[Wording] = []
        if base is not None and options.base is not None:
            columns["policy"] = "extended"
            # A negative grade counts as unjudged.
            count = "(select count(*) from {} where grade >= 0)".format
            more = f"select {count('staged')} - {count('base_judgments')}"
            [(new,)] = database.execute(more)
            how = f", {new} more than {quoted(options.base)}"
            entry = replace(entry, how=how, parents=("judgments", [base[0]]))
        old = replace(old, entry=replace(entry, source=origin, columns=columns))
        if self.kind == "run":
            stored = store_run(
                database,
                old,
                options.evaluate,
                rows.clean,
                empty=rows.empty_of(entry.run),
                dropped=[*dropped.values()],
                # What ranks say of equal scores was told when they were read.
                is_order_known=options.is_rule_chosen or "rank" in rows.how.fields,
            )
        else:
            evaluating, has_subtopics = options.evaluate, rows.has_subtopics
            stored = store_judgments(database, old, evaluating, has_subtopics)
            line = joined((stored.line, *dropped.values()), "; ")
            stored = replace(stored, line=line)
        if base is not None:
            values = {"judgment_set": entry.name, "base": options.base}
            ids = {"base_id": base[0]}
            doubts = warnings.each(database, "two_scales", ids, **values)
        # What evaluates files alone does not tell the line.
        notes = dropped.values() if database.is_scratch else ()
        return replace(
            stored,
            warnings=[*stored.warnings, *doubts],
            item=stored.item and replace(stored.item, ignored=rows.how.ignored),
            notes=[Text(f"{entry.kind} {quoted(entry.name)}: ", one) for one in notes],
        )


def load(
    database: Database,
    kind: Ranked,
    paths: Sequence[Path],
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
    loading = _Loading(database, kind, paths, options, messages, streams)
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


def _is_same(database: Database, number: int, entry: NewEntry, rows: Rows) -> bool:
    """Return whether a stored run or judgment set has the staged rows of a new one.

    Those of a run that is placed by its file are at the same positions.
    """
    staged = "staged" + f" where run = {sql_text(entry.run)}" * bool(rows.runs)
    parameters: Parameters = {"id": number}
    if entry.kind == "run":
        parameters |= {"rule": rows.rule, "empty": rows.empty_of(entry.run)}
        of_file = "row_number() over (partition by query_id order by rank, line_number)"
        position = of_file if rows.rule == "given" else "null"
        columns = f"query_id, doc_id, score, {position} as position"
        compared = {"run": f"select {columns} from {staged}"}
    else:
        new = "staged_subtopics" if rows.has_subtopics else "subtopic_judgments limit 0"
        compared = {"judgments": f"from {staged}", "subtopics": f"from {new}"}
    for kind, select in compared.items():
        with database.hide("compared", select):
            if database.run(f"lookups/is_same_{kind}", parameters) != [(True,)]:
                return False
    return True


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
