"""What the command line takes beside the fields of requests: files, global options."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.requests.printing import Output, Printing
from ndcg_sql.requests.shared import OUTPUT, Force
from ndcg_sql.text import harmless
from ndcg_sql.wording import Blank, named, use

_DATABASE = "From a database"
_FILE = (
    "File in any format of "
    + named("format_in")
    + ", also as gzip, zstd, bzip2, xz or zip; - is standard input."
)


@frozen
class Global:
    """The global options, which every command takes."""

    warehouse: Path = option(
        "The warehouse file.",
        "FILE",
        short="w",
        variable="WAREHOUSE",
        value=Path("ndcg.duckdb"),
    )
    wait: float = option(
        "How long to wait for a file that another process has open, and for a"
        " database or the master of Spark to answer (at least 10).",
        "SECONDS",
        word="timeout",
        value=10.0,
    )
    threads: int | None = option(
        "Number of threads, from 1 to 1024; all available processors if omitted.",
        "N",
        variable="THREADS",
    )
    memory: str | None = option(
        "Memory for DuckDB, such as 500MB or 2GiB; what does not fit goes to"
        " temporary files. 1.2GB if omitted, 1GB for query.",
        "SIZE",
        word="memory_limit",
        variable="MEMORY_LIMIT",
    )
    temporary: Path | None = option(
        "Directory for temporary files; that of the warehouse if omitted.",
        "DIR",
        word="temp_directory",
        variable="TEMP_DIRECTORY",
    )
    color: str = option(
        "Use colour in tables and messages: auto (on a terminal, unless NO_COLOR is"
        " set), always or never.",
        "WHEN",
        value="auto",
    )
    quiet: bool = option("Print data only, no messages.", value=False)


@frozen
class Inputs:
    """A database in place of files."""

    url: str | None = option(
        "Database to load from in place of FILE, such as"
        " 'postgresql://ann:$PASSWORD@host/shop'; $NAME is an environment"
        " variable. With duckdb: alone, DuckDB reads the files that "
        + named("select")
        + " names.",
        "URL",
        word="from",
        group=_DATABASE,
    )
    select: str | None = option(
        "Select of the rows to load from the database of " + named("url") + ".",
        "SQL",
        group=_DATABASE,
    )
    table: str | None = option(
        "Table to load from the database of "
        + named("url")
        + ", all rows and columns.",
        "TABLE",
        group=_DATABASE,
    )

    @property
    def paths(self) -> list[Path]:
        """The files."""
        return []

    def __post_init__(self) -> None:
        for name, value in (("select", self.select), ("table", self.table)):
            if self.url is None and value is not None:
                raise NdcgSqlError(
                    "name the database, too: " + use(url=Blank("URL")),
                    where=named(name),
                )
        if self.url is not None and self.paths:
            file = harmless(str(self.paths[0]))
            raise NdcgSqlError(
                f"{file} is given, too", "omit one of the two", where=named("url")
            )

    def content(self, wait: float) -> Any:
        """Return what is loaded, as Python users name it; wait is in seconds."""
        if self.url is None:
            return self.paths
        from ndcg_sql.loading.frames import database_rows
        from ndcg_sql.system.urls import PATIENCE

        patience = max(wait, PATIENCE)
        return database_rows(self.url, self.select, table=self.table, wait=patience)

    def with_name(self, request: Any) -> Any:
        """Return a request that names what is loaded.

        Raises NdcgSqlError if a select is to become a set or a run without a name.
        """
        if self.select is None or getattr(request, "name", "") is not None:
            return request
        if getattr(request, "run_column", None) not in (None, "none"):
            # Without a file, only the column can name what is one run, too.
            return replace(request, name_from="tag")
        if getattr(request, "name_from", "file") == "file":
            naming = "name it: " + use(name="NAME")
            if hasattr(request, "run_column"):
                naming += ", or its runs by a column: " + use(run_column="NAME")
            raise NdcgSqlError("has no name", naming, where=named("select"))
        return request


@frozen
class OneFile(Inputs):
    """A file, or a database in its place."""

    file: Path | None = option(_FILE, "FILE", is_argument=True, is_input=True)

    @property
    def paths(self) -> list[Path]:
        """The file."""
        return [] if self.file is None else [self.file]


@frozen
class Files(Inputs):
    """Files, or a database in their place."""

    files: tuple[Path, ...] = option(
        _FILE, "FILE...", is_argument=True, is_input=True, value=()
    )

    @property
    def paths(self) -> list[Path]:
        """The files."""
        return list(self.files)


@frozen
class ByPosition:
    """The two runs of a gate by position, in place of options."""

    first: str | None = option(
        "Name of the run to compare with.", "[BASELINE]", names="runs", is_argument=True
    )
    second: str | None = option(
        "Name of the candidate run.", "[CANDIDATE]", names="runs", is_argument=True
    )


@frozen
class Drawing:
    """The file of a figure."""

    output: Annotated[
        Path,
        Option(
            "Write to this file; its suffix is .svg, .png or .pdf.",
            "FILE",
            short="o",
            example="figure.svg",
            group=OUTPUT,
        ),
    ]
    data: bool = option(
        "Also write the rows that are drawn, as CSV next to FILE.",
        group=OUTPUT,
        value=False,
    )
    force: Force = False


@frozen
class Filling:
    """The file that assessors write their grades into."""

    form: str | None = option(
        "csv, tsv, json, jsonl or parquet; by default from the suffix of "
        + named("output")
        + ".",
        "F",
        word="format",
    )
    output: Output = None
    force: bool = option("Replace FILE, and the grades written into it.", value=False)


@frozen
class InMarkdown(Printing):
    """A file in Markdown."""

    form: str | None = "markdown"
    output: Output = None


@frozen
class Select:
    """Print the rows of a select.

    It is read-only, and reads no other files and no network.
    """

    sql: Annotated[
        str,
        Option("One select; - reads it from standard input.", "SQL", is_argument=True),
    ]


@frozen
class TimeLimit:
    """How long a select may take."""

    time_limit: float = option("Stop the query after this time.", "SECONDS", value=60.0)
