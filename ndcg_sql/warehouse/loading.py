"""Loading from Python: frames, files, dicts and the rows of databases."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import Any

from ndcg_sql.arguments import as_arguments
from ndcg_sql.loading import frames
from ndcg_sql.loading.assessments import Assessors
from ndcg_sql.loading.values import Options, load
from ndcg_sql.system.messages import Collected
from ndcg_sql.text import sql_time
from ndcg_sql.warehouse.access import Access


class Loading(Access):
    """The methods of a warehouse that load something."""

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
        with self._writing(make=True) as database:
            messages = Collected()
            frames.load(database, "run", frame, name, options, messages)
        return as_arguments(messages.text)

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
        with self._writing(make=True) as database:
            messages = Collected()
            frames.load(database, "judgments", frame, name, options, messages)
        return as_arguments(messages.text)

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
        with self._writing(make=True) as database:
            given = (name, dataset, who, columns, replace)
            told = frames.load_assessments(database, frame, *given)
        return as_arguments(told)

    def load_values(
        self,
        folder: str | PathLike[str],
        name: str | None = None,
        *,
        dataset: str = "default",
        judgments: str | None = None,
        run_at: datetime | None = None,
        tags: Mapping[str, str] | None = None,
        replace: bool = False,
    ) -> str:
        """Load a folder that ndcg-sql spark wrote: a run for each that it evaluated.

        Their rankings stay where they are. judgments is the judgment set with the
        judgments that Spark used, by default the newest of the dataset. name names
        the only run. Returns the messages that the command line would print. Raises
        NdcgSqlError and stores nothing if the folder is damaged, if the judgments are
        others, or if a value differs from the warehouse's by more than 1e-9.
        """
        time = None if run_at is None else sql_time(run_at)
        given = Options(dataset, judgments, name, dict(tags or {}), time, replace)
        with self._writing() as database:
            messages = Collected()
            load(database, Path(folder), given, messages)
        return as_arguments(messages.text)

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
        with self._writing(make=True) as database:
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
        with self._writing(make=True) as database:
            told = frames.load_documents(database, frame, dataset, columns, replace)
        return as_arguments(told)
