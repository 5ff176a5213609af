"""Comparisons from Python: runs, rankings and judgment sets side by side."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from ndcg_sql.analysis import (
    changes,
    comparing,
    explaining,
    gating,
    overlap,
)
from ndcg_sql.analysis.paired import Record
from ndcg_sql.arguments import in_python
from ndcg_sql.database.database import Database
from ndcg_sql.database.results import output
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.names import names_of, number, whole
from ndcg_sql.output import comparison_tables, gate_results, tables
from ndcg_sql.output.figures.figure import Figure
from ndcg_sql.output.html.writing import write_page
from ndcg_sql.output.results import Result, result
from ndcg_sql.output.terms import terms
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

# The columns that a notebook shows.
_COMPARED = (
    *("candidate", "measure", "n", "baseline_value", "candidate_value", "difference"),
    *("relative_difference", "ci_low", "ci_high", "p_adjusted", "wins", "ties"),
    *("losses", "note"),
)
_JUDGED = (
    *("outcome", "measure", "attribute", "slice", "n", "baseline_value"),
    *("candidate_value", "difference", "tolerance", "p", "reason"),
)


class GateResult(Result):
    """The outcome of every rule of a gate; true if the candidate passed."""

    passed: bool = False
    message: str = ""

    def __bool__(self) -> bool:
        return self.passed


class Comparisons(Asking):
    """The methods of a warehouse that hold one thing against another."""

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
        html: str | Path | None = None,
        force: bool = False,
    ) -> Result:
        """Return the differences of runs from a baseline, and their significance.

        With per_query, a row is a query; otherwise it is a candidate and measure,
        with intervals and p-values, and with by also a slice. html and force as in
        report.
        """
        for option, value in (("html", html), ("sort", sort), ("limit", limit)):
            if per_query and value is not None:
                raise NdcgSqlError(
                    f"per_query: cannot be combined with {option}; omit one"
                )
        file = page_file(html, force)
        asked = request_of(measures, None, judgments, dataset, by)
        testing = asked_testing(
            test=test, correct=correct, alpha=alpha, resamples=resamples, seed=seed
        )
        others = names_of("candidates", candidates)
        with self._told() as (database, messages):
            question = comparing.resolve(database, baseline, others, asked)
            question = replace(question, sort=sort, limit=whole("limit", limit))
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
                plot = partial(_plot_differences, testing.confidence)
                found = result(
                    database,
                    "comparison",
                    lambda d: comparison_tables.compare(d, "table", listed, testing),
                    None if asked.by else plot,
                    [*asked.by, *_COMPARED],
                )
            if file is not None:
                told = "Warehouse.compare"
                write_page(database, file, told, asked, testing, question)
        return found

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
        html: str | Path | None = None,
        force: bool = False,
    ) -> GateResult:
        """Return whether a candidate may replace a baseline, by every rule.

        A drop is absolute (0.01) or a share of the baseline's value ("5%");
        max_drop_in has those tolerated in the slices of attributes, minimum the
        least values of measures. html and force as in report.
        """
        file = page_file(html, force)
        asked = request_of(measures, None, judgments, dataset, by)
        testing = asked_testing(
            test=test, correct=correct, alpha=alpha, resamples=resamples, seed=seed
        )
        drops = {name: _drop(drop) for name, drop in (max_drop_in or {}).items()}
        least = {
            name: number(f"minimum of {name}", value) or 0.0
            for name, value in (minimum or {}).items()
        }
        usual = gating.Rules()
        with in_python(""):
            rules = gating.Rules(
                max_drop=usual.max_drop if max_drop is None else _drop(max_drop),
                max_drop_in=drops,
                minimum=gating.minimum(least),
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
            if file is not None:
                by = "Warehouse.gate"
                write_page(database, file, by, asked, testing, question, verdict)
        told = verdict.told()
        text = f"{found!r}\n{told}"
        made = GateResult(found.relation, text, told, shown_first=_JUDGED)
        made.passed, made.message = not verdict.failed, told
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
            return result(database, "overlap", laid_out)

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
            return result(database, "changes", laid_out_answer)


def _drop(given: float | str) -> gating.Drop:
    """Return a tolerated drop."""
    drop = gating.Drop.given(given)
    if drop is None:
        raise NdcgSqlError(f"max_drop {given}: not a number or a percentage")
    return drop


def _plot_differences(confidence: str, rows: list[Record]) -> Figure:
    """Return the differences of the candidates by the first measure."""
    named = [{**row, "slice": row["candidate"]} for row in rows]
    about = {
        "attribute": "run",
        "candidate": f"{rows[0]['measure']} of candidates",
        "confidence": confidence,
    }
    return drawn("slices", named, **about)
