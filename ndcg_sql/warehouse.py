"""The warehouse: one DuckDB file, opened late and closed early."""

import os
import random
import re
import time
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar

import duckdb

from ndcg_sql import sqlfiles
from ndcg_sql.errors import LockedError, NdcgSqlError
from ndcg_sql.text import quoted

Parameters = dict[str, Any]
Row = tuple[Any, ...]
Settings = dict[str, str | bool | int | float | list[str]]

# Every DuckDB client since 1.0 opens files of this version.
_STORAGE = {"storage_compatibility_version": "v1.0.0"}
_CONFIG = {"autoinstall_known_extensions": "false"}
_RECORDS = (
    "create table if not exists sql_files (path varchar not null,"
    " checksum varchar not null, applied_at timestamp not null)"
)
_RECORDS_COMMENT = (
    "comment on table sql_files is 'One row is a migration that was applied to"
    " this file, or the state of its views.'"
)
_VIEWS_PATH = "sql/views"
# How many seconds a file may stay empty while another process makes it.
_CREATION = 1.0


def now() -> str:
    """Return the time in UTC as SQL reads it."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S.%f")


def sql_text(text: str) -> str:
    """Return text as a SQL literal, for the statements that take no parameters."""
    return "'" + text.replace("'", "''") + "'"


def sql_name(name: str) -> str:
    """Return a name as a SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def translated(error: duckdb.Error, path: str) -> NdcgSqlError:
    """Return a DuckDB fault as a sentence about the user's things."""
    text = str(error).splitlines()[0]
    lock = re.search(r"Conflicting lock is held in (.+?) \(PID (\d+)\)", str(error))
    if "Could not set lock" in text:
        holder = f"{lock[1]} (PID {lock[2]})" if lock else "another process"
        return LockedError(
            f"{path}: in use by {harmless_path(holder)};"
            " wait until it is done, or end it"
        )
    if "different configuration" in text or "ResourceInUse" in type(error).__name__:
        return NdcgSqlError(
            f"{path}: open in this process already; close it there first"
        )
    if "No space left on device" in str(error) or "failed to offload" in str(error):
        folder = Path(path).absolute().parent
        return NdcgSqlError(
            f"{folder}: no space left on the disk; make room and run the same"
            " command again"
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        return NdcgSqlError(
            f"{path}: not enough memory; close other programs, or split the file"
        )
    if "version number" in text and "can only read" in str(error):
        return NdcgSqlError(
            f"{path}: made by a newer DuckDB than {duckdb.__version__}:"
            " pip install --upgrade duckdb"
        )
    if "orrupt" in text or "checksum" in text.lower():
        return NdcgSqlError(f"{path}: the file is damaged; restore it from a copy")
    if isinstance(error, duckdb.IOException):
        return NdcgSqlError(f"{path}: {text.removeprefix('IO Error: ')}")
    return NdcgSqlError(f"unexpected: {text}; please report it")


def harmless_path(path: str) -> str:
    """Return a path without quotes, harmless to print."""
    return quoted(path, 200)[1:-1]


class Warehouse:
    """A warehouse of judgments, runs and the values of measures.

    Open it with Warehouse.read, Warehouse.write or Warehouse.memory, as a
    context manager. A connection serves one thread.
    """

    # How many transactions were committed since a warehouse was opened last.
    commits: ClassVar[int] = 0

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: str) -> None:
        """Wrap a connection; the class methods open one."""
        self.connection = connection
        self.path = path
        self._created = False
        self._changed = False

    @classmethod
    def read(
        cls, path: Path, wait: float = 10, settings: Settings | None = None
    ) -> "Warehouse":
        """Open a warehouse for reading only; raise NdcgSqlError if that fails.

        Waits up to wait seconds for another process to let go of the file.
        settings are DuckDB's, beyond those of every connection.
        """
        if not path.exists():
            raise NdcgSqlError(
                f"{harmless_path(str(path))}: there is no warehouse;"
                " ndcg-sql load judgments FILE makes one"
            )
        warehouse = cls.hold(path, wait, settings)
        try:
            warehouse._check_readable()
        except BaseException:
            warehouse.connection.close()
            raise
        return warehouse

    @classmethod
    def hold(
        cls, path: Path, wait: float = 10, settings: Settings | None = None
    ) -> "Warehouse":
        """Open any DuckDB file for reading only; nobody writes to it meanwhile."""
        return cls(_connect(path, wait, True, settings), str(path))

    @classmethod
    def write(cls, path: Path, wait: float = 10) -> "Warehouse":
        """Open a warehouse for writing; make or upgrade it where needed.

        If it is made here and nothing is committed afterwards, closing it
        removes the file again.
        """
        created = not path.exists()
        if created and not path.absolute().parent.is_dir():
            raise NdcgSqlError(
                f"{harmless_path(str(path))}: the directory does not exist"
            )
        warehouse = cls(_connect(path, wait, read_only=False), str(path))
        # Another process may have made it since; then it is not ours to remove.
        sql = "select count(*) from duckdb_tables()"
        warehouse._created = created and warehouse.execute(sql) == [(0,)]
        try:
            warehouse._upgrade()
        except BaseException:
            warehouse.close()
            raise
        return warehouse

    @classmethod
    def memory(cls) -> "Warehouse":
        """Make a warehouse that lives in memory and is gone when closed."""
        warehouse = cls(duckdb.connect(":memory:", config=_config()), ":memory:")
        warehouse._upgrade()
        return warehouse

    def __enter__(self) -> "Warehouse":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Fold the log into the file and close; no .wal outlives it."""
        try:
            if self._changed and self.path != ":memory:":
                self.connection.execute("checkpoint")
        finally:
            if self._created and not self._changed:
                # While the lock is held, so that nobody can have begun to use it.
                Path(self.path).unlink(missing_ok=True)
            self.connection.close()

    def execute(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        """Execute one statement and return its rows.

        Of the parameters, those that the statement names are used.
        """
        wanted = sqlfiles.parameters(sql)
        given = {k: v for k, v in (parameters or {}).items() if k in wanted}
        return self.connection.execute(sql, given or None).fetchall()

    def records(
        self, sql: str, parameters: Parameters | None = None
    ) -> list[dict[str, Any]]:
        """Execute one statement and return its rows by column name."""
        rows = self.execute(sql, parameters)
        names = [column[0] for column in self.connection.description or []]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def run(self, file: str, parameters: Parameters | None = None) -> list[Row]:
        """Execute a file under sql/, such as "store/hits", and return its rows."""
        return self.execute(sqlfiles.read(file), parameters)

    def stored(self, table: str) -> str:
        """Return the full name of a table of the file, which nothing hides."""
        # The schema main alone will not do: temporary tables live in one, too.
        catalog = self.execute("select current_database()")[0][0]
        return f"{sql_name(catalog)}.main.{table}"

    @contextmanager
    def transaction(self) -> Generator[None]:
        """Commit what is done inside, or on any exception nothing of it."""
        self.connection.execute("begin transaction")
        try:
            yield
            self.connection.execute("commit")
            self._changed = True
            Warehouse.commits += 1
        except BaseException:
            # A commit that failed has ended the transaction itself.
            with suppress(duckdb.TransactionException):
                self.connection.execute("rollback")
            raise

    @contextmanager
    def shadow(self, tables: Iterable[str]) -> Generator[None]:
        """Hide tables behind empty temporary ones of the same name and columns.

        Views then read, and inserts fill, the temporary tables; this is how a
        report values what is not stored without writing to the file.
        """
        made: list[str] = []
        try:
            for table in tables:
                self.execute(f"create temp table {table} as from {table} limit 0")
                made.append(table)
            yield
        finally:
            # In a transaction that was aborted, the rollback drops them.
            with suppress(duckdb.TransactionException):
                for table in made:
                    self.execute(f"drop table temp.{table}")

    def _records(self) -> dict[str, str]:
        """Return the checksum of every SQL file that this database has seen."""
        # A table of this name that is not ours has other columns.
        if self.run("reports/has_records") == [(False,)]:
            return {}
        return dict(self.execute("select path, checksum from sql_files"))  # type: ignore[arg-type]

    def _pending(self) -> list[sqlfiles.Migration]:
        """Return the migrations to apply; refuse what this version cannot know."""
        records = self._records()
        applied = [path for path in records if path != _VIEWS_PATH]
        ours = sqlfiles.migrations()
        unknown = sorted(set(applied) - {migration.path for migration in ours})
        shown = harmless_path(self.path)
        if unknown:
            raise NdcgSqlError(
                f"{shown}: made by a newer ndcg-sql (schema {len(applied)}, this one"
                f" knows {len(ours)}): pip install --upgrade ndcg-sql"
            )
        for migration in ours:
            if records.get(migration.path, migration.checksum) != migration.checksum:
                raise NdcgSqlError(
                    f"{shown}: its tables were made by another {migration.path} than"
                    " this one; use the ndcg-sql that made the file"
                )
        return [migration for migration in ours if migration.path not in records]

    def _check_readable(self) -> None:
        """Raise NdcgSqlError where the file is no warehouse of this version."""
        pending = self._pending()
        shown = harmless_path(self.path)
        if len(pending) == len(sqlfiles.migrations()):
            raise NdcgSqlError(
                f"{shown}: a DuckDB file, but not a warehouse;"
                " ndcg-sql load judgments FILE makes it one"
            )
        if pending:
            raise NdcgSqlError(
                f"{shown}: made by an older ndcg-sql; the next command that writes,"
                " such as load, upgrades it"
            )
        if self._records().get(_VIEWS_PATH) != sqlfiles.views_checksum():
            # The file's views are those of another version; ours hide them.
            for view in sqlfiles.views():
                self.execute(f"create temp view {view.name} as {view.select}")

    def _upgrade(self) -> None:
        """Apply pending migrations, one transaction each, and changed views."""
        if not self._records():
            taken = self.run("reports/taken_names", {"names": sqlfiles.relations()})
            if taken:
                raise NdcgSqlError(
                    f"{harmless_path(self.path)}: has a table or view"
                    f" {quoted(taken[0][0])} that ndcg-sql did not make;"
                    " use another file"
                )
        pending = self._pending()
        for migration in pending:
            with self.transaction():
                self.execute(_RECORDS)
                self.execute(_RECORDS_COMMENT)
                for statement in self.connection.extract_statements(migration.text):
                    self.connection.execute(statement)
                self._record(migration.path, migration.checksum)
                if migration == pending[-1]:
                    self._replace_views()
        if self._records().get(_VIEWS_PATH) != sqlfiles.views_checksum():
            with self.transaction():
                self._replace_views()
        # An upgrade alone is no reason to keep a file that was made for a load.
        self._changed = self._changed and not self._created
        Warehouse.commits = 0

    def _record(self, path: str, checksum: str) -> None:
        """Note the checksum of a SQL file as applied now."""
        self.execute("delete from sql_files where path = $path", {"path": path})
        self.execute(
            "insert into sql_files"
            " values ($path, $checksum, cast($applied as timestamp))",
            {"path": path, "checksum": checksum, "applied": now()},
        )

    def _replace_views(self) -> None:
        """Create every view anew, with all comments, which replacing drops."""
        views = sqlfiles.views()
        for view in views:
            self.execute(f"create or replace view {view.name} as {view.select}")
            self.execute(f"comment on view {view.name} is {sql_text(view.comment)}")
        for view in views:
            self.execute(f"select * from {view.name} limit 0")
        meanings = {row["column"]: row["meaning"] for row in sqlfiles.rows("columns")}
        for table, column, _, _ in self.run(
            "reports/columns", {"names": sqlfiles.relations()}
        ):
            where = f"{sql_name(table)}.{sql_name(column)}"
            meaning = sql_text(meanings[column])
            self.execute(f"comment on column {where} is {meaning}")
        self._record(_VIEWS_PATH, sqlfiles.views_checksum())


def is_foreign(path: Path) -> bool:
    """Tell whether a file begins otherwise than DuckDB's; it also opens SQLite's."""
    with suppress(OSError), path.open("rb") as file:
        head = file.read(12)
        # One that another process begins to write has no bytes yet.
        return head != b"" and head[8:] != b"DUCK"
    return False


def _config() -> Settings:
    """Return the settings of a connection that may make a file."""
    return {**_CONFIG, **_STORAGE}


def _connect(
    path: Path, wait: float, read_only: bool, settings: Settings | None = None
) -> duckdb.DuckDBPyConnection:
    """Connect to a file; wait for a lock with growing pauses, then name its holder."""
    shown = harmless_path(str(path))
    if path.is_dir():
        raise NdcgSqlError(f"{shown}: a directory, not a warehouse file")
    if str(path) == ":memory:":
        raise NdcgSqlError(f"{shown}: would be lost at once; name a file")
    if not os.access(path if path.exists() else path.absolute().parent, os.R_OK):
        raise NdcgSqlError(f"{shown}: not readable")
    start = time.monotonic()
    pause = 0.01
    while True:
        waited = time.monotonic() - start
        is_empty = path.exists() and path.stat().st_size == 0
        if is_foreign(path) or (is_empty and waited > _CREATION):
            raise NdcgSqlError(
                f"{shown}: not a DuckDB file; name another with --warehouse"
            )
        try:
            connection = duckdb.connect(
                str(path.absolute()),
                read_only=read_only,
                config={**_config(), **(settings or {})},
            )
            if path.exists():
                return connection
            connection.close()  # Whoever made the file removed it meanwhile.
        except duckdb.Error as error:
            fault = translated(error, shown)
            locked = isinstance(fault, LockedError) and waited < wait
            if not locked and not is_empty:
                raise fault from error
        time.sleep(pause * random.uniform(0.5, 1.5))
        pause = min(pause * 2, 0.5)
