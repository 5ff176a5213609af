"""What each file of a command becomes, and the names that this takes."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import KINDS
from ndcg_sql.loading.dividing import Details, details, what_divides
from ndcg_sql.loading.files import hash_of_run, is_same
from ndcg_sql.loading.naming import Naming, is_pattern, naming
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.loading.replacing import (
    ANOTHER_NAME,
    Namesake,
    Otherwise,
    namesake,
    said_otherwise,
)
from ndcg_sql.loading.sheets import Rows, Sheet
from ndcg_sql.loading.unkept import advising
from ndcg_sql.reading.columns import NO_RUNS
from ndcg_sql.reading.sources import Source, Streams
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import default_name, shown
from ndcg_sql.text import check_name, quoted
from ndcg_sql.wording import Text, Wording, named, use


@dataclass
class Work:
    """The loading of the files of a command.

    count is the number of files; taken are the names that those loaded so far have
    given; ignored are their columns that nothing was read from, warned the warnings
    about them. command is the method that was called, if it lacks fields of what loads
    such files.
    """

    database: Database
    kind: Ranked
    options: Options
    messages: Messages
    streams: Streams | None
    count: int
    taken: dict[str, Path] = field(default_factory=dict[str, Path])
    ignored: dict[str, None] = field(default_factory=dict[str, None])
    warned: dict[Wording, None] = field(default_factory=dict[Wording, None])
    command: str | None = None

    def advising(self, *paths: Path) -> AbstractContextManager[None]:
        """Tell, inside, what is wrong with files by fields that the user can give."""
        if self.command is None:
            return nullcontext()
        return advising(self.command, f"load_{self.kind}", self.options, *paths)


@dataclass(frozen=True)
class NewEntry:
    """What a file, or a part of it, becomes; run is the name that its rows give."""

    name: str
    content_hash: str
    run: str = ""
    details: Details = field(default_factory=Details)


def name_of(kind: Ranked, options: Options, path: Path) -> tuple[str, Naming | None]:
    """Return the name of a file that is one run, and the pattern of names, if any."""
    file_name = options.names.get(path) or default_name(path)
    if options.prefix is not None:
        return options.prefix + file_name, None
    if kind != "run" or options.name is None or not is_pattern(options.name):
        return options.name or file_name, None
    names = naming(options.name, file_name, options.tags, options.run_at)
    return names.text, names


def new_entries(
    work: Work,
    options: Options,
    source: Source,
    rows: Rows,
    name: str,
    whole: str,
) -> dict[str, NewEntry]:
    """Return what the rows of a file become, by name."""
    sheet = Sheet(work.database, work.kind, source, rows.how, options)
    said = details(sheet, bool(rows.runs))
    if not rows.runs:
        name = _name_of_rows(work, source, rows, name)
        of_rows = next(iter(said.values()), Details())
        return {name: NewEntry(name, whole, details=of_rows)}
    if options.name is not None and not is_pattern(options.name):
        pattern = options.name + "-{run}"
        raise NdcgSqlError(
            what_divides(source, rows.runs, rows.namer),
            Text(
                named("name"),
                " names one run: name each by a pattern, such as ",
                use(name=pattern),
                ", or load all rows as one run: ",
                use(run_column=NO_RUNS),
            ),
        )
    prefix = options.prefix or ""
    return {
        run: NewEntry(
            run,
            hash_of_run(whole, run.removeprefix(prefix)),
            run,
            said.get(run.removeprefix(prefix), Details()),
        )
        for run in rows.runs
    }


def _name_of_rows(work: Work, source: Source, rows: Rows, name: str) -> str:
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


def namesake_of(
    work: Work,
    path: Path,
    entry: NewEntry,
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

    another: Wording = ANOTHER_NAME
    if kind == "run" and (is_divided or work.count > 1):
        another = "put something in front of its name: " + use(prefix="NAME")
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
        another,
        has_rows,
    )
    if rows:
        work.taken[name] = path
    return old
