"""What questions of Python have in common: names, tests, messages as warnings."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ndcg_sql.analysis.paired import Record
from ndcg_sql.analysis.significance import Testing
from ndcg_sql.arguments import in_python, warn
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.question import Request
from ndcg_sql.measures import systems
from ndcg_sql.names import names_of, number, whole
from ndcg_sql.output import tables
from ndcg_sql.output.figures.figure import Figure, figure
from ndcg_sql.output.grids import rows_as_they_are
from ndcg_sql.output.html.writing import check_page
from ndcg_sql.system.messages import Collected
from ndcg_sql.text import listed
from ndcg_sql.warehouse.access import Access

# One name, several, or measures of ir_measures.
Names = Any


class Asking(Access):
    """A warehouse whose answers come with warnings."""

    @contextmanager
    def _told(self) -> Generator[tuple[Database, Collected]]:
        """Give the database and messages, which are issued as warnings afterwards."""
        messages = Collected()
        with self._reading() as database:
            yield database, messages
        warn(messages.lines)


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


def asked_testing(
    *,
    test: str | None = None,
    correct: str | None = None,
    alpha: float | None = None,
    resamples: int | None = None,
    seed: int | None = None,
) -> Testing:
    """Return how to test; what is None has its default."""
    with in_python(""):
        return Testing.of(
            test=test,
            correct=correct,
            alpha=number("alpha", alpha),
            resamples=whole("resamples", resamples),
            seed=whole("seed", seed, 0),
        )


def drawn(name: str, rows: list[Record], **about: Any) -> Figure:
    """Return the rows of the first measure that have a value as a figure.

    Raises NdcgSqlError if they belong to several datasets or judgment sets.
    """
    first = [row for row in rows if row["measure"] == rows[0]["measure"]]
    for key, what in (("dataset", "datasets"), ("judgment_set", "judgment sets")):
        found = list(dict.fromkeys(row[key] for row in first))
        if len(found) > 1:
            raise NdcgSqlError(
                f"{name}: the rows belong to several {what}; ask for one of"
                f" {listed(found)}"
            )
    return figure(name, [r for r in first if r.get("value", 0) is not None], **about)


def page_file(html: str | Path | None, force: bool) -> Path | None:
    """Return the file for a page; raise NdcgSqlError if it cannot be written."""
    if html is None:
        return None
    with in_python(""):
        check_page(Path(html), force)
    return Path(html)


def laid_out(database: Database) -> str:
    """Lay out the rows of the table OUTPUT as they are."""
    return rows_as_they_are(database, "table")


def laid_out_answer(database: Database) -> str:
    """Lay out the rows of the table OUTPUT, numbers in their shortest form."""
    return tables.answer(database, "table")
