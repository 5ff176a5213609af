"""What a command loads: files, folders, streams, or the rows of a database."""

from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Option
from ndcg_sql.text import harmless

if TYPE_CHECKING:
    from ndcg_sql.database.database import Database
    from ndcg_sql.reading.sources import Streams

_DATABASE = "From a database"
HELP_FILE = (
    "File in any format of --format-in, also as gzip, zstd, bzip2, xz or zip; - is"
    " standard input."
)


class Opened(NamedTuple):
    """An open warehouse, and the inputs that it loads."""

    database: "Database"
    paths: list[Path]
    streams: "Streams"


@dataclass(frozen=True)
class Inputs:
    """A database in place of files."""

    url: Annotated[
        str | None,
        Option(
            "Database to load from in place of FILE, such as"
            " 'postgresql://ann:$PASSWORD@host/shop'; $NAME is an environment"
            " variable.",
            "URL",
            word="from",
            group=_DATABASE,
        ),
    ] = None
    select: Annotated[
        str | None,
        Option(
            "Select of the rows to load from the database of --from.",
            "SQL",
            group=_DATABASE,
        ),
    ] = None
    table: Annotated[
        str | None,
        Option(
            "Table to load from the database of --from, all rows and columns.",
            "TABLE",
            group=_DATABASE,
        ),
    ] = None

    @property
    def paths(self) -> list[Path]:
        """The files."""
        return []

    def __post_init__(self) -> None:
        """Raise NdcgSqlError for neither files nor a database, and for both."""
        for option, value in (("--select", self.select), ("--table", self.table)):
            if self.url is None and value is not None:
                raise NdcgSqlError(f"{option}: name the database, too: --from URL")
        if self.url is None and not self.paths:
            raise NdcgSqlError(
                "name a file to load, or a database: --from URL; see ndcg-sql load"
                " --help"
            )
        if self.url is not None:
            if self.paths:
                file = harmless(str(self.paths[0]))
                raise NdcgSqlError(f"--from: {file} is given, too; omit one of the two")
            if (self.select is None) == (self.table is None):
                fault = "neither --select nor --table is given; give one of them"
                if self.select is not None:
                    fault = "both --select and --table are given; omit one"
                raise NdcgSqlError(f"--from: {fault}")

    def check(self, request: object) -> None:
        """Raise NdcgSqlError if a field of files is given for rows of a database."""
        for field in ("rows_of", "groups", "format_in"):
            if self.url is not None and getattr(request, field, None):
                name = field.replace("_", "-")
                raise NdcgSqlError(f"--from: only files have --{name}; omit it")

    @property
    def name(self) -> str | None:
        """The name of what is loaded from a table, without its schema."""
        return self.table.split(".")[-1] if self.table else None

    @contextmanager
    def opened(
        self, session: Session, files: list[Path], beside: Iterable[Path | None] = ()
    ) -> Generator[Opened]:
        """Read streams and databases to their ends, then lock the warehouse.

        files are those of folders, too; beside are files that they need.
        """
        from ndcg_sql.reading import sources

        folder = session.limits.temporary or session.warehouse.absolute().parent
        with ExitStack() as stack:
            paths, streams = files, {}
            if self.url is not None:
                from ndcg_sql.reading import databases
                from ndcg_sql.system import urls

                patience = max(session.timeout, urls.PATIENCE)
                wanted = databases.Wanted(self.url, self.select, self.table, patience)
                path, streams = stack.enter_context(
                    databases.opened(wanted, session.messages, folder)
                )
                paths = [path]
            others = [*files, *filter(None, beside)]
            streamed = sources.streams(others, session.messages, folder)
            streams = {**streams, **stack.enter_context(streamed)}
            yield Opened(stack.enter_context(session.writing()), paths, streams)

    def check_named(self, name: str | None, remedy: str = "") -> None:
        """Raise NdcgSqlError if a stream or a select is to be loaded without a name."""
        from ndcg_sql.system.paths import descriptor, shown

        if self.url is not None and name is None and self.name is None:
            raise NdcgSqlError(f"--select: has no name; name it: --name NAME{remedy}")
        for path in self.paths:
            if name is None and descriptor(path) is not None:
                raise NdcgSqlError(
                    f"{shown(path)}: a stream has no name; load it alone with"
                    " --name NAME"
                )


@dataclass(frozen=True)
class OneFile(Inputs):
    """A file, or a database in its place."""

    file: Annotated[
        Path | None, Option(HELP_FILE, "FILE", is_argument=True, is_input=True)
    ] = None

    @property
    def paths(self) -> list[Path]:
        """The file."""
        return [] if self.file is None else [self.file]


@dataclass(frozen=True)
class Files(Inputs):
    """Files, or a database in their place."""

    files: Annotated[
        tuple[Path, ...], Option(HELP_FILE, "FILE...", is_argument=True, is_input=True)
    ] = ()

    @property
    def paths(self) -> list[Path]:
        """The files."""
        return list(self.files)


def data_files(
    paths: list[Path], name: str | None, session: Session, kind: str = "run"
) -> list[Path]:
    """Return the files to load, those of folders included.

    Raises NdcgSqlError if --name would name several.
    """
    from ndcg_sql.reading import directories

    for path in paths:
        if kind != "run" and (path / "qrels").is_dir():
            folder = harmless(str(path))
            raise NdcgSqlError(
                f"{folder}: a folder of BEIR; load it with ndcg-sql load beir {folder}"
            )
        if (path / "manifest.json").is_file() and (path / "hits").is_dir():
            folder = harmless(str(path))
            raise NdcgSqlError(
                f"{folder}: written by ndcg-sql spark; load it with ndcg-sql load"
                f" values {folder}"
            )
    from ndcg_sql.loading.naming import is_pattern

    files = directories.data_files(paths, session.messages)
    if name is not None and len(files) > 1 and not (kind == "run" and is_pattern(name)):
        raise NdcgSqlError(f"--name: names one {kind}, but several files are given")
    return files
