"""Questions from Python: what the commands print, as results."""

import warnings
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ndcg_sql.analysis import agreement as agreeing
from ndcg_sql.analysis import (
    bounds,
    changes,
    comparing,
    explaining,
    gating,
    overlap,
    report,
    unjudged,
)
from ndcg_sql.analysis import history as dated
from ndcg_sql.analysis import leaderboard as leading
from ndcg_sql.analysis.describing import describe as described
from ndcg_sql.analysis.paired import Record
from ndcg_sql.analysis.report import Selection
from ndcg_sql.analysis.significance import Testing
from ndcg_sql.arguments import as_arguments, in_python
from ndcg_sql.database.database import Database
from ndcg_sql.database.results import output
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import check_dataset, no_run
from ndcg_sql.evaluation.question import Request
from ndcg_sql.measures import systems
from ndcg_sql.names import names_of
from ndcg_sql.output import comparison_tables, gate_results, leaderboards, tables
from ndcg_sql.output.figures.figure import Figure, figure
from ndcg_sql.output.figures.plotting import Plot, plotted
from ndcg_sql.output.grids import rows_as_they_are
from ndcg_sql.output.results import Result, from_parquet, result
from ndcg_sql.output.terms import terms
from ndcg_sql.sandbox import parent
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.system.messages import Collected
from ndcg_sql.text import sql_text
from ndcg_sql.warehouse.access import Access

# One name, several, or measures of ir_measures.
Names = Any
# A query of a file ends after this time.
_SECONDS = 3600.0


class GateResult(Result):
    """The outcome of every rule of a gate, and whether the candidate passed."""

    passed: bool = False
    message: str = ""


class Questions(Access):
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
    ) -> Result:
        """Return the values of runs.

        A row is a run's mean; with per_query, its value for a query; with by (one
        or several attributes of queries), its mean over each slice; with bounds,
        how far it could move if every returned document were judged.
        """
        asked = request_of(measures, runs, judgments, dataset, by, like, tags)
        if bounds:
            return self._bounds(asked, per_query)
        selection = Selection(sort, limit, worst)
        with self._told() as (database, messages):
            if database.is_new:
                raise no_run("in the warehouse")
            with report.report(database, messages, asked, per_query, selection):
                lay_out = tables.report_queries if per_query else tables.report
                return result(
                    database, "values", lambda d: lay_out(d, "table", asked.by)
                )

    def _bounds(self, asked: Request, per_query: bool) -> Result:
        """Return values with the lowest and highest possible ones."""
        with (
            self._told() as (database, messages),
            bounds.bounds(database, messages, asked, per_query),
        ):
            return result(database, "bounds", _rows, _plot("judged"))

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
        testing = _testing(
            test=test,
            correct=correct or ("holm" if test else "tukey"),
            alpha=alpha,
            resamples=resamples,
            seed=seed,
        )
        with (
            self._told() as (database, messages),
            leading.leaderboard(database, messages, asked, testing, limit),
        ):

            def draw(database: Database) -> str:
                return leaderboards.leaderboard(database, "table", asked.by, testing)

            return result(database, "leaderboard", draw, _plot("leaderboard"))

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
        test: str | None = None,
        correct: str | None = None,
        alpha: float | None = None,
        resamples: int | None = None,
        seed: int | None = None,
    ) -> Result:
        """Return the differences of runs from a baseline, and their significance.

        With per_query, a row is a query; otherwise it is a candidate and measure,
        with intervals and p-values, and with by also a slice.
        """
        asked = request_of(measures, None, judgments, dataset, by)
        testing = _testing(
            test=test, correct=correct, alpha=alpha, resamples=resamples, seed=seed
        )
        others = names_of("candidates", candidates)
        with self._told() as (database, messages):
            question = comparing.resolve(database, baseline, others, asked)
            question = replace(question, sort=sort, limit=limit)
            if per_query:
                with comparing.compare_queries(database, messages, question):
                    return result(
                        database,
                        "comparison by query",
                        lambda d: comparison_tables.compare_queries(
                            d, "table", asked.by
                        ),
                    )
            with comparing.compare(database, messages, question, testing):
                listed = comparing.listed(database, question, queries=True)
                return result(
                    database,
                    "comparison",
                    lambda d: comparison_tables.compare(d, "table", listed, testing),
                    _plot_differences,
                )

    def gate(
        self,
        baseline: str,
        candidate: str,
        measures: Names = None,
        *,
        judgments: str | None = None,
        dataset: str | None = None,
        by: Names = None,
        max_drop: float | str | None = None,
        max_drop_in: Mapping[str, float | str] | None = None,
        minimum: Mapping[str, float] | None = None,
        strict: bool = False,
        underpowered: str = "pass",
        test: str | None = None,
        correct: str | None = None,
        alpha: float | None = None,
        resamples: int | None = None,
        seed: int | None = None,
    ) -> GateResult:
        """Return whether a candidate may replace a baseline, by every rule.

        A drop is absolute (0.01) or a share of the baseline's value ("5%");
        max_drop_in has those tolerated in the slices of attributes, minimum the
        least values of measures.
        """
        asked = request_of(measures, None, judgments, dataset, by)
        testing = _testing(
            test=test, correct=correct, alpha=alpha, resamples=resamples, seed=seed
        )
        drops = {name: _drop(drop) for name, drop in (max_drop_in or {}).items()}
        rules = gating.Rules(
            max_drop=gating.Rules().max_drop if max_drop is None else _drop(max_drop),
            max_drop_in=drops,
            minimum=gating.minimum(dict(minimum or {})),
            strict=strict,
            underpowered=underpowered,
        )
        with self._told() as (database, messages):
            question = comparing.resolve(database, baseline, [candidate], asked)
            verdict = gating.judge(database, messages, question, rules, testing)
            with output(database, "reports/gate", {"decisions": verdict.rows}):
                found = result(
                    database, "gate", lambda d: gate_results.table(d, "table", verdict)
                )
        made = GateResult(found.relation, f"{found!r}\n{verdict.told()}", "gate")
        made.passed, made.message = not verdict.failed, verdict.told()
        return made

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
        asked = request_of(measures, None, judgments, dataset, None, like)
        with self._told() as (database, messages):
            if against is not None:
                question = comparing.to_explain(database, against, run, asked)
                measure = question.measures[0]
                with comparing.explain(database, question, query, measure):
                    return result(
                        database,
                        f"query {query}",
                        lambda d: comparison_tables.explain(d, "table", question),
                    )
            single = explaining.resolve(database, messages, run, asked)
            with explaining.explain(database, single, query):
                by_terms = explaining.is_by_terms(single.measures)

                def draw(database: Database) -> str:
                    if by_terms:
                        return terms(database, "table")
                    return tables.explain(database, "table", single.measures)

                return result(database, f"query {query}", draw)

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
            unjudged.unjudged_documents(database, messages, asked, depth),
        ):
            return result(database, "unjudged documents", _answer)

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
            return result(database, "agreement", _answer)

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
            return result(database, "history", _rows, _plot("history"))

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
        with (
            self._told() as (database, _),
            overlap.overlap(database, (run, other), dataset, p, per_query),
        ):
            return result(database, "overlap", _rows)

    def describe(
        self, run: str, *, judgments: str | None = None, dataset: str | None = None
    ) -> Result:
        """Return a run's source, tags, depth and ties, and how much of it is judged."""
        with (
            self._told() as (database, _),
            described(database, run, judgments, dataset),
        ):
            return result(database, "run", lambda d: tables.fields(d, "table"))

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
        asked = request_of(measures, runs, None, dataset)
        kind: changes.Kind = (
            "judgments" if documents else "values" if per_query else "means"
        )
        with (
            self._told() as (database, messages),
            changes.changes(database, messages, (old, new), asked, kind),
        ):
            return result(database, "changes", _answer)

    def contents(self, dataset: str | None = None) -> Result:
        """Return the judgment sets, assessments and runs, of one dataset or of all."""
        with self._told() as (database, _):
            check_dataset(database, dataset)
            with output(database, "reports/contents", {"dataset": dataset}):
                return result(database, "contents", _rows)

    def measures(self) -> Result:
        """Return the registered measures, whose values are stored."""
        with (
            self._told() as (database, _),
            output(database, "reports/registered_measures"),
        ):
            return result(database, "measures", _rows)

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
                    text = f"copy ({sql}) to {sql_text(str(path))} (format parquet)"
                    self.connection.execute(text)
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
        plot = Plot(name, asked, _testing(alpha=alpha), tag)
        with (
            self._told() as (database, messages),
            plotted(database, messages, plot) as found,
        ):
            return found

    @contextmanager
    def _told(self) -> Generator[tuple[Database, Collected]]:
        """Give the database and messages, which are issued as warnings afterwards."""
        messages = Collected()
        with self._reading() as database:
            yield database, messages
        for line in messages.lines:
            # The caller of the method is behind two context managers.
            warnings.warn(as_arguments(line), stacklevel=4)


