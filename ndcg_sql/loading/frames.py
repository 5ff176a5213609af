"""Loading whatever a user names: files, folders, rows of a database, frames."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ndcg_sql.database.connections import harmless_path
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading import assessments, clicks, described, sets, values
from ndcg_sql.loading.files import is_usual
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.naming import is_pattern
from ndcg_sql.loading.options import Options
from ndcg_sql.loading.tasks import Task
from ndcg_sql.reading import databases, sources
from ndcg_sql.reading.columns import NO_RUNS, Kind, braced
from ndcg_sql.reading.databases import Wanted
from ndcg_sql.reading.frames import Frame, is_cursor, opened
from ndcg_sql.reading.sources import Streams
from ndcg_sql.system import urls
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import check_kind, descriptor, shown
from ndcg_sql.text import file_stem, harmless
from ndcg_sql.wording import call, named, use

if TYPE_CHECKING:
    from sqlalchemy import URL


def database_rows(
    url: "str | URL",
    select: str | None = None,
    *,
    table: str | None = None,
    wait: float = urls.PATIENCE,
) -> Wanted:
    """Return the rows of a select or a table, to be loaded as a frame is.

        warehouse.load_run(database_rows("sqlite:///shop.db", table="ranked"))

    url is one of SQLAlchemy; $NAME in its text is an environment variable. With
    "duckdb:" alone, DuckDB reads the files that the select names. Nothing
    is read before it is loaded, in a transaction that only reads. Waits up to wait
    seconds for the database to answer. What is loaded from a table is named after the
    table by default. Raises NdcgSqlError unless either a select or a table is given.
    """
    if (select is None) == (table is None):
        what = "takes either " + named("select") + " or " + named("table")
        raise NdcgSqlError(what, "give one of them", where=named("url"))
    if hasattr(url, "render_as_string"):
        url = cast("URL", url).render_as_string(hide_password=False)
    texts: dict[str, object] = {"url": url, "select": select, "table": table}
    for name, text in texts.items():
        if not isinstance(text, str) and (text is not None or name == "url"):
            remedy = "give engine.url and text, or load connection.execute(...) itself"
            raise NdcgSqlError(f"database_rows: {name} is not text", remedy)
    return Wanted(cast("str", url), select, table, wait)


_LOADERS: Mapping[Kind, Callable[[Task], list[LoadedItem]]] = {
    "assessments": assessments.load,
    "clicks": clicks.load,
    "values": values.load,
    "queries": described.load,
    "documents": described.load,
    "known": described.load,
}


@dataclass(frozen=True)
class Files:
    """Files to load, of which the streams are open; names are for those without."""

    paths: Sequence[Path]
    streams: Streams
    names: Mapping[Path, str] = field(default_factory=dict[Path, str])


@contextmanager
def received(
    content: Frame,
    kind: Kind,
    options: Options,
    messages: Messages,
    folder: Path | None,
    limits: Limits | None = None,
) -> Generator[Any]:
    """Give files with their streams and databases read to their ends.

    Call this before a warehouse is opened: a database may be slow, and the program that
    writes to a pipe, too, or read the same warehouse. Raises NdcgSqlError for a field
    that files alone have, and for a name of several files.
    """
    paths = _paths(content)
    if paths is not None:
        files = _data_files(paths, kind, options, messages)
        for path in files:
            # A missing file is named before the warehouse is waited for.
            check_kind(path, shown(path))
        beside = filter(None, (options.rows_of, options.searches))
        with sources.streams([*files, *beside], messages, folder) as streams:
            yield Files(files, streams)
        return
    usual = Options()
    for name in ("rows_of", "format_in", "assessor_from"):
        if getattr(options, name) != getattr(usual, name):
            raise NdcgSqlError("only files have it", "omit it", where=named(name))
    if not isinstance(content, Wanted):
        yield content
        return
    chosen = limits or Limits()
    with databases.opened(content, messages, folder, chosen) as (path, streams):
        yield Files([path], streams, {path: content.name or kind})


def _paths(content: Frame) -> list[Path] | None:
    """Return the paths of files; None for anything else."""
    items = [content] if isinstance(content, (str, Path)) else content
    items = cast("Sequence[object]", items if isinstance(items, (list, tuple)) else ())
    paths = [Path(item) for item in items if isinstance(item, (str, Path))]
    return paths if items and len(paths) == len(items) else None


def _data_files(
    paths: Sequence[Path], kind: Kind, options: Options, messages: Messages
) -> Sequence[Path]:
    """Return the files of paths, with those in folders."""
    if kind in ("queries", "documents", "known"):
        if len(paths) > 1:
            raise NdcgSqlError("several files are given", f"load {kind} one by one")
        return paths
    for path in paths:
        if kind != "run" and (path / "qrels").is_dir():
            remedy = "load it with " + call("load_benchmark", "beir", str(path))
            raise NdcgSqlError(f"{shown(path)}: a folder of BEIR", remedy)
        if (path / "_temporary").is_dir():
            what = f"{shown(path)}: another program is still writing it"
            raise NdcgSqlError(what, "load it when it is complete")
    files = _with_folders(paths, messages)
    name, column = options.name, options.run_column
    is_one = kind in ("clicks", "values") or (kind == "run" and is_pattern(name))
    if len(files) > 1 and name and not is_one:
        one = {"judgments": "judgment set"}.get(kind, kind)
        what = f"names one {one}, but several files are given"
        raise NdcgSqlError(what, where=named("name"))
    for path in files if name is None and options.name_from == "file" else ():
        if descriptor(path) is not None:
            remedy = "load it alone with " + use(name="NAME")
            if column not in (None, NO_RUNS):
                remedy = "name its runs by their column: " + use(name=braced(column))
            raise NdcgSqlError(f"{shown(path)}: a stream has no name", remedy)
    return files


def _with_folders(paths: Sequence[Path], messages: Messages) -> list[Path]:
    """Return paths with folders replaced by their data files; name what is skipped."""
    files: list[Path] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        try:
            inside = sorted(path.iterdir())
        except OSError as error:
            raise NdcgSqlError(f"{shown(path)}: {error.strerror}") from error
        of_format = [
            file
            for file in inside
            if file_stem(file.name) != file.name and file.is_file()
            if not file.name.startswith(".")
        ]
        skipped = [harmless(file.name) for file in inside if file not in of_format]
        if not of_format:
            raise NdcgSqlError(
                f"{shown(path)}: no data files in this folder; a data file has a suffix"
                " such as .txt, .run, .qrels, .csv or .parquet; name other files one"
                " by one"
            )
        if skipped:
            messages.tell(f"{shown(path)}: skipped {', '.join(skipped)}")
        files += of_format
    return files


def load(
    database: Database,
    content: Frame,
    kind: Kind,
    options: Options,
    messages: Messages,
    shown: str = "frame",
) -> list[LoadedItem]:
    """Load files, or what is in memory: a frame, a dict, named tuples, a result."""
    if database.is_read_only:
        what = f"{harmless_path(database.path)}: opened read-only"
        raise NdcgSqlError(what, "open it with Warehouse.write")
    with ExitStack() as stack:
        if not isinstance(content, Files):
            rows = None
            if kind in ("run", "judgments", "known") and not is_cursor(content):
                # numpy loads slowly.
                from ndcg_sql.reading import mappings

                may_be_lines = is_usual(kind, options) and not options.columns
                rows = mappings.rows(content, kind, may_be_lines)
            frame, noun = (rows.columns, kind) if rows else (content, shown)
            lines = rows.lines if rows else None
            frame = opened(database, frame, messages, noun, lines)
            path, streams = stack.enter_context(frame)
            if rows:
                source = replace(streams[path], empty_queries=rows.empty_queries)
                streams = {path: source}
            if rows and rows.is_ordered and options.position_rule == "score":
                options = replace(options, position_rule="given")
            content = Files([path], streams, {path: kind})
        paths, streams = list(dict.fromkeys(content.paths)), content.streams
        # To open and close the file that this process has locked would unlock it.
        others = [path for path in paths if path.exists()]
        for path in others if database.path != ":memory:" else ():
            if path.samefile(database.path):
                name = harmless_path(str(path))
                raise NdcgSqlError(f"{name}: the warehouse itself; name another file")
        options = replace(options, names=content.names)
        if kind == "run" or kind == "judgments":
            return sets.load(database, kind, paths, options, messages, streams)
        task = Task(database, kind, paths, options, messages, streams)
        return _LOADERS[kind](task)
