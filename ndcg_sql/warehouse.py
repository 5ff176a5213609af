"""The Python interface of a warehouse: open it, load, get values, run SQL."""

import warnings
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb

from ndcg_sql.analysis import report
from ndcg_sql.arguments import as_arguments, in_python
from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading import frames
from ndcg_sql.loading.assessments import Assessors
from ndcg_sql.loading.frames import database_rows
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Collected, Messages

__all__ = ["Warehouse", "database_rows"]


class Warehouse:
    """A warehouse of judgments, runs and the values of measures.

    Open it with Warehouse.read, Warehouse.write or Warehouse.memory, as a
    context manager:

        with Warehouse.memory() as warehouse:
            warehouse.load_judgments("qrels.txt")
            warehouse.load_run(frame, "first")
            print(warehouse.values("nDCG@10 AP").df())

    Use it from one thread only. Every failure is an ndcg_sql.NdcgSqlError.
    """

    def __init__(self, database: Database | None = None) -> None:
        """Wrap an open database; the class methods open one."""
        if not isinstance(database, Database):
            given = "" if database is None else repr(database)
            raise NdcgSqlError(
                f"Warehouse({given}): open it with Warehouse.read(path),"
                " Warehouse.write(path) or Warehouse.memory()"
            )
        self._database = database
        self._is_closed = False
        self._connection: duckdb.DuckDBPyConnection | None = None

    @property
    def database(self) -> Database:
        """The open database; raises NdcgSqlError once it is closed."""
        if self._is_closed:
            raise NdcgSqlError("the warehouse is closed; open it again")
        return self._database

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """A DuckDB connection for your own SQL on the public relations.

        It is opened on first use and closed with the warehouse.
        """
        database = self.database
        if self._connection is None:
            self._connection = database.connection.cursor()
        return self._connection

    @classmethod
    def read(
        cls,
        path: str | Path,
        wait: float = opening.WAIT,
        messages: Messages = opening.SILENT,
        limits: Limits = opening.USUAL,
        copy: bool = False,
    ) -> "Warehouse":
        """Open a warehouse read-only; raise NdcgSqlError if that fails.

        Waits up to wait seconds for another process to release the file. Until it
        is closed, no other process can write to the file. With copy, others can:
        this opens a private copy of the file as it is now, which takes as much
        disk space until it is closed.
        """
        with in_python(str(path)):
            return cls(opening.read(Path(path), wait, messages, limits, copy=copy))

    @classmethod
    def write(
        cls,
        path: str | Path,
        wait: float = opening.WAIT,
        messages: Messages = opening.SILENT,
        limits: Limits = opening.USUAL,
        make: bool = True,
    ) -> "Warehouse":
        """Open a warehouse for writing; create or upgrade it if needed.

        A file without the warehouse's tables gets them in the first transaction;
        if that fails, the file is as before: absent or unchanged. Without make,
        such a file is refused.
        """
        with in_python(str(path)):
            return cls(opening.write(Path(path), refill, wait, messages, limits, make))

    @classmethod
    def memory(cls, limits: Limits = opening.USUAL) -> "Warehouse":
        """Create a warehouse in memory, which is gone when closed."""
        with in_python(":memory:"):
            return cls(opening.memory(limits))

    def load_run(
        self,
        frame: Any,
        name: str | None = None,
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        run_column: str | None = None,
        name_from: str = "file",
        position_rule: str = "score",
        run_at: datetime | None = None,
        tags: Mapping[str, str] | None = None,
        duplicates: str = "refuse",
        replace: bool = False,
    ) -> str:
        """Load a frame (pandas, polars, Arrow) or the file at a path as runs.

        It may also be a dict, {query: {document: score}} or {query: [document, ...]}
        in the order of the ranking, any number of ir_measures' ScoredDoc, the rows
        of a database (ndcg_sql.database_rows), or what it has answered: a result of
        SQLAlchemy or a cursor, fetched in batches.
        In a frame, a row is a ranked document with the columns query_id, doc_id and
        score; columns maps these to other names in the frame. If a column run,
        run_id, run_name, model, system, tag or method, or the one that run_column
        names, has several values, each becomes a run of that name;
        run_column="none" ignores such columns. Otherwise the frame is one run, by
        default called as the file, or "run"; with name_from="tag", by its only
        value in that column. A document twice for a query is refused;
        duplicates="first", "last" or "max" (score) keeps one of its rows. DuckDB
        reads the columns directly; only columns of Python objects (pandas' dtype
        object) are read one by one. Returns
        the messages that the command line would print. Raises NdcgSqlError and
        stores nothing where the command line would refuse the input; a bad row
        is reported as frame:3, counted from 1.
        """
        given = {"position_rule": position_rule, "run_at": run_at, "tags": tags}
        given |= {"run_column": run_column, "columns": columns}
        given |= {"duplicates": duplicates, "name_from": name_from}
        options = {"dataset": dataset, "replace": replace, **given}
        with self._opened() as database:
            told = frames.load(database, "run", frame, name, options)
        return as_arguments(told)

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
        duplicates: str = "refuse",
        replace: bool = False,
    ) -> str:
        """Load a frame, or the file at a path, as a judgment set.

        It may also be a dict, {query: {document: grade}} or {query: [document, ...]}
        of relevant documents (grade 1), or any number of ir_measures' Qrel.
        In a frame, a row is a judged document with the columns query_id, doc_id and
        grade; labels maps labels in that column to grades. name is the file's name or
        "judgments" by default. Without evaluate, the dataset's runs are not
        evaluated with the new set. The new set also has all judgments of base,
        if given. Otherwise as load_run.
        """
        given: dict[str, Any] = {"labels": labels, "evaluate": evaluate, "base": base}
        given |= {"columns": columns, "duplicates": duplicates}
        options = {"dataset": dataset, "replace": replace, **given}
        with self._opened() as database:
            told = frames.load(database, "judgments", frame, name, options)
        return as_arguments(told)

    def load_assessments(
        self,
        frame: Any,
        name: str | None = None,
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        labels: Mapping[str, float] | None = None,
        assessor: str | None = None,
        assessor_columns: Iterable[str] = (),
        replace: bool = False,
    ) -> str:
        """Load the grades of several assessors from a frame or file.

        A row is a grade with the columns query_id, doc_id, grade and assessor; or
        assessor is the assessor of all rows; or assessor_columns are those with the
        grades of one assessor each. name is the file's name or "assessments" by
        default. Otherwise as load_judgments; this does not make a judgment set.
        """
        who = Assessors(assessor, tuple(assessor_columns), dict(labels or {}))
        with self._opened() as database:
            given = (name, dataset, who, columns, replace)
            told = frames.load_assessments(database, frame, *given)
        return as_arguments(told)

    def load_queries(
        self,
        frame: Any,
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        replace: bool = False,
    ) -> str:
        """Load the texts, weights and attributes of queries from a frame or file.

        A row is a query with the column query_id and optionally text and weight;
        every other column is an attribute. With replace, they replace all texts,
        weights and attributes of the dataset. Otherwise as load_run.
        """
        with self._opened() as database:
            told = frames.load_queries(database, frame, dataset, columns, replace)
        return as_arguments(told)

    def load_documents(
        self,
        frame: Any,
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        replace: bool = False,
    ) -> str:
        """Load the titles and addresses of documents from a frame or file.

        A row is a document with the columns doc_id, title (or text, of which the
        beginning is the title) and url; other columns are ignored. With replace,
        they replace all documents of the dataset. Otherwise as load_run.
        """
        with self._opened() as database:
            told = frames.load_documents(database, frame, dataset, columns, replace)
        return as_arguments(told)

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

        measures are written as there ("nDCG@10 AP", or a list). By default, they
        are the registered measures, for all runs with the newest judgments. A
        row is a run's mean; with per_query, its value for a query; with by (one
        or several attributes of queries), its mean over each slice.

        The rows stay in memory, even after the warehouse is closed: call
        .df() for pandas, .pl() for polars, .to_arrow_table() for Arrow or
        .fetchall() for tuples, or continue with .filter, .order and the like.
        Nothing is written to the warehouse. Raises NdcgSqlError for an unknown
        name; issues as Python warnings what the command would print, such as
        which runs are omitted.
        """
        messages = Collected()
        with self._opened() as database:
            found = report.values(
                database,
                messages,
                measures,
                runs,
                by=by,
                judgments=judgments,
                dataset=dataset,
                per_query=per_query,
                like=like,
            )
        for line in messages.lines:
            warnings.warn(as_arguments(line), stacklevel=2)
        return found

    @contextmanager
    def _opened(self) -> Generator[Database]:
        """Give the open database; failures speak of arguments."""
        database = self.database
        with in_python(database.path):
            yield database

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
        """Close the file; it contains every change."""
        if self._is_closed:
            return
        self._is_closed = True
        if self._connection is not None:
            self._connection.close()
        with in_python(self._database.path):
            self._database.close()
