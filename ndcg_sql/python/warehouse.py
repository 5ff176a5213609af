"""A warehouse from Python: load, ask, keep."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import Any, Literal, cast

import duckdb

from ndcg_sql.analysis.answers import Answer, Rows, from_parquet
from ndcg_sql.database import opening
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import choose_entry
from ndcg_sql.evaluation.evaluating import evaluate_pairs
from ndcg_sql.evaluation.registry import add_measures, remove_measures
from ndcg_sql.loading import frames, labelling, removing
from ndcg_sql.loading.assessments import Assessors
from ndcg_sql.loading.values import Options, load
from ndcg_sql.measures import families as measure_families
from ndcg_sql.measures import systems as other_systems
from ndcg_sql.output import exporting
from ndcg_sql.output.figures.figure import Figure
from ndcg_sql.output.publishing.publish import publish
from ndcg_sql.output.results import GateResult, Result
from ndcg_sql.python import answering
from ndcg_sql.python.access import Access, in_python, warn
from ndcg_sql.requests.fields import made, names_of, number
from ndcg_sql.requests.publishing import PublishRequest
from ndcg_sql.requests.questions import (
    AgreementRequest,
    ChangesRequest,
    CheckRequest,
    CompareRequest,
    ContentsRequest,
    DescribeRequest,
    ExplainRequest,
    GateRequest,
    HistoryRequest,
    LeaderboardRequest,
    OverlapRequest,
    PlotRequest,
    PoolRequest,
    ReportRequest,
    UnjudgedRequest,
)
from ndcg_sql.requests.shared import Request
from ndcg_sql.sandbox import parent
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.system.messages import Collected, Messages, Silent
from ndcg_sql.text import harmless_lines, quoted, sql_time
from ndcg_sql.wording import use

# One name, several, or measures of ir_measures.
Names = Any
# What is named: a run, a judgment set, a set of assessments.
Kind = Literal["run", "judgments", "assessments"]
_KINDS: dict[str, Any] = {
    "run": "run",
    "judgments": "judgment set",
    "assessments": "assessments",
}


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
    What a command would print beside its rows is issued as a Python warning. What
    changes the warehouse returns the messages that the command would print, and
    raises NdcgSqlError, with nothing changed, where it would refuse.
    """

    def answer(self, request: Request, messages: Messages) -> Answer:
        """Return what answers a request, with its rows in the warehouse.

        The warehouse must be held open.
        """
        with self._reading() as database:
            return answering.answer(database, messages, request)

    def write_page(self, answer: Answer, command: str) -> None:
        """Write the page of an answer, if its request asks for one.

        command is what the page says that it was asked for by.
        """
        with self._reading() as database:
            answering.write_page(database, answer, command)

    def _kept(self, request: Request) -> Answer:
        """Return what answers a request, independent of the warehouse."""
        messages = Collected()
        # What was checked is no reason to warn.
        told = Silent() if isinstance(request, CheckRequest) else messages
        command = f"Warehouse.{type(request).__name__.removesuffix('Request').lower()}"
        with self._reading() as database:
            answer = answering.answer(database, told, request).kept()
            answering.write_page(database, answer, command)
        warn(messages.lines)
        return answer

    def _result(self, request: type[Request], given: Mapping[str, Any]) -> Result:
        """Return the result of a method whose arguments are those of a request."""
        return Result(self._kept(made(request, given)))

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
        run_at: datetime | str | None = None,
        tags: Mapping[str, str] | None = None,
        query: str | None = None,
        rows_of: str | Path | None = None,
        groups: str | Path | None = None,
        format_in: str | None = None,
        duplicates: str = "refuse",
        keep_going: bool = False,
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
        duplicates="first", "last" or "max" (score) keeps one of its rows. query is the
        query of all rows of an input that has none. rows_of, groups and format_in are
        for files alone, as in ndcg-sql load run. DuckDB
        reads the columns directly; only columns of Python objects (pandas' dtype
        object) are read one by one. Returns
        the messages that the command line would print. Raises NdcgSqlError and
        stores nothing where the command line would refuse the input; a bad row
        is reported as frame:3, counted from 1.
        """
        options = locals()
        with self._writing(make=True) as database:
            messages = Collected()
            frames.load(database, "run", frame, name, options, messages)
        return messages.text

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
        query: str | None = None,
        groups: str | Path | None = None,
        format_in: str | None = None,
        duplicates: str = "refuse",
        keep_going: bool = False,
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
        options = {**locals(), "no_evaluate": not evaluate}
        with self._writing(make=True) as database:
            messages = Collected()
            frames.load(database, "judgments", frame, name, options, messages)
        return messages.text

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
        query: str | None = None,
        format_in: str | None = None,
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
            given = (name, dataset, who, columns, replace, format_in, query)
            return frames.load_assessments(database, frame, *given)

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
        return messages.text

    def load_queries(
        self,
        frame: Any,
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        format_in: str | None = None,
        replace: bool = False,
    ) -> str:
        """Load the texts, weights and attributes of queries from a frame or file.

        A row is a query with the column query_id and optionally text and weight;
        every other column is an attribute. With replace, they replace all texts,
        weights and attributes of the dataset. Otherwise as load_run.
        """
        with self._writing(make=True) as database:
            given = (dataset, columns, replace, format_in)
            return frames.load_queries(database, frame, *given)

    def load_documents(
        self,
        frame: Any,
        *,
        dataset: str = "default",
        columns: Mapping[str, str] | None = None,
        format_in: str | None = None,
        replace: bool = False,
    ) -> str:
        """Load the titles and addresses of documents from a frame or file.

        A row is a document with the columns doc_id, title (or text, of which the
        beginning is the title) and url; other columns are ignored. With replace,
        they replace all documents of the dataset. Otherwise as load_run.
        """
        with self._writing(make=True) as database:
            given = (dataset, columns, replace, format_in)
            return frames.load_documents(database, frame, *given)

    def report(
        self,
        measures: Names = None,
        *,
        runs: Names = None,
        judgments: str | None = None,
        dataset: str | None = None,
        by: Names = None,
        per_query: bool = False,
        like: str | None = None,
        tags: Mapping[str, str] | None = None,
        sort: str | None = None,
        limit: int | None = None,
        worst: int | None = None,
        bounds: bool = False,
        row_columns: str | None = None,
        counts: str = "all",
        html: str | Path | None = None,
        force: bool = False,
    ) -> Result:
        """Return the values of runs.

        A row is a run's mean; with per_query, its value for a query; with by (one
        or several attributes of queries), its mean over each slice; with bounds,
        how far it could move if every returned document were judged. html is a file
        for a page, which replaces another page, or with force any file.
        """
        return self._result(ReportRequest, locals())

    def leaderboard(
        self,
        measures: Names = None,
        *,
        runs: Names = None,
        judgments: str | None = None,
        dataset: str | None = None,
        by: Names = None,
        limit: int | None = None,
        test: str | None = None,
        correct: str | None = None,
        alpha: float | None = None,
        resamples: int | None = None,
        seed: int | None = None,
    ) -> Result:
        """Return runs in the order of the first measure, with groups of equal ones."""
        return self._result(LeaderboardRequest, locals())

    def compare(
        self,
        baseline: str,
        candidates: str | Iterable[str],
        measures: Names = None,
        *,
        judgments: str | None = None,
        dataset: str | None = None,
        by: Names = None,
        per_query: bool = False,
        sort: str | None = None,
        limit: int | None = None,
        no_queries: bool = False,
        test: str | None = None,
        correct: str | None = None,
        alpha: float | None = None,
        resamples: int | None = None,
        seed: int | None = None,
        html: str | Path | None = None,
        force: bool = False,
    ) -> Result:
        """Return the differences of runs from a baseline, and their significance.

        With per_query, a row is a query; otherwise it is a candidate and measure,
        with intervals and p-values, and with by also a slice. html and force as in
        report.
        """
        return self._result(CompareRequest, locals())

    def gate(
        self,
        baseline: str | None = None,
        candidate: str | None = None,
        measures: Names = None,
        *,
        judgments: str | None = None,
        dataset: str | None = None,
        by: Names = None,
        max_drop: float | str | None = None,
        max_drop_in: Mapping[str, float | str] | None = None,
        minimum: Mapping[str, float] | None = None,
        strict: bool | None = None,
        underpowered: str | None = None,
        test: str | None = None,
        correct: str | None = None,
        alpha: float | None = None,
        resamples: int | None = None,
        seed: int | None = None,
        config: str | Path | None = None,
        junit: str | Path | None = None,
        html: str | Path | None = None,
        force: bool = False,
    ) -> GateResult:
        """Return whether a candidate may replace a baseline, by every rule.

        A drop is absolute (0.01) or a share of the baseline's value ("5%");
        max_drop_in has those tolerated in the slices of attributes, minimum the
        least values of measures. config is a TOML file of such rules; arguments take
        precedence. junit is a file for the outcome as JUnit XML. html and force as in
        report.
        """
        return GateResult(self._kept(made(GateRequest, locals())))

    def explain(
        self,
        run: str,
        query: str,
        measures: Names = None,
        *,
        against: str | None = None,
        judgments: str | None = None,
        dataset: str | None = None,
        like: str | None = None,
    ) -> Result:
        """Return how the value of a query is computed, position by position.

        With against, another run: both rankings side by side, and what moved.
        """
        return self._result(ExplainRequest, locals())

    def unjudged(
        self,
        measures: Names = None,
        *,
        runs: Names = None,
        judgments: str | None = None,
        dataset: str | None = None,
        depth: int | None = None,
    ) -> Result:
        """Return the unjudged documents of runs; those that could change most first."""
        return self._result(UnjudgedRequest, locals())

    def history(
        self,
        measures: Names = None,
        *,
        runs: Names = None,
        judgments: str | None = None,
        dataset: str | None = None,
        tag: str | None = None,
    ) -> Result:
        """Return values over time, each with its difference from the previous run.

        tag makes a series for each value of a run tag ("branch"), or for one value
        ("branch=main").
        """
        return self._result(HistoryRequest, locals())

    def changes(
        self,
        old: str,
        new: str,
        measures: Names = None,
        *,
        runs: Names = None,
        dataset: str | None = None,
        per_query: bool = False,
        documents: bool = False,
    ) -> Result:
        """Return what another judgment set changes: means, values or judgments."""
        return self._result(ChangesRequest, locals())

    def overlap(
        self,
        run: str,
        other: str,
        *,
        p: float = 0.9,
        dataset: str | None = None,
        per_query: bool = False,
    ) -> Result:
        """Return the rank-biased overlap of two runs; p is a reader's persistence."""
        return self._result(OverlapRequest, locals())

    def agreement(
        self,
        assessments: Names = None,
        *,
        assessors: Names = None,
        dataset: str | None = None,
    ) -> Result:
        """Return how much assessors agree: kappa of pairs, kappa and alpha of all."""
        return self._result(AgreementRequest, locals())

    def describe(
        self, run: str, *, judgments: str | None = None, dataset: str | None = None
    ) -> Result:
        """Return a run's source, tags, depth and ties, and how much of it is judged."""
        return self._result(DescribeRequest, locals())

    def contents(
        self, dataset: str | None = None, *, with_tags: bool = False
    ) -> Result:
        """Return the judgment sets, assessments and runs, of one dataset or of all."""
        return self._result(ContentsRequest, locals())

    def pool(
        self,
        runs: Names = None,
        *,
        judgments: str | None = None,
        dataset: str | None = None,
        depth: int = 10,
        seed: int = 0,
        all_queries: bool = False,
    ) -> Result:
        """Return the documents to be judged: the first of each run, without names."""
        return self._result(PoolRequest, locals())

    def check(self) -> Result:
        """Read all stored data and verify that it is consistent."""
        return self._result(CheckRequest, locals())

    def measures(self, *, families: bool = False, systems: bool = False) -> Result:
        """Return the registered measures, whose values are stored.

        With families, return those that can be registered; with systems, the
        measures of other systems.
        """
        if families and systems:
            raise NdcgSqlError("families and systems: one list at a time")
        with self._reading() as database:
            if families or systems:
                module = other_systems if systems else measure_families
                listed = {"rows": module.described()}
                rows = Rows.selected(database, ROWS, listed).kept()
            else:
                rows = Rows.of(database, "reports/registered_measures").kept()
        return Result(Answer("measures", Request(), rows))

    def plot(
        self,
        name: str,
        runs: Names = None,
        measures: Names = None,
        *,
        judgments: str | None = None,
        dataset: str | None = None,
        by: Names = None,
        tag: str | None = None,
        alpha: float | None = None,
    ) -> Figure:
        """Return a figure, as the command plot draws it.

        name is leaderboard, cutoffs, precision-recall, values, differences, scatter,
        slices, history, judged or calibration-of-judges; of differences, scatter and
        slices, the first run is the baseline.
        """
        request = made(PlotRequest, locals())
        # Statistics load slowly.
        from ndcg_sql.output.figures.plotting import Plot, plotted

        plot = Plot.of(request)
        messages = Collected()
        with self._reading() as database:
            figure = plotted(database, messages, plot).figure
        warn(messages.lines)
        return figure

    def query(self, sql: str, *, time_limit: float = 3600.0) -> Result:
        """Return the rows of a select on the public relations, which writes nothing.

        Files and the network are out of its reach, as on the command line, and it is
        stopped after time_limit seconds, unless the warehouse is held open; there it
        is yours, as connection is.
        """
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
                    ends = (self._wait, time_limit, self._limits)
                    parent.query(sql, self._path, "parquet", path, *ends)
            else:
                with in_python(self._held.path):
                    _write_select(self.connection, sql, path)
            return Result(Answer("query", Request(), from_parquet(path)))

    def add_measures(self, measures: Any, *, dataset: str | None = None) -> str:
        """Register measures, and store their values for every evaluation."""
        messages = Collected()
        with self._writing() as database:
            add_measures(database, names_of("measures", measures), dataset, messages)
        return messages.text

    def remove_measures(self, measures: Any, *, dataset: str | None = None) -> str:
        """Remove registered measures and their stored values."""
        messages = Collected()
        with self._writing() as database:
            remove_measures(database, names_of("measures", measures), dataset, messages)
        return messages.text

    def evaluate(
        self,
        *,
        runs: Any = None,
        judgments: str | None = None,
        dataset: str | None = None,
    ) -> str:
        """Evaluate runs with judgment sets where their values are not stored yet."""
        messages = Collected()
        chosen = () if runs is None else names_of("runs", runs)
        request = Request(runs=chosen, judgments=judgments, dataset=dataset)
        with self._writing() as database:
            evaluate_pairs(database, messages, request)
        return messages.text

    def remove(
        self, kind: Kind, names: str | Iterable[str], *, dataset: str | None = None
    ) -> str:
        """Remove runs, judgment sets or assessments, with their values."""
        messages = Collected()
        with self._writing() as database:
            given = (names_of("names", names), dataset, messages)
            removing.remove_named(database, _kind(kind), *given)
        return messages.text

    def tag(
        self, run: str, tags: Mapping[str, str], *, dataset: str | None = None
    ) -> str:
        """Give a run tags; a value of "" removes a tag."""
        messages = Collected()
        with self._writing() as database:
            labelling.tag(database, run, _tags(tags), dataset, messages)
        return messages.text

    def rename(
        self,
        kind: Literal["run", "judgments"],
        old: str,
        new: str,
        *,
        dataset: str | None = None,
    ) -> str:
        """Rename a run or a judgment set; its id, content and values stay."""
        messages = Collected()
        with self._writing() as database:
            labelling.rename(database, _kind(kind), old, new, dataset, messages)
        return messages.text

    def export(
        self,
        kind: Literal["run", "judgments"],
        name: str,
        path: str | Path,
        *,
        dataset: str | None = None,
        form: str | None = None,
    ) -> str:
        """Write a run or a judgment set to a file, in the format of its suffix."""
        table = _kind(kind)
        write = exporting.export_run if kind == "run" else exporting.export_judgments
        with self._reading() as database:
            entry = choose_entry(database, table, name, dataset)
            return str(write(database, entry, form, Path(path)))

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
        baselines, or with the run before it if there are none, and with the best
        run; all_pairs compares all. Baselines are those named, and the runs with
        the tag baseline.
        """
        messages = Collected()
        with in_python(str(target)):
            request = made(PublishRequest, {**locals(), "target": str(target)})
            publish(self._copied, request, self._wait, messages)
        return messages.text

    def _copied(self, copy: bool) -> Database:
        """Open the file, or a copy of it, as it is on the disk."""
        if str(self._path) == ":memory:":
            raise NdcgSqlError("publish: a warehouse in memory has no file to copy")
        self._check_open()
        given = (self._path, self._wait, opening.SILENT, self._limits)
        return opening.read(*given, copy=copy)


def _kind(kind: str) -> Any:
    """Return what an entry is called inside; raise NdcgSqlError if it is none."""
    if kind not in _KINDS:
        raise NdcgSqlError(f"kind {quoted(kind)}: not one of {', '.join(_KINDS)}")
    return _KINDS[kind]


def _tags(tags: Mapping[str, str]) -> dict[str, str]:
    """Return tags; raise NdcgSqlError if one is not text."""
    for key, value in tags.items():
        for text in (key, value):
            if not isinstance(cast("object", text), str):
                raise NdcgSqlError(f"tag {text!r}: not text")
    return dict(tags)


def _write_select(connection: duckdb.DuckDBPyConnection, sql: str, path: Path) -> None:
    """Write the rows of a select as Parquet; raise NdcgSqlError if it is none."""
    try:
        rows = cast("duckdb.DuckDBPyRelation | None", connection.sql(sql))
        if rows is None:
            raise NdcgSqlError("query: not a select, or nothing at all")
        rows.write_parquet(str(path))
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        raise NdcgSqlError(f"query: {harmless_lines(str(error))}") from error
