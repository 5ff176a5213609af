"""What a command loads: files, folders, streams, or the rows of a database."""

from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import harmless

if TYPE_CHECKING:
    from ndcg_sql.database.database import Database
    from ndcg_sql.reading.sources import Streams

From = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="URL",
        help="Database to load from in place of FILE, such as"
        " 'postgresql://ann:$PASSWORD@host/shop'; $NAME is an environment variable.",
    ),
]
Select = Annotated[
    str | None,
    typer.Option(
        "--select",
        metavar="SQL",
        help="Select of the rows to load from the database of --from.",
    ),
]
Table = Annotated[
    str | None,
    typer.Option(
        "--table",
        metavar="TABLE",
        help="Table to load from the database of --from, all rows and columns.",
    ),
]


class Opened(NamedTuple):
    """An open warehouse, and the inputs that it loads."""

    database: "Database"
    paths: list[Path]
    streams: "Streams"


@dataclass(frozen=True)
class Inputs:
    """Files, or the database of --from; apart from them, files that they need."""

    files: list[Path]
    url: str | None = None
    select: str | None = None
    table: str | None = None

    @classmethod
    def of(
        cls,
        files: Iterable[Path | None] | None,
        url: str | None,
        select: str | None,
        table: str | None,
        **without: object,
    ) -> "Inputs":
        """Return what is to be loaded.

        without are options that only files have. Raises NdcgSqlError for neither
        files nor a database, and for both.
        """
        named = [file for file in files or () if file is not None]
        for option, given in (("--select", select), ("--table", table)):
            if url is None and given is not None:
                raise NdcgSqlError(f"{option}: name the database, too: --from URL")
        if url is None and not named:
            raise NdcgSqlError(
                "name a file to load, or a database: --from URL; see ndcg-sql load"
                " --help"
            )
        if url is not None:
            if named:
                file = harmless(str(named[0]))
                raise NdcgSqlError(f"--from: {file} is given, too; omit one of the two")
            if (select is None) == (table is None):
                fault = "neither --select nor --table is given; give one of them"
                if select is not None:
                    fault = "both --select and --table are given; omit one"
                raise NdcgSqlError(f"--from: {fault}")
            for option, given in without.items():
                if given:
                    name = option.replace("_", "-")
                    raise NdcgSqlError(f"--from: only files have --{name}; omit it")
        return cls(named, url, select, table)

    @property
    def name(self) -> str | None:
        """The name of what is loaded from a table, without its schema."""
        return self.table.split(".")[-1] if self.table else None

    @contextmanager
    def opened(
        self, session: Session, beside: Iterable[Path | None] = ()
    ) -> Generator[Opened]:
        """Read streams and databases to their ends, then lock the warehouse."""
        from ndcg_sql.reading import sources

        folder = session.limits.temporary or session.warehouse.absolute().parent
        with ExitStack() as stack:
            paths, streams = self.files, {}
            if self.url is not None:
                from ndcg_sql.reading import databases
                from ndcg_sql.system import urls

                patience = max(session.timeout, urls.PATIENCE)
                wanted = databases.Wanted(self.url, self.select, self.table, patience)
                path, streams = stack.enter_context(
                    databases.opened(wanted, session.messages, folder)
                )
                paths = [path]
            others = [*self.files, *filter(None, beside)]
            streamed = sources.streams(others, session.messages, folder)
            streams = {**streams, **stack.enter_context(streamed)}
            yield Opened(stack.enter_context(session.writing()), paths, streams)

    def check_named(self, name: str | None, remedy: str = "") -> None:
        """Raise NdcgSqlError if a stream or a select is to be loaded without a name."""
        from ndcg_sql.system.paths import descriptor, shown

        if self.url is not None and name is None and self.name is None:
            raise NdcgSqlError(f"--select: has no name; name it: --name NAME{remedy}")
        for path in self.files:
            if name is None and descriptor(path) is not None:
                raise NdcgSqlError(
                    f"{shown(path)}: a stream has no name; load it alone with"
                    " --name NAME"
                )


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
    files = directories.data_files(paths, session.messages)
    if name is not None and len(files) > 1:
        raise NdcgSqlError(f"--name: names one {kind}, but several files are given")
    return files
