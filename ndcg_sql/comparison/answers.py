"""Answers: the rows of a question, and what a drawing of them needs besides."""

import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.database.connections import in_memory
from ndcg_sql.database.database import ROWS, Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.options import Scope
from ndcg_sql.system.files import temporary_folder
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, nearest, sql_name
from ndcg_sql.wording import use

Record = dict[str, Any]
# An attribute and a slice; all queries have neither.
Part = tuple[str | None, str | None]
_NUMBERS = count(1)


class Context(NamedTuple):
    """The database that a question is about, and where its messages go."""

    database: Database
    messages: Messages


def part_of(row: Record) -> Part:
    """Return the attribute and slice of a row."""
    return row["attribute"], row["slice"]


def select_records(types: Mapping[str, str]) -> str:
    """Return a select of the records in the parameter rows, with these types."""
    fields = ", ".join(f"{name} {kind}" for name, kind in types.items())
    return ROWS.replace("$rows", f"cast($rows as struct({fields})[])")


class Rows:
    """A table of rows; a million rows are never Python objects.

    It is a temporary table of a warehouse's connection, which lives as long as this
    object, or a table of a database in memory, which its relations keep.
    """

    def __init__(self, database: Database, table: str) -> None:
        self.database, self.table = database, table

    @classmethod
    def of(
        cls,
        database: Database,
        file: str,
        parameters: Parameters | None = None,
        slices: Sequence[str] | None = None,
        leading: Sequence[str] = ("run", "judgment_set", "dataset"),
    ) -> "Rows":
        """Return the rows of a file under sql/.

        With names of slices, if only of none, the column slice, a JSON array, becomes
        columns with these names, after the leading ones.
        """
        select = sql_files.read(file)
        if slices is not None:
            names = enumerate(map(sql_name, slices))
            split = [f"slice ->> '$[{place}]' as {name}" for place, name in names]
            first = [*leading] if slices else []
            rest = f"* exclude ({', '.join([*first, 'slice'])})"
            select = f"select {', '.join([*first, *split, rest])} from ({select})"
        return cls.selected(database, select, parameters)

    @classmethod
    def selected(
        cls, database: Database, select: str, parameters: Parameters | None = None
    ) -> "Rows":
        """Return the rows of a select."""
        table = f"answer_{next(_NUMBERS)}"
        database.execute(f"create temp table {table} as {select}", parameters)
        rows = cls(database, table)
        weakref.finalize(rows, _drop, database.connection, table)
        return rows

    @cached_property
    def types(self) -> dict[str, str]:
        """The type of each column."""
        described = self.database.execute(f"describe {self.table}")
        return {str(row[0]): str(row[1]) for row in described}

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.types)

    @property
    def relation(self) -> duckdb.DuckDBPyRelation:
        """The rows as a relation of DuckDB."""
        return self.database.connection.sql(f"from {self.table}")

    @cached_property
    def records(self) -> list[Record]:
        """The rows by column name; only for what people read."""
        return self.database.records(f"from {self.table}")

    def __len__(self) -> int:
        return int(self.database.execute(f"select count(*) from {self.table}")[0][0])

    def pairs(self, first: str, second: str) -> set[tuple[str, str]]:
        """Return the different values of two columns together."""
        select = f"select distinct {first}, {second} from {self.table}"
        return {(row[0], row[1]) for row in self.database.execute(select)}

    def without(self, *columns: str) -> "Rows":
        """Return the rows without some columns; this object must not be used again."""
        for column in columns:
            self.database.execute(f"alter table {self.table} drop {column}")
        self.__dict__.pop("types", None)
        return self

    def only(self, names: Sequence[str]) -> "Rows":
        """Return the rows with only these columns, in this order."""
        for name in names:
            if name not in self.types:
                hint = nearest(name, self.columns)
                hint = hint or f"known: {listed(self.columns, len(self.columns))}"
                raise NdcgSqlError("not a column", hint, where=use(row_columns=name))
        columns = ", ".join(sql_name(name) for name in dict.fromkeys(names))
        return Rows.selected(self.database, f"select {columns} from {self.table}")

    def first(self, limit: int, *parts: str, newest: bool = False) -> "Rows":
        """Return the first rows of each part, or the last, in the order that they have.

        parts are the columns that divide the rows; without any, they are one part.
        """
        if not parts and not newest:
            # Nothing has to be ordered, however many rows there are.
            return Rows.selected(self.database, f"from {self.table} limit {limit:d}")
        columns = ", ".join(map(sql_name, parts)) or "true"
        order = "desc" if newest else "asc"
        place = f"row_number() over (partition by {columns} order by rowid {order})"
        # Beside all columns, rowid in a window is an internal error of DuckDB 1.5.
        shown = f"select rowid from {self.table} qualify {place} <= {limit:d}"
        select = f"from {self.table} where rowid in ({shown}) order by rowid"
        return Rows.selected(self.database, select)

    def kept(self) -> "Rows":
        """Return the same rows in a database of their own, which needs no warehouse."""
        return _from_bytes(self._in_parquet())

    def __reduce__(self) -> tuple[Callable[[bytes], "Rows"], tuple[bytes]]:
        """Pickle the rows; what is read back needs no warehouse."""
        return _from_bytes, (self._in_parquet(),)

    def _in_parquet(self) -> bytes:
        """Return a Parquet file, so that no row becomes a Python object."""
        with temporary_folder(self.database.folder) as folder:
            path = folder / "rows"
            copy = f"copy {self.table} to $path (format parquet)"
            self.database.execute(copy, {"path": str(path)})
            return path.read_bytes()


def from_parquet(path: Path) -> Rows:
    """Return the rows of a Parquet file, which may be removed afterwards."""
    database = Database(in_memory(), ":memory:", None)
    read = "create table rows as from read_parquet($path)"
    database.execute(read, {"path": str(path)})
    return Rows(database, "rows")


def _from_bytes(content: bytes) -> Rows:
    with temporary_folder(None) as folder:
        path = folder / "rows"
        path.write_bytes(content)
        return from_parquet(path)


def with_titles(database: Database, rows: Rows, datasets: Iterable[str]) -> Rows:
    """Return rows without their titles if none were loaded."""
    documents = (
        "from documents where list_contains($datasets, dataset)"
        " and title is not null limit 1"
    )
    if not database.execute(documents, {"datasets": sorted(set(datasets))}):
        return rows.without("title")
    return rows


def limited(
    rows: Rows, messages: Messages, limit: int | None, *parts: str, newest: bool = False
) -> Rows:
    """Return the first rows of each part, or the last, and tell how many there are."""
    if limit is None:
        return rows
    shown = rows.first(limit, *parts, newest=newest)
    if len(shown) < len(rows):
        messages.tell(f"{len(shown):,} of {len(rows):,} rows shown")
    return shown


def _drop(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Drop a table, unless its connection is closed, or its transaction failed."""
    with suppress(duckdb.Error):
        connection.execute(f"drop table if exists {table}")


@dataclass(frozen=True)
class Answer:
    """What a question is answered with: values that need no live context.

    name is what people call it, scope what it is about; about has what a drawing needs
    besides the rows, by name, such as the rows of a small table beside it; the question
    is for a page, as long as the warehouse is open. page is the file of a page that the
    user asks for.
    """

    name: str
    rows: Rows
    scope: Scope = field(default_factory=Scope)
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])
    page: Path | None = None

    def kept(self) -> "Answer":
        """Return the same answer without its question, independent of the warehouse."""
        about = {key: value for key, value in self.about.items() if key != "question"}
        return replace(self, rows=self.rows.kept(), about=about)