def request_of(
    measures: Names,
    runs: Names,
    judgments: str | None,
    dataset: str | None,
    by: Names = None,
    like: str | None = None,
    tags: Mapping[str, str] | None = None,
) -> Request:
    """Return a request of Python as that of a command."""
    with in_python(""):
        return Request(
            measures=names_of("measures", measures),
            runs=names_of("runs", runs),
            judgments=judgments,
            dataset=dataset,
            by=names_of("by", by),
            like=None if like is None else systems.find(like),
            tags=dict(tags or {}),
        )


def _testing(**given: Any) -> Testing:
    """Return how to test; what is None has its default."""
    with in_python(""):
        return Testing.of(**given)


def _drop(given: float | str) -> gating.Drop:
    """Return a tolerated drop."""
    drop = gating.Drop.given(given)
    if drop is None:
        raise NdcgSqlError(f"max_drop {given}: not a number or a percentage")
    return drop


def _rows(database: Database) -> str:
    return rows_as_they_are(database, "table")


def _answer(database: Database) -> str:
    return tables.answer(database, "table")


def _plot(name: str) -> Any:
    """Return what draws the rows of the first measure as a figure."""

    def draw(rows: list[Record]) -> Figure:
        first = [row for row in rows if row["measure"] == rows[0]["measure"]]
        return figure(name, [row for row in first if row["value"] is not None])

    return draw


def _plot_differences(rows: list[Record]) -> Figure:
    """Return the differences of the candidates by the first measure."""
    first = [row for row in rows if row["measure"] == rows[0]["measure"]]
    named = [{**row, "slice": row["candidate"]} for row in first]
    return figure("slices", named, attribute="candidate", candidate="Candidates")
