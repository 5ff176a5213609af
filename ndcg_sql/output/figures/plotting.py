"""Figures of a warehouse: which analysis gives the rows of which figure."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from ndcg_sql.analysis import comparing, curves, distributions
from ndcg_sql.analysis.agreement import judge_grades
from ndcg_sql.analysis.bounds import bounds
from ndcg_sql.analysis.comparing import Comparison
from ndcg_sql.analysis.history import history
from ndcg_sql.analysis.leaderboard import leaderboard
from ndcg_sql.analysis.significance import Testing
from ndcg_sql.analysis.single import one_measure, only
from ndcg_sql.database.database import Database
from ndcg_sql.database.results import OUTPUT, fetch, reduce_output
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.question import Request
from ndcg_sql.output.figures.figure import Figure, figure
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, nearest, quoted, sql_name

_CORRECTION = "tukey"


@dataclass(frozen=True)
class Plot:
    """What a user wants to be drawn.

    The runs of the request are those to draw; of figures of differences, the first
    is the baseline; of assessors, they are their names. tag is that of the series
    of a history. With more queries than points, a scatter plot is binned; with more
    than sample, curves are those of a sample.
    """

    name: str
    request: Request
    testing: Testing
    tag: str | None = None
    points: int = distributions.MOST
    sample: int | None = None

    def __post_init__(self) -> None:
        """Raise NdcgSqlError if the figure is not known, or an option not for it."""
        if self.name not in _DRAWN:
            hint = nearest(self.name, _DRAWN) or f"known: {', '.join(_DRAWN)}"
            raise NdcgSqlError(f"no figure {quoted(self.name)}; {hint}")
        if self.request.by and self.name != "slices":
            raise NdcgSqlError(f"--by: not for {self.name}, only for slices")
        if self.tag is not None and self.name != "history":
            raise NdcgSqlError(f"--tag: not for {self.name}, only for history")
        if self.name == "slices" and not self.request.by:
            raise NdcgSqlError("slices: name an attribute of the queries with --by")
        if self.name == "calibration-of-judges" and (
            self.request.measures or self.request.judgments
        ):
            raise NdcgSqlError(f"{self.name}: has no -m and --judgments; omit them")
        least, most = _RUNS.get(self.name, (0, None))
        count = len(self.request.runs)
        if count < least or (most is not None and count > most):
            example = f"ndcg-sql plot {self.name} BASELINE CANDIDATE"
            raise NdcgSqlError(
                f"{self.name}: name a baseline and"
                f" {'one candidate' if most else 'candidates'}: {example}"
            )


# The fewest and the most runs that must be named.
_RUNS: dict[str, tuple[int, int | None]] = {
    "differences": (2, None),
    "scatter": (2, 2),
    "slices": (2, 2),
}
About = dict[str, Any]
Asked = tuple[Database, Messages, Plot]


@contextmanager
def plotted(database: Database, messages: Messages, plot: Plot) -> Generator[Figure]:
    """Give a figure; its rows are in the table OUTPUT, which lives inside."""
    with _DRAWN[plot.name]((database, messages, plot)) as (kind, about):
        rows = fetch(database)
        if rows and "value" in rows[0]:
            rows = [row for row in rows if row["value"] is not None]
        if not rows:
            raise NdcgSqlError(f"{plot.name}: there is no data to draw")
        yield figure(kind, rows, **about)


Drawn = Generator[tuple[str, About]]


@contextmanager
def _leaderboard(asked: Asked) -> Drawn:
    database, messages, plot = asked
    request = one_measure(database, plot.request)
    testing = replace(plot.testing, correct=_CORRECTION)
    with leaderboard(database, messages, request, testing):
        yield "leaderboard", {"confidence": testing.confidence}


@contextmanager
def _cutoffs(asked: Asked) -> Drawn:
    database, messages, plot = asked
    request = one_measure(database, plot.request)
    with curves.cutoffs(database, messages, request, plot.sample) as sample:
        yield "cutoffs", _sampled(sample)


@contextmanager
def _precision_recall(asked: Asked) -> Drawn:
    database, messages, plot = asked
    request = one_measure(database, plot.request)
    with curves.precision_recall(database, messages, request, plot.sample) as sample:
        yield "precision-recall", _sampled(sample)


@contextmanager
def _values(asked: Asked) -> Drawn:
    database, messages, plot = asked
    request = one_measure(database, plot.request)
    with distributions.values(database, messages, request):
        yield "values", {}


@contextmanager
def _differences(asked: Asked) -> Drawn:
    database, messages, plot = asked
    question = _comparison(database, plot)
    with distributions.differences(database, messages, question):
        by_query = "query_id" in _columns(database)
        yield "query-differences" if by_query else "differences", {}


@contextmanager
def _scatter(asked: Asked) -> Drawn:
    database, messages, plot = asked
    question = _comparison(database, plot)
    with distributions.pairs_of_values(database, messages, question, plot.points):
        by_query = "query_id" in _columns(database)
        yield "scatter" if by_query else "scatter-bins", {}


@contextmanager
def _slices(asked: Asked) -> Drawn:
    database, messages, plot = asked
    question = _comparison(database, plot)
    with comparing.compare(database, messages, question, plot.testing):
        names = [f"coalesce({sql_name(name)}, '(not known)')" for name in question.by]
        label = f"concat_ws(', ', {', '.join(names)})"
        reduce_output(database, f"select {label} as slice, * from {OUTPUT}")
        attribute = ", ".join(question.by)
        confidence = plot.testing.confidence
        yield "slices", {"attribute": attribute, "confidence": confidence}


@contextmanager
def _history(asked: Asked) -> Drawn:
    database, messages, plot = asked
    request = one_measure(database, plot.request)
    with history(database, messages, request, plot.tag):
        [(times,)] = database.execute(f"select count(distinct made_at) from {OUTPUT}")
        if times < 2:
            raise NdcgSqlError("history: needs runs of two times; there is only one")
        yield "history", {}


@contextmanager
def _judged(asked: Asked) -> Drawn:
    database, messages, plot = asked
    request = one_measure(database, plot.request)
    with bounds(database, messages, request, per_query=False):
        yield "judged", {}


@contextmanager
def _judges(asked: Asked) -> Drawn:
    database, _, plot = asked
    with judge_grades(database, (), plot.request.runs, plot.request.dataset):
        yield "calibration-of-judges", {}


def _comparison(database: Database, plot: Plot) -> Comparison:
    """Return the comparison of the first run of a plot with the others."""
    baseline, *candidates = plot.request.runs
    question = comparing.resolve(database, baseline, candidates, plot.request)
    # A pattern may name several.
    if _RUNS[plot.name][1] and len(question.candidates) > 1:
        names = listed(run.name for run in question.candidates)
        raise NdcgSqlError(f"{plot.name}: shows one candidate; name one of {names}")
    named = plot.request.names_measures
    measure = only(question.measures) if named else question.measures[0]
    return replace(question, measures=(measure,))


def _sampled(sample: curves.Sample | None) -> About:
    """Return what the note of a figure says of a sample."""
    if sample is None:
        return {}
    return {"notes": [f"a sample of {sample.n:,} of {sample.queries:,} queries"]}


def _columns(database: Database) -> list[str]:
    """Return the names of the columns of the table OUTPUT."""
    return [str(row[0]) for row in database.execute(f"describe {OUTPUT}")]


_DRAWN: dict[str, Callable[[Asked], AbstractContextManager[tuple[str, About]]]] = {
    "leaderboard": _leaderboard,
    "cutoffs": _cutoffs,
    "precision-recall": _precision_recall,
    "values": _values,
    "differences": _differences,
    "scatter": _scatter,
    "slices": _slices,
    "history": _history,
    "judged": _judged,
    "calibration-of-judges": _judges,
}
NAMES = tuple(_DRAWN)
