"""Questions from Python: what the commands print, as results."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import cast

import duckdb

from ndcg_sql.analysis import agreement as agreeing
from ndcg_sql.analysis import (
    bounds,
    report,
    unjudged,
)
from ndcg_sql.analysis import history as dated
from ndcg_sql.analysis import leaderboard as leading
from ndcg_sql.analysis.describing import describe as described
from ndcg_sql.analysis.report import Selection
from ndcg_sql.analysis.significance import Testing
from ndcg_sql.arguments import in_python
from ndcg_sql.database.database import Database
from ndcg_sql.database.results import output
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import check_dataset, no_run
from ndcg_sql.evaluation.question import Request
from ndcg_sql.names import names_of, whole
from ndcg_sql.output import leaderboards, tables
from ndcg_sql.output.figures.figure import Figure
from ndcg_sql.output.figures.plotting import Plot, plotted
from ndcg_sql.output.html.writing import write_page
from ndcg_sql.output.results import Result, from_parquet, result
from ndcg_sql.sandbox import parent
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.text import harmless_lines
from ndcg_sql.warehouse.asking import (
    Asking,
    Names,
    asked_testing,
    drawn,
    laid_out,
    laid_out_answer,
    page_file,
    request_of,
)

# A query of a file ends after this time.
_SECONDS = 3600.0


class Questions(Asking):
    """The methods of a warehouse that answer something, and write nothing.

    measures are written as on the command line ("nDCG@10 AP", or a list); by
    default they are the registered ones. runs are names or patterns, all by
    default; judgments is a judgment set, by default the newest of each dataset.
    What a command would print beside its rows is issued as a Python warning. All
    raise NdcgSqlError for an unknown name.
    """

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
        html: str | Path | None = None,
        force: bool = False,
    ) -> Result:
        """Return the values of runs.

        A row is a run's mean; with per_query, its value for a query; with by (one
        or several attributes of queries), its mean over each slice; with bounds,
        how far it could move if every returned document were judged. html is a file
        for a page, which replaces another page, or with force any file.
        """
        file = page_file(html, force)
        asked = request_of(measures, runs, judgments, dataset, by, like, tags)
        selection = Selection(sort, whole("limit", limit), whole("worst", worst))
        with in_python(""):
            selection.check(asked, per_query, bounds)
            if html and limit:
                raise NdcgSqlError("html: a page shows every run; omit limit")
        if bounds:
            return self._bounds(asked, per_query, file)
        with self._told() as (database, messages):
            if database.is_new:
                raise no_run("in the warehouse")
            with report.report(database, messages, asked, per_query, selection):
                lay_out = tables.report_queries if per_query else tables.report
                found = result(
                    database, "values", lambda d: lay_out(d, "table", asked.by)
                )
            _write_page(database, file, asked)
        return found

    def _bounds(self, asked: Request, per_query: bool, file: Path | None) -> Result:
        """Return values with the lowest and highest possible ones."""
        with self._told() as (database, messages):
            with bounds.bounds(database, messages, asked, per_query):
                plot = None if per_query else partial(drawn, "judged")
                found = result(database, "bounds", laid_out, plot)
            _write_page(database, file, asked)
        return found

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
        asked = request_of(measures, runs, judgments, dataset, by)
        testing = asked_testing(
            test=test,
            correct=correct or ("holm" if test else "tukey"),
            alpha=alpha,
            resamples=resamples,
            seed=seed,
        )
        most = whole("limit", limit)
        with (
            self._told() as (database, messages),
            leading.leaderboard(database, messages, asked, testing, most),
        ):

            def draw(database: Database) -> str:
                return leaderboards.leaderboard(database, "table", asked.by, testing)

            plot = partial(drawn, "leaderboard", confidence=testing.confidence)
            return result(database, "leaderboard", draw, None if asked.by else plot)

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
        asked = request_of(measures, runs, judgments, dataset)
        with (
            self._told() as (database, messages),
            unjudged.unjudged_documents(
                database, messages, asked, whole("depth", depth)
            ),
        ):
            return result(database, "unjudged documents", laid_out_answer)

    def agreement(
        self,
        assessments: Names = None,
        *,
        assessors: Names = None,
        dataset: str | None = None,
    ) -> Result:
        """Return how much assessors agree: kappa of pairs, kappa and alpha of all."""
        names = names_of("assessments", assessments)
        who = names_of("assessors", assessors)
        with (
            self._told() as (database, _),
            agreeing.agreement(database, names, who, dataset),
        ):
            return result(database, "agreement", laid_out_answer)

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
        asked = request_of(measures, runs, judgments, dataset)
        with (
            self._told() as (database, messages),
            dated.history(database, messages, asked, tag),
        ):
            return result(database, "history", laid_out, partial(drawn, "history"))

    def describe(
        self, run: str, *, judgments: str | None = None, dataset: str | None = None
    ) -> Result:
        """Return a run's source, tags, depth and ties, and how much of it is judged."""
        with (
            self._told() as (database, _),
            described(database, run, judgments, dataset),
        ):
            return result(database, "run", lambda d: tables.fields(d, "table"))

    def contents(self, dataset: str | None = None) -> Result:
        """Return the judgment sets, assessments and runs, of one dataset or of all."""
        with self._told() as (database, _):
            check_dataset(database, dataset)
            with output(database, "reports/contents", {"dataset": dataset}):
                return result(database, "contents", laid_out)

    def measures(self) -> Result:
        """Return the registered measures, whose values are stored."""
        with (
            self._told() as (database, _),
            output(database, "reports/registered_measures"),
        ):
            return result(database, "measures", laid_out)

    def query(self, sql: str) -> Result:
        """Return the rows of a select on the public relations, which writes nothing.

        Files and the network are out of its reach, as on the command line, unless
        the warehouse is held open; there it is yours, as connection is.
        """
        with temporary_folder(None) as folder:
            path = folder / "rows.parquet"
            if self._held is None:
                self._check_open()
                with in_python(str(self._path)):
                    ends = (self._wait, _SECONDS, self._limits)
                    parent.query(sql, self._path, "parquet", path, *ends)
            else:
                with in_python(self._held.path):
                    _write_select(self.connection, sql, path)
            return from_parquet(path, "query")

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
        asked = request_of(measures, runs, judgments, dataset, by)
        testing = asked_testing(alpha=alpha)
        with in_python(""):
            plot = Plot(name, asked, testing, tag)
        with (
            self._told() as (database, messages),
            plotted(database, messages, plot) as found,
        ):
            return found


def _write_page(database: Database, file: Path | None, asked: Request) -> None:
    """Write a page of a report, if there is a file for it."""
    if file is not None:
        write_page(database, file, "Warehouse.report", asked, Testing())


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
