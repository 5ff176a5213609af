"""A warehouse from Python: load, ask, keep."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import duckdb

from ndcg_sql.comparison.answers import Answer, from_parquet
from ndcg_sql.database.backups import back_up
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.fused import Fused
from ndcg_sql.loading.loaded import Loaded, LoadedItem
from ndcg_sql.output.results import Result
from ndcg_sql.python import answering, methods
from ndcg_sql.python.access import Access, in_python
from ndcg_sql.python.datasets import carried
from ndcg_sql.questions import changes as changing
from ndcg_sql.questions import comparisons, outputs, reports
from ndcg_sql.requests import changes, choices, clicks, loading, publishing
from ndcg_sql.requests.fields import made, method_of, number
from ndcg_sql.requests.shared import Names
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.system.messages import Collected, Messages
from ndcg_sql.text import counted, harmless, harmless_lines
from ndcg_sql.wording import use

if TYPE_CHECKING:
    from ndcg_sql.python.inputs import (
        Judgments,
        Known,
        Rows,
        RowsOfFiles,
        Run,
    )


class Warehouse(Access):
    """A warehouse of judgments, runs and the values of measures.

        warehouse = Warehouse("ndcg.duckdb")
        warehouse.load_judgments("qrels.txt")
        warehouse.load_run(frame, "first")
        warehouse.report("nDCG@10 AP").df()

    It opens the file for each call, as the command line does, so that others can
    read and write it in between. Warehouse.read, Warehouse.write and
    Warehouse.memory hold it open until it is closed; use them as context managers.
    Use a warehouse from one thread only. Every failure is an ndcg_sql.NdcgSqlError.

    measures are written as on the command line ("nDCG@10 AP", or a list); by
    default they are the registered ones. runs are names or patterns, all by
    default; judgments is a judgment set, by default the newest of each dataset.
    Ids and names are text; an integer is taken for its digits.
    What a command would print beside its rows is issued as a Python warning. What
    changes the warehouse returns the messages that the command would print, of what
    is loaded with names and counts, and raises NdcgSqlError, with nothing changed,
    where it would refuse.
    """

    def __repr__(self) -> str:
        call = f"{type(self).__name__}({str(self._path)!r})"
        if self._is_closed:
            return f"{call}, closed"
        try:
            # Nobody who looks at a warehouse waits for others to write.
            with self._reading(wait=0) as database:
                rows = database.run("lookups/sizes_of_datasets")
        except NdcgSqlError:
            return call
        datasets = [
            f"{harmless(name)}: {counted(sets, 'judgment set')}, {counted(runs, 'run')}"
            for name, sets, runs in rows
        ]
        return "\n  ".join([call, *(datasets or ["empty"])])

    def change(self, request: object, messages: Messages) -> list[LoadedItem]:
        """Change the warehouse as a request says; return what was loaded.

        Only make may make a warehouse. A dry run only reads it. Raises NdcgSqlError,
        and changes nothing, where that is not possible.
        """
        is_dry = getattr(request, "dry_run", False)
        make, first = type(request) in answering.MAKERS, answering.first(request)
        held = self._reading() if is_dry else self._writing(make, first)
        dataset = getattr(request, "dataset", None)
        with carried(dataset, messages) as scoped, held as database:
            return answering.change(database, scoped, request)

    def load(
        self, request: loading.Loading, content: Any, messages: Messages
    ) -> list[LoadedItem]:
        """Load files, folders, rows of a database or a frame, as a request says.

        Return what they became. What may be slow is read before the warehouse is
        opened. Raises NdcgSqlError, and stores nothing, where anything is wrong.
        """
        # What reads files is imported by who loads some: a report would wait for it.
        from ndcg_sql.loading import frames

        with (
            carried(request.dataset, messages) as scoped,
            in_python(str(self._path)),
            frames.received(
                content, request, scoped, self._folder, self._limits
            ) as files,
            self._writing(make=True) as database,
        ):
            return frames.load(database, files, request, scoped)

    def _loaded(
        self,
        request: type[loading.Loading],
        content: Any,
        arguments: Mapping[str, Any],
    ) -> Loaded:
        from ndcg_sql.loading import frames

        labels = frames.grades(arguments.get("labels"))
        chosen, messages = made(request, {**arguments, "labels": labels}), Collected()
        items = self.load(chosen, content, messages)
        return Loaded.of(chosen.dataset, items, messages)

    def _loaded_folder(
        self, request: type[Any], arguments: Mapping[str, Any]
    ) -> Loaded:
        chosen, messages = made(request, arguments), Collected()
        items = self.change(chosen, messages)
        return Loaded.of(chosen.dataset, items, messages)

    def copy(self, request: publishing.Copied, messages: Messages) -> None:
        """Write what the warehouse holds to somewhere else, as a request says."""
        # It loads slowly.
        from ndcg_sql.publishing.publish import publish

        if str(self._path) == ":memory:":
            what = method_of(type(request))
            raise NdcgSqlError(f"{what}: a warehouse in memory has no file to copy")
        self._check_open()
        with in_python(str(request.target)):
            if isinstance(request, publishing.BackupRequest):
                back_up(
                    self._path,
                    request.target,
                    request.force,
                    self._wait,
                    messages,
                    self._held,
                )
            else:
                publish(self._read_file, request, self._wait, messages)

    def _copy(self, request: type[Any], arguments: Mapping[str, Any]) -> str:
        messages = Collected()
        self.copy(made(request, arguments), messages)
        return messages.text

    def load_run(
        self,
        data: "Run",
        name: str | None = None,
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        run_column: str | None = None,
        name_from: choices.NameFrom = "file",
        prefix: str | None = None,
        position_rule: choices.PositionRule | None = None,
        run_at: datetime | str | None = None,
        run_at_column: str | None = None,
        tags: Mapping[str, str] | None = None,
        tag_columns: Iterable[str] | None = None,
        where: Mapping[str, str] | None = None,
        query: str | None = None,
        rows_of: str | Path | None = None,
        format_in: str | None = None,
        decimal: str | None = None,
        encoding: str | None = None,
        duplicates: choices.Duplicates = "refuse",
        unit: str | None = None,
        unit_before: str | None = None,
        strict: bool = False,
        replace: bool = False,
    ) -> Loaded:
        """Load a frame (pandas, polars, Arrow) or the file at a path as runs.

        Several paths, or the files of a folder, are loaded together, or none of them.
        It may also be a dict, {query: {document: score}} or {query: [document, ...]} in
        the order of the ranking, any number of ir_measures' ScoredDoc, the rows of a
        database (ndcg_sql.database_rows), or what it has answered: a result of
        SQLAlchemy or a cursor, fetched in batches.
        In a frame, a row is a ranked document with the columns query_id, doc_id and
        score; columns maps these to other names in the frame. If a column run,
        run_id, run_name, model, system, tag or method, or the one that run_column
        names, has several values, each becomes a run of that name;
        run_column="none" ignores such columns. Otherwise the frame is one run, by
        default named after the file, or "run"; with name_from="tag", by its only
        value in that column. name may be a pattern, such as "{Week}/{Engine}" or
        "{file}-{run}": a field in braces is a column, a tag, file, run, or date and
        time of run_at; each name becomes a run. prefix stands in front of all names.
        The values of tag_columns become tags of their runs, that of run_at_column
        the time. A document twice for a query is refused;
        duplicates="first", "last" or "max" (score) keeps one of its rows.
        Where rows are chunks of documents, unit names the column of their documents,
        or unit_before="#" takes the id up to the last "#"; a document takes the place
        of its best chunk.
        where={"version": "2"} reads only the rows with that value. query is the
        query of all rows of an input that has none. rows_of and format_in are for
        files alone, as in ndcg-sql load run. decimal="," reads numbers in text
        such as "1.234,5"; encoding is that of a file whose text is not UTF-8, such
        as "windows-1252". strict refuses whatever is otherwise a warning. DuckDB
        reads the columns directly; only columns of Python objects (pandas' dtype
        object) are read one by one. Returns what was loaded; printed, it is the
        messages of the command line. Raises NdcgSqlError and stores nothing where the
        command line would refuse the input; a bad row is reported as frame:3, counted
        from 1.
        """
        return self._loaded(loading.LoadRunRequest, data, locals())

    def load_judgments(
        self,
        data: "Judgments",
        name: str | None = None,
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        labels: Mapping[str, float] | None = None,
        grade: float | None = None,
        attributes: Names = None,
        evaluate: bool = True,
        base: str | None = None,
        where: Mapping[str, str] | None = None,
        query: str | None = None,
        format_in: str | None = None,
        decimal: str | None = None,
        encoding: str | None = None,
        duplicates: choices.Duplicates = "refuse",
        strict: bool = False,
        replace: bool = False,
    ) -> Loaded:
        """Load a frame, or the file at a path, as a judgment set.

        It may also be a dict, {query: {document: grade}} or {query: [document, ...]}
        of relevant documents (grade 1), or any number of ir_measures' Qrel.
        In a frame, a row is a judged document with the columns query_id, doc_id and
        grade; labels maps labels in that column to grades. Where each row is a
        relevant document, such as a purchase, there is no such column: grade=1 is
        the grade of all. attributes are columns that become attributes of queries, as
        those of load_queries. A column subtopic, or Qrel's iteration, names the
        subtopic that a judgment is for. name is the file's name or "judgments" by
        default. Without evaluate, the dataset's runs are not
        evaluated with the new set. The new set also has all judgments of base,
        if given. Otherwise as load_run.
        """
        return self._loaded(loading.LoadJudgmentsRequest, data, locals())

    def load_assessments(
        self,
        data: "RowsOfFiles",
        name: str | None = None,
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        labels: Mapping[str, float] | None = None,
        assessor: str | None = None,
        assessor_from: choices.AssessorFrom = "column",
        assessor_columns: Names = None,
        assessor_kind: str | None = None,
        model: str | None = None,
        prompt: str | None = None,
        cost: float | None = None,
        seconds: float | None = None,
        where: Mapping[str, str] | None = None,
        query: str | None = None,
        format_in: str | None = None,
        decimal: str | None = None,
        encoding: str | None = None,
        replace: bool = False,
    ) -> Loaded:
        """Load the grades of several assessors from a frame or file.

        A row is a grade with the columns query_id, doc_id, grade and assessor; or
        assessor is the assessor of all rows; or the file is, with
        assessor_from="file"; or assessor_columns are those with the grades of one
        assessor each. assessor_kind ("human", "llm"), model, prompt, cost (in your
        currency) and seconds say what is known of them, as the relation
        assessment_sets shows. name is the file's name or "assessments" by
        default. Otherwise as load_judgments; this does not make a judgment set.
        """
        return self._loaded(loading.LoadAssessmentsRequest, data, locals())

    def load_values(
        self,
        data: "RowsOfFiles",
        name: str | None = None,
        *,
        dataset: str = "default",
        run_column: str | None = None,
        measures: Names = None,
        lower_is_better: Names = None,
        origin: str | None = None,
        judgments: str | None = None,
        tags: Mapping[str, str] | None = None,
        run_at: datetime | str | None = None,
        columns: Mapping[str, str] | None = None,
        where: Mapping[str, str] | None = None,
        format_in: str | None = None,
        decimal: str | None = None,
        encoding: str | None = None,
        replace: bool = False,
    ) -> Loaded:
        """Load values of queries that another program computed from a frame or file.

        A row is a value, with the columns query_id, measure and value, or a query,
        with a column for each measure; measures are those to load, by default the
        columns with numbers in most rows. A column run, or run_column, names the run of
        a row; otherwise it is name, or that of the file. A run that is not there is
        made, without rankings. lower_is_better are measures such as latency; origin
        says what computed the values. judgments is the set that values of measures such
        as nDCG@10 rest on, which are loaded only for runs without rankings. columns may
        also give a measure another name: {"accuracy_of_answer": "accuracy"}. With
        replace, other values of the same measures go. Otherwise as load_run.
        """
        return self._loaded(loading.LoadValuesRequest, data, locals())

    def load_benchmark(
        self,
        benchmark: choices.Benchmark,
        folder: str | PathLike[str],
        *,
        dataset: str = "default",
        duplicates: choices.Duplicates = "refuse",
        strict: bool = False,
        replace: bool = False,
        documents: bool = True,
    ) -> Loaded:
        """Load a folder of BEIR or of MS MARCO: judgments, queries and documents.

        Each file of judgments becomes a judgment set. Everything is loaded, or nothing.
        """
        return self._loaded_folder(loading.LoadBenchmarkRequest, locals())

    def load_queries(
        self,
        data: "Rows",
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        where: Mapping[str, str] | None = None,
        format_in: str | None = None,
        decimal: str | None = None,
        encoding: str | None = None,
        strict: bool = False,
        replace: bool = False,
    ) -> Loaded:
        """Load the texts, weights and attributes of queries from a frame or file.

        A row is a query with the column query_id and optionally text and weight;
        every other column is an attribute. With replace, they replace all texts,
        weights and attributes of the dataset. Otherwise as load_run.
        """
        return self._loaded(loading.LoadQueriesRequest, data, locals())

    def load_documents(
        self,
        data: "Rows",
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        format_in: str | None = None,
        encoding: str | None = None,
        strict: bool = False,
        replace: bool = False,
    ) -> Loaded:
        """Load titles, addresses and attributes of documents from a frame or file.

        A row is a document with the columns doc_id, title (or text, of which the
        beginning is the title) and url; every other column is an attribute. With
        replace, they replace all documents of the dataset. Otherwise as load_run.
        """
        return self._loaded(loading.LoadDocumentsRequest, data, locals())

    def load_known(
        self,
        data: "Known",
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        where: Mapping[str, str] | None = None,
        query: str | None = None,
        format_in: str | None = None,
        encoding: str | None = None,
        strict: bool = False,
        replace: bool = False,
    ) -> Loaded:
        """Load what queries know already from a frame, a dict or a file.

        A row is a document that a query knows, with the columns query_id, doc_id and
        optionally count and time; a dict is {query: [document, ...]} or {query:
        {document: count}}. Measures with known='omit' take these documents out. With
        replace, they replace all known documents of the dataset. Otherwise as
        load_run.
        """
        return self._loaded(loading.LoadKnownRequest, data, locals())

    def load_clicks(
        self,
        data: "RowsOfFiles",
        name: str | None = None,
        *,
        model: choices.ClickModel = "coec",
        dataset: str = "default",
        actions: Mapping[str, float] | None = None,
        min_impressions: int = 20,
        levels: str | Iterable[float] | None = None,
        impressions: Names = None,
        searches: str | Path | None = None,
        impressions_from: str | None = None,
        depth: int | None = None,
        columns: Mapping[str, str] | None = None,
        where: Mapping[str, str] | None = None,
        format_in: str | None = None,
        encoding: str | None = None,
        evaluate: bool = True,
        replace: bool = False,
    ) -> Loaded:
        """Make a judgment set of a log of what users clicked.

        A row of a frame or file is an event, with the columns query_id, doc_id, action,
        position (from 1) and optionally time; several files are one log. The action
        impression says that a document was shown at a position, as do those of
        impressions; a click is worth 1, and actions says what others are worth, or 0 to
        ignore them. The grade of a document
        is, by the model ctr, its clicks over its impressions; by coec, its clicks over
        the clicks that its positions let expect. Documents with fewer than
        min_impressions for a query are left out. levels are the least fractions of the
        grades 1, 2 and so on. searches is the file of ubi_queries, if the events are
        those of UBI. impressions_from is a run of the dataset, for clicks without
        impressions: every search of a log is taken to have shown its first documents,
        depth of them or 10; a search is one search_id, or each event if there is no
        such column. Otherwise as load_judgments.
        """
        return self._loaded(clicks.LoadClicksRequest, data, locals())

    report = methods.question(reports.report)
    leaderboard = methods.question(comparisons.leaderboard)
    compare = methods.question(comparisons.compare)
    gate = methods.verdict(comparisons.gate)
    explain = methods.question(reports.explain)
    unjudged = methods.question(reports.unjudged)
    history = methods.question(reports.history)
    changes = methods.question(comparisons.changes)
    overlap = methods.question(comparisons.overlap)
    agreement = methods.question(comparisons.agreement)
    describe = methods.question(reports.describe)
    contents = methods.question(reports.contents)
    pool = methods.question(reports.pool)
    check = methods.checking(reports.check)
    measures = methods.question(reports.measures)
    gains = methods.question(reports.gains)
    schema = methods.question(reports.schema)
    plot = methods.figure(outputs.plot)
    adjudicate = methods.change(changing.adjudicate)
    add_measures = methods.change(changing.add_measures)
    remove_measures = methods.change(changing.remove_measures)
    add_gains = methods.change(changing.add_gains)
    remove_gains = methods.change(changing.remove_gains)
    evaluate = methods.change(changing.evaluate)
    remove = methods.change(changing.remove)
    remove_queries = methods.change(changing.remove_queries)
    remove_documents = methods.change(changing.remove_documents)
    remove_known = methods.change(changing.remove_known)
    remove_dataset = methods.change(changing.remove_dataset)
    tag = methods.change(changing.tag)
    rename = methods.change(changing.rename)
    export = methods.change(outputs.export)

    def query(self, sql: str, *, time_limit: float = 3600.0) -> Result:
        """Return the rows of a select on the public relations, which writes nothing.

        Files and the network are out of its reach, as on the command line, and it is
        stopped after time_limit seconds, unless the warehouse is held open; there it
        is yours, as connection is.
        """
        from ndcg_sql.sandbox import parent

        if not isinstance(cast("object", sql), str):
            raise NdcgSqlError("not text", where=use(sql=sql))
        if not 0.001 <= number("time_limit", time_limit) <= 1e9:
            raise NdcgSqlError(
                "must be from 0.001 to 1e9", where=use(time_limit=time_limit)
            )
        with temporary_folder(None) as folder:
            path = folder / "rows.parquet"
            if self._held is None:
                self._check_open()
                with in_python(str(self._path)):
                    parent.query(
                        sql,
                        self._path,
                        "parquet",
                        path,
                        self._wait,
                        time_limit,
                        self._limits,
                    )
            else:
                with in_python(self._held.path):
                    _write_select(self.connection, sql, path)
            return Result(Answer("query", from_parquet(path)))

    def fuse(
        self,
        runs: Names,
        name: str,
        *,
        method: str = "rrf",
        norm: str | None = None,
        k: int | None = None,
        weights: str | Sequence[float] | None = None,
        depth: int | None = None,
        tune: str | None = None,
        dataset: str | None = None,
        tags: Mapping[str, str] | None = None,
        replace: bool = False,
    ) -> Fused:
        """Make a run of runs of one dataset, by their names or patterns.

        A pattern leaves out runs that fuse made.

        method is rrf, isr, log_isr or borda, of positions; sum, max, min, med, anz,
        mnz or weighted, of scores that norm puts on one scale: min-max (by default),
        max, sum, zmuv, rank, borda or none. k (60) is that of rrf, weights are those
        of weighted, in the order of the runs. depth keeps as many documents of each
        query. Tags name the method and the runs.

        tune is a measure by which k or the weights are chosen from a grid; each of
        five folds of all queries is held out once. Returns how the run was made, with
        the mean for the queries held out; printed, it is the messages of the command
        line.
        """
        request, messages = made(changes.FuseRequest, locals()), Collected()
        held = self._writing(first=answering.first(request))
        with carried(request.dataset, messages) as scoped, held as database:
            fused = answering.fuse(database, scoped, request)
        warnings = tuple(str(warning) for warning in messages.warnings)
        return dataclasses.replace(fused, text=messages.text, warnings=warnings)

    def backup(self, target: str | PathLike[str], *, force: bool = False) -> str:
        """Copy the whole warehouse to a file; force replaces an earlier copy.

        The copy is consistent: it waits for a process that writes, and others wait
        for it. Raises NdcgSqlError where the target is anything but a warehouse.
        """
        return self._copy(publishing.BackupRequest, locals())

    def publish(
        self,
        target: str | Path,
        *,
        schema: str | None = None,
        baseline: str | Sequence[str] | None = None,
        all_pairs: bool = False,
    ) -> str:
        """Write the public relations as tables to a file, folder or database.

        Of a dataset with more than 20 runs, each run is compared only with the
        baselines, or with the run before it if there are none, with the last
        release before it, and with the best run; all_pairs compares all. Baselines
        are those named, and the runs with the tag baseline; releases are runs with
        the tag release or production.
        """
        return self._copy(
            publishing.PublishRequest, {**locals(), "target": str(target)}
        )


def _write_select(connection: duckdb.DuckDBPyConnection, sql: str, path: Path) -> None:
    try:
        rows = cast("duckdb.DuckDBPyRelation | None", connection.sql(sql))
        if rows is None:
            raise NdcgSqlError("query: not a select, or nothing at all")
        rows.write_parquet(str(path))
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        raise NdcgSqlError(f"query: {harmless_lines(str(error))}") from error


# What Python says of wrong arguments names the class that people know.
Access.__init__.__qualname__ = Warehouse.__name__
