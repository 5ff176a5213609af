"""A DuckDB database with our tables and views: SQL run on it, all or nothing."""

from collections.abc import Generator, Iterable
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, ClassVar

import duckdb

from ndcg_sql import progress, schema, sqlfiles, statements
from ndcg_sql.text import sql_name

Parameters = dict[str, Any]
Row = tuple[Any, ...]
# Selects the records that the parameter rows holds.
ROWS = "select unnest($rows, recursive := true)"


class Database:
    """What SQL runs on; ndcg_sql.warehouse says how one is opened and closed.

    connection is DuckDB's, and path that of its file, or ":memory:".
    """

    # How many transactions were committed since a warehouse was opened last.
    commits: ClassVar[int] = 0

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: str) -> None:
        """Wrap a connection."""
        self.connection = connection
        self.path = path
        # Whether it was opened for reading only.
        self.is_read_only = False
        # Whether it is gone when the one command ends that it was made for, ...
        self.is_scratch = False
        # ... and the selects of views that are made when a statement first reads them.
        self._unmade: dict[str, str] = {}
        # Whether the first transaction has to make the tables and views, ...
        self._bare = False
        # ... or to say that this is no published copy any more.
        self._published = False
        # Whether any transaction was committed.
        self._changed = False

    def execute(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        """Execute one statement and return its rows.

        Of the parameters, those that the statement names are used.
        """
        with self._executed(sql, parameters) as executed:
            return executed.fetchall()

    @contextmanager
    def _executed(
        self, sql: str, parameters: Parameters | None
    ) -> Generator[duckdb.DuckDBPyConnection]:
        """Execute one statement, whose rows are to be fetched inside."""
        for name in sqlfiles.read_by(sql) if self._unmade else ():
            if name in self._unmade:
                self.execute(f"create view {name} as {self._unmade.pop(name)}")
        wanted = sqlfiles.parameters(sql)
        given = {k: v for k, v in (parameters or {}).items() if k in wanted}
        with (
            statements.statement(self.connection),
            progress.statement(self.connection),
        ):
            yield self.connection.execute(sql, given or None)

    def records(
        self, sql: str, parameters: Parameters | None = None
    ) -> list[dict[str, Any]]:
        """Execute one statement and return its rows by column name."""
        rows = self.execute(sql, parameters)
        names = [column[0] for column in self.connection.description or []]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def arrays(
        self, sql: str, parameters: Parameters | None = None
    ) -> list[dict[str, Any]]:
        """Execute one statement and return its rows by column name.

        A list is an array of numpy, with no object of Python for each of its
        values, of which there may be millions.
        """
        found = self._columns(sql, parameters)
        columns: list[list[Any]] = [column.tolist() for column in found.values()]
        return [
            dict(zip(found, row, strict=True)) for row in zip(*columns, strict=True)
        ]

    def column(self, sql: str, parameters: Parameters | None = None) -> Any:
        """Execute one statement of one column and return it as an array of numpy."""
        [values] = self._columns(sql, parameters).values()
        return values

    def _columns(self, sql: str, parameters: Parameters | None) -> dict[str, Any]:
        """Execute one statement and return its columns as arrays of numpy."""
        with self._executed(sql, parameters) as executed:
            fetched: Any = executed
            return fetched.fetchnumpy()

    def run(self, file: str, parameters: Parameters | None = None) -> list[Row]:
        """Execute a file under sql/, such as "store/hits", and return its rows."""
        return self.execute(sqlfiles.read(file), parameters)

    def stored(self, table: str) -> str:
        """Return the full name of a table of the file, which nothing hides."""
        # The schema main alone will not do: temporary tables live in one, too.
        catalog = self.execute("select current_database()")[0][0]
        return f"{sql_name(catalog)}.main.{table}"

    @property
    def is_new(self) -> bool:
        """Tell whether its tables are still to be made, by its first transaction."""
        return self._bare

    @contextmanager
    def transaction(self) -> Generator[None]:
        """Commit what is done inside, or on any exception nothing of it."""
        if self.is_scratch:
            yield
            return
        self.execute("begin transaction")
        try:
            if self._bare:
                schema.make(self)
            if self._published:
                # From here on it is more than a copy, and not to be replaced.
                self.execute(schema.RECORDS_COMMENT)
            yield
            statements.check()
            with statements.whole():
                self.connection.execute("commit")
                self._bare = self._published = False
                self._changed = True
                Database.commits += self.path != ":memory:"
        except BaseException:
            # A commit that failed has ended the transaction itself.
            with suppress(duckdb.TransactionException), statements.whole():
                self.connection.execute("rollback")
            raise

    @contextmanager
    def temporary(
        self, table: str, select: str, parameters: Parameters | None = None
    ) -> Generator[None]:
        """Put the rows of a select into a temporary table, which lives inside.

        It hides a table of its name, which the select itself may read.
        """
        self.execute(f"create temp table {table} as {select}", parameters)
        try:
            yield
        finally:
            # In a transaction that was aborted, the rollback drops it.
            with suppress(duckdb.TransactionException):
                self.execute(f"drop table temp.{table}")

    @contextmanager
    def shadow(self, tables: Iterable[str]) -> Generator[None]:
        """Hide tables behind empty temporary ones of the same name and columns.

        Views then read, and inserts fill, the temporary tables; this is how a
        report values what is not stored without writing to the file.
        """
        with ExitStack() as stack:
            for table in tables:
                empty = f"from {table} limit 0"
                stack.enter_context(self.temporary(table, empty))
            yield

    def bring(
        self, table: str, which: str = "", parameters: Parameters | None = None
    ) -> None:
        """Bring rows of the file into the temporary table that hides theirs.

        which is a condition, as where ...; without one, all rows are brought.
        """
        rows = f"from {self.stored(table)} {which}"
        self.execute(f"insert into {table} {rows}", parameters)

    @contextmanager
    def hide(self, table: str, select: str) -> Generator[None]:
        """Hide a table behind a temporary view, which is this select."""
        self.execute(f"create temp view {table} as {select}")
        try:
            yield
        finally:
            # In a transaction that was aborted, the rollback drops it.
            with suppress(duckdb.TransactionException):
                self.execute(f"drop view temp.{table}")
