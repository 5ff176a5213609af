"""The warehouse: one DuckDB file, opened late and closed early."""

import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb

from ndcg_sql import schema, sqlfiles, statements
from ndcg_sql.connections import (
    Settings,
    connect,
    harmless_path,
    in_memory,
    is_disk_full,
    limited,
)
from ndcg_sql.database import Database, Parameters, Row
from ndcg_sql.errors import DiskFullError, NdcgSqlError
from ndcg_sql.limits import Limits
from ndcg_sql.progress import untold

__all__ = ["Parameters", "Row", "Warehouse"]
_USUAL = Limits()
# So many bytes has any file of DuckDB that another process can have made.
_HEADERS = 3 * 4096


class Warehouse(Database):
    """A warehouse of judgments, runs and the values of measures.

    Open it with Warehouse.read, Warehouse.write or Warehouse.memory, as a
    context manager:

        with Warehouse.memory() as warehouse:
            warehouse.load_judgments("qrels.txt")
            warehouse.load_run(frame, "first")
            print(warehouse.values("nDCG@10 AP").df())

    connection is DuckDB's, for SQL of your own: every table and view is there.
    It serves one thread. What cannot be done is an ndcg_sql.NdcgSqlError.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: str) -> None:
        """Wrap a connection; the class methods open one."""
        super().__init__(connection, path)
        # Where copies of files go: beside the warehouse, as its disk has room.
        in_memory = path == ":memory:"
        self.folder = None if in_memory else Path(path).absolute().parent
        self._limited = ExitStack()
        # Whether this made the file.
        self._created = False

    @classmethod
    def read(
        cls,
        path: str | Path,
        wait: float = 10,
        tell: Callable[[str], None] = untold,
        limits: Limits = _USUAL,
        settings: Settings | None = None,
    ) -> "Warehouse":
        """Open a warehouse for reading only; raise NdcgSqlError if that fails.

        Waits up to wait seconds for another process to let go of the file.
        settings are DuckDB's, in the place of limits.
        """
        path = Path(path)
        _check_there(path)
        warehouse = cls.hold(path, wait, tell, limits, settings)
        try:
            schema.check_readable(warehouse)
        except BaseException:
            warehouse.close()
            raise
        return warehouse

    @classmethod
    def hold(
        cls,
        path: str | Path,
        wait: float = 10,
        tell: Callable[[str], None] = untold,
        limits: Limits = _USUAL,
        settings: Settings | None = None,
    ) -> "Warehouse":
        """Open any DuckDB file for reading only; nobody writes to it meanwhile."""
        warehouse = cls(connect(Path(path), wait, True, tell, settings), str(path))
        warehouse.is_read_only = True
        if settings is None:
            warehouse._limit(limits)
        return warehouse

    @classmethod
    def write(
        cls,
        path: str | Path,
        wait: float = 10,
        tell: Callable[[str], None] = untold,
        make: bool = True,
        limits: Limits = _USUAL,
    ) -> "Warehouse":
        """Open a warehouse for writing; upgrade it, or make it, where needed.

        What has no tables of ours gets them in the first transaction, and if
        that fails is as it was: no file, or the same file. Without make, it
        is refused instead.
        """
        path = Path(path)
        created = not path.exists()
        if not make:
            _check_there(path)
        elif created and not path.absolute().parent.is_dir():
            raise NdcgSqlError(
                f"{harmless_path(str(path))}: the directory does not exist"
            )
        try:
            connection = connect(path, wait, read_only=False, tell=tell)
        except DiskFullError:
            # DuckDB leaves the first bytes of a file that there is no room for.
            if created and path.exists() and path.stat().st_size < _HEADERS:
                path.unlink()
            raise
        warehouse = cls(connection, str(path))
        try:
            # Another process may have made it since; then it is not ours to remove.
            sql = "select count(*) from duckdb_tables()"
            warehouse._created = created and warehouse.execute(sql) == [(0,)]
            warehouse._limit(limits)
            if not make:
                schema.check_known(warehouse)
            warehouse._bare = not schema.is_known(warehouse)
            if not warehouse._bare:
                mark = {"mark": schema.PUBLISHED}
                published = warehouse.run("exports/is_published", mark)
                warehouse._published = published == [(True,)]
                schema.upgrade(warehouse, tell)
        except BaseException:
            warehouse.close()
            raise
        Database.commits = 0
        return warehouse

    @classmethod
    def memory(
        cls, with_comments: bool = False, limits: Limits = _USUAL
    ) -> "Warehouse":
        """Make a warehouse that lives in memory and is gone when closed."""
        warehouse = cls(in_memory(), ":memory:")
        warehouse._limit(limits)
        with warehouse.transaction():
            schema.make(warehouse, with_comments)
        Database.commits = 0
        return warehouse

    @classmethod
    def scratch(cls, limits: Limits = _USUAL) -> "Warehouse":
        """Make one in memory for a single command, which asks for few of its views.

        To make them all takes longer than to value a small run; each is there
        when execute first reads it. Nothing in it outlives a failure, so that it
        needs no transactions, in which DuckDB reads what is new on one thread.
        """
        warehouse = cls(in_memory(), ":memory:")
        warehouse._limit(limits)
        with warehouse.transaction():
            schema.make_tables(warehouse)
        warehouse.is_scratch = True
        warehouse._unmade = {view.name: view.select for view in sqlfiles.views()}
        Database.commits = 0
        return warehouse

    def load_run(
        self,
        frame: Any,
        name: str | None = None,
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        position_rule: str = "score",
        run_at: datetime | None = None,
        tags: Mapping[str, str] | None = None,
        replace: bool = False,
    ) -> str:
        """Load a frame (pandas, polars, Arrow) or the file at a path as a run.

        A row is a ranked document, with the columns query_id, doc_id and score;
        columns says which have other names (column to name). Without a name, it
        is called as the file is, or "run". DuckDB reads the columns as they are;
        only columns of objects of Python (pandas' dtype object) are read value
        by value. Returns what the command line would tell. Raises NdcgSqlError,
        and stores nothing, where that would refuse: a bad row is told as
        frame:3, counted from 1.
        """
        from ndcg_sql import frames

        given = {"position_rule": position_rule, "run_at": run_at, "tags": tags}
        options = {"dataset": dataset, "columns": columns, "replace": replace, **given}
        return frames.load(self, "run", frame, name, options)

    def load_judgments(
        self,
        frame: Any,
        name: str | None = None,
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        labels: Mapping[str, float] | None = None,
        evaluate: bool = True,
        base: str | None = None,
        replace: bool = False,
    ) -> str:
        """Load a frame, or the file at a path, as a judgment set.

        A row is a judged document, with the columns query_id, doc_id and grade;
        labels are the grades of the words that stand there. Otherwise this is
        as load_run, "judgments" the name of a frame without one; without
        evaluate, runs that are there are not valued. The new set has all
        judgments of base, too, where that is named.
        """
        from ndcg_sql import frames

        given = {"labels": labels, "evaluate": evaluate, "base": base}
        options = {"dataset": dataset, "columns": columns, "replace": replace, **given}
        return frames.load(self, "judgments", frame, name, options)

    def load_queries(
        self,
        frame: Any,
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
    ) -> str:
        """Load a frame, or the file at a path, of what is known of queries.

        A row is a query, with the column query_id and perhaps text and weight;
        every other column is an attribute. Otherwise this is as load_run.
        """
        from ndcg_sql import frames

        return frames.load_queries(self, frame, dataset, columns)

    def values(
        self,
        measures: Any = None,
        *,
        runs: str | Iterable[str] | None = None,
        judgments: str | None = None,
        dataset: str | None = None,
        by: str | Iterable[str] | None = None,
        per_query: bool = False,
        like: str | None = None,
    ) -> duckdb.DuckDBPyRelation:
        """Return the values of runs, as the command report prints them.

        measures are written as there ("nDCG@10 AP", or a list); those that are
        registered if left out, as are all runs and the newest judgments. A row
        is a run's mean, with per_query its value for a query, and with by, an
        attribute of the queries or several, its mean over those of each value.

        The rows are kept in memory, also when the warehouse is closed: call
        .df() for pandas, .pl() for polars, .to_arrow_table() for Arrow,
        .fetchall() for tuples; or go on with .filter, .order and the like.
        Nothing is written to the warehouse. Raises NdcgSqlError where a name is
        not known; warns of what the command would tell, as of runs left out.
        """
        from ndcg_sql import asking

        told: list[str] = []
        found = asking.values(
            self,
            told.append,
            measures,
            runs,
            by=by,
            judgments=judgments,
            dataset=dataset,
            per_query=per_query,
            like=like,
        )
        for line in told:
            warnings.warn(line, stacklevel=2)
        return found

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
                with statements.whole():
                    self._fold_log()
        finally:
            if self._created and not self._changed:
                # While the lock is held, so that nobody can have begun to use it.
                for path in (f"{self.path}.wal", self.path):
                    Path(path).unlink(missing_ok=True)
            self.connection.close()
            self._limited.close()

    def _fold_log(self) -> None:
        """Fold the log into the file; say what became of the change if it is full."""
        try:
            self.connection.execute("checkpoint")
        except duckdb.Error as error:
            if not is_disk_full(error):
                raise
            shown = harmless_path(self.path)
            raise NdcgSqlError(
                f"{shown}: no space left on the disk; what was told is done, and kept"
                f" in {shown}.wal; make room, and the next command that writes folds"
                " it in"
            ) from error

    def _limit(self, limits: Limits) -> None:
        """Hold all that follows to limits; close at once where that fails."""
        try:
            within = limited(self.connection, limits, self.folder)
            self._limited.enter_context(within)
        except BaseException:
            self.close()
            raise
        self.folder = limits.temporary or self.folder


def _check_there(path: Path) -> None:
    """Raise NdcgSqlError if there is nothing at a path."""
    if not path.exists():
        raise NdcgSqlError(
            f"{harmless_path(str(path))}: there is no warehouse;"
            " ndcg-sql load judgments FILE makes one"
        )
